"""What the rules of single pages found, and the facts of each page: a projection of its own; and
what rules ask of the disk, recorded, as no walk and no index proves that part of the findings.

The projection is fed by `check` alone, because reviewing costs as much as indexing; what it holds
for a page follows from the page's bytes and `recipe`, so another set of rules starts it over.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from memwiki.answers.check import Problems
from memwiki.check.facts import EntryPart, Facts
from memwiki.check.rule import Finding
from memwiki.digest import digest_of
from memwiki.errors import IndexDamagedError
from memwiki.files.read import exists, read
from memwiki.index.cache_files import clear
from memwiki.index.integrity import is_intact, require_intact, sqlite_kind
from memwiki.index.sql import STATE, Existing, SqlFile, SqlProjection
from memwiki.index.storage import SqlTable
from memwiki.index.storage_sqlite import DAMAGE, decoding, files_of, is_damage
from memwiki.markdown.stretches import KnownStretches
from memwiki.records import NamedTuple
from memwiki.sync.context import Context

STORE = "findings.sqlite"
BATCH = 256  # pages a commit: an interrupted first check goes on where it was
_PAGE = SqlTable(
    "page",
    "path text,digest text not null,frame text not null,entries text not null,"
    "findings text not null,facts text not null",
    "path",
)
_ENTRY = SqlTable("entry", "part text,marks text not null,facts text not null", "part")
_SOURCE = SqlTable(
    "source", "path text,digest text not null,day text not null", "path", is_lasting=True
)
_FOUND = SqlTable(
    "found",
    "run text,part integer,problems blob not null",
    indexes=("unique index found_part on found (run, part)",),
)


class DiskAnswers(NamedTuple):
    """What the disk said."""

    exists: Mapping[str, bool]  # a file or folder, also of a kind that the index passes over
    digests: Mapping[str, str]  # of files that were read


class RecordingDisk:
    """Answers what rules ask of the disk, and remembers it."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._seen: dict[str, bool] = {}
        self._digests: dict[str, str] = {}

    def read(self, path: str) -> bytes:
        """The bytes of a file."""
        data = self._read(path)
        self._digests[path] = digest_of(data)
        return data

    def exists(self, path: str) -> bool:
        """Whether there is a file or folder."""
        if path not in self._seen:
            self._seen[path] = exists(self._context.root, path)
        return self._seen[path]

    def _read(self, path: str) -> bytes:
        return read(self._context.root, path, self._context.max_bytes)

    @property
    def answers(self) -> DiskAnswers:
        """Everything that it was asked until now."""
        return DiskAnswers(dict(self._seen), dict(self._digests))

    def remember(self, answers: DiskAnswers) -> None:
        """Take answers that were just found to be those of today for its own."""
        self._seen.update(answers.exists)
        self._digests.update(answers.digests)

    def says(self, answers: DiskAnswers) -> bool:
        """Whether the disk would give the same answers today."""
        return all(
            exists(self._context.root, path) == there for path, there in answers.exists.items()
        ) and all(digest_of(self._read(path)) == digest for path, digest in answers.digests.items())


class Review(NamedTuple):
    """What is known of one version of a page; a catalog or the journal has no facts and no
    frame."""

    path: str
    digest: str
    findings: Sequence[Finding] = ()
    facts: Facts | None = None
    frame: str = ""
    entries: Sequence[EntryPart] = ()


class SavedFindings(NamedTuple):
    """What rules found, what the disk said to them, and the digests of the runs that the problems
    were merged from."""

    problems: Problems
    answers: DiskAnswers
    of: str = ""


class FindingStore(SqlProjection[Review], SqlFile):
    """Reviews of pages in SQLite, by path; `path` may be `:memory:`."""

    name, what = "findings", "findings"
    tables = (_PAGE, _ENTRY, _SOURCE, _FOUND, STATE)
    columns, trees = "digest, frame, entries", ("tree", "frames", "entries")
    made_for = "recipe"

    def __init__(self, path: str, settings: str) -> None:
        """Open it; one that is damaged, or was made under other settings, starts over."""
        self._path, self._settings = path, settings
        try:
            super().__init__(path)
        except DAMAGE as error:
            if not is_damage(error):
                raise
            discard(Path(path))
            super().__init__(path)

    def prepare(self) -> None:
        """Make the tables, unless they are there for these settings."""
        self.prepare_for(self._settings)

    def digests_of(self, put: Review) -> tuple[str, ...]:
        """The version of a page, of its frame and of its entries."""
        return put.digest, _frame(put), _entries(put)

    def write(self, puts: Sequence[Review], existing: Existing) -> None:
        """Write the reviews of these pages and drop those."""
        known = {f"{key} {path}" for path, row in existing.items() for key, _ in _keys(row[2])}
        kept = {f"{part.key} {put.path}" for put in puts for part in put.entries}
        self.delete("entry", "part", known - kept)
        self.delete("page", "path", existing)
        self.upsert(_PAGE, map(_row, puts))
        new = ((put.path, part) for put in puts for part in put.entries if part.facts)
        self.upsert(_ENTRY, ((f"{part.key} {p}", part.marks, part.facts) for p, part in new))

    def frames(self) -> str:
        """The tree digest of the frames of all pages; of those without one, of their digests."""
        return self.tree_of("frames")

    def entries_tree(self) -> str:
        """The tree digest of the entries of all pages."""
        return self.tree_of("entries")

    def entries(self) -> Iterator[tuple[str, EntryPart]]:
        """The entries that hold, page by page."""
        rows = self.db.execute("select part, marks, facts from entry")
        known = {part: row for part, *row in rows}
        pages = self.db.execute("select path, entries from page where entries<>'' order by path")
        with decoding("findings"):
            for path, keys in pages:
                for key, start in _keys(keys):
                    yield path, EntryPart(key, start, *known[f"{key} {path}"])

    def stretches(self, path: str) -> KnownStretches:
        """The stretches of a page of which it has the entries, by their digests."""
        with decoding("findings"):
            keys = self.existing([path]).get(path, ("", "", ""))[2]
            return {bytes.fromhex(key): b"held" for key, _ in _keys(keys)}

    def keep(self, run: str, key: str, kept: SavedFindings) -> None:
        """Keep what rules found; `key` names all that it follows from."""
        parts, tally = kept.problems.parts, kept.problems.tally
        counts = [(*what, count) for what, count in tally.items()]
        value = json.dumps([key, kept.problems.digest, kept.of, counts, *kept.answers])
        with self.transaction():
            self.delete("found", "run", [run])
            self.upsert(_FOUND, ((run, part, problems) for part, problems in enumerate(parts)))
            self.note(f"kept {run}", value)

    def kept(self, run: str, key: str) -> SavedFindings | None:
        """What was kept under this key."""
        value = self.state(f"kept {run}")
        with decoding("findings"):
            saved_as, digest, of, counts, *answers = json.loads(value or '["", "", "", [], {}, {}]')
            if not key or key not in (saved_as, of):
                return None
            rows = self.db.execute("select problems from found where run=? order by part", (run,))
            tally = {(severity, is_fixable): count for severity, is_fixable, count in counts}
            problems = Problems([bytes(part) for (part,) in rows], tally)
            if problems.digest != digest:  # they are unpacked when nobody can mend them
                raise IndexDamagedError("findings: not what was kept")
            return SavedFindings(problems, DiskAnswers(*answers), of)

    def keep_parts(self, run: str, parts: Mapping[int, bytes], on: bytes) -> None:
        """Keep what a rule needs to know of its last run, all of it or the parts that changed `on`
        those that begin with this one; nothing where another check has kept others meanwhile."""
        with self.transaction():
            if on and self.parts(run)[:1] != [on]:
                return
            self.delete("found", "run", [] if on else [run])
            gone = ((run, part) for part in parts)
            self.db.executemany("delete from found where run=? and part=?", gone)
            self.upsert(_FOUND, ((run, part, data) for part, data in parts.items()))

    def parts(self, run: str) -> list[bytes]:
        """The same again."""
        rows = self.db.execute("select problems from found where run=? order by part", (run,))
        return [bytes(data) for (data,) in rows]

    def facts(self) -> dict[str, Facts]:
        """The facts of each page, by path."""
        rows = self.db.execute("select path, facts from page where facts<>'' order by path")
        known: dict[str, Facts] = {}
        with decoding("findings"):
            while part := rows.fetchmany(BATCH):
                values = json.loads(f"[{','.join(facts for _, facts in part)}]")
                for (path, _), facts in zip(part, values, strict=True):
                    known[path] = Facts(*facts)
        return known

    def paths(self) -> list[str]:
        """The pages that were reviewed."""
        rows = self.db.execute("select path from page where facts<>'' order by path")
        return [path for (path,) in rows]

    def findings(self) -> Iterator[Finding]:
        """What was found in single pages."""
        rows = self.db.execute("select path, findings from page where findings<>'' order by path")
        with decoding("findings"):
            for path, text in rows:
                for code, line, message, is_fixable in json.loads(text):
                    yield Finding(code, line, message, path, is_fixable=is_fixable)

    def sources(self) -> list[tuple[str, str, str]]:
        """Every source as (path, digest, day) of when it was first given here."""
        return list(self.db.execute("select path, digest, day from source order by path"))

    def first_seen(self, sources: Mapping[str, str], day: str) -> dict[str, tuple[str, str]]:
        """The digest that each source (path -> digest now) had when it was first given here, and
        the day; a source that is gone is forgotten."""
        existing = {path: (digest, since) for path, digest, since in self.sources()}
        if existing.keys() != sources.keys():
            with self.transaction():
                self.delete("source", "path", existing.keys() - sources.keys())
                new = ((path, sources[path], day) for path in sources.keys() - existing.keys())
                self.upsert(_SOURCE, new)
        return {path: existing.get(path, (digest, day)) for path, digest in sources.items()}

    def erase(self, paths: Iterable[str]) -> bool:
        """Leave nothing on disk of these pages, nor of what was found before; False while a reader
        is in the way."""
        gone = list(paths)
        self.apply([], gone)
        with self.transaction():
            self.delete("source", "path", gone)
            self.db.execute("delete from found")
            self.db.execute("delete from state where name like 'kept %'")
        return self.scrub()

    def start_over(self) -> None:
        """Throw away everything that it holds."""
        self.close()
        discard(Path(self._path))
        super().__init__(self._path)


def discard(path: Path) -> None:
    """Remove a store, or whatever lies in its place."""
    for name in (path.name, f"{path.name}-shm", *files_of(path.parent, path.name)):
        clear(path.with_name(name))


FINDINGS = sqlite_kind("findings", "3", STORE)


def looked_after(folder: Path) -> None:
    """Throw the store away when somebody else wrote into it."""
    if is_intact(folder, (FINDINGS,)):
        return
    try:
        require_intact(folder, (FINDINGS,))
    except IndexDamagedError:
        discard(folder / STORE)


def _frame(review: Review) -> str:
    return review.frame or review.digest


def _entries(review: Review) -> str:
    """What names all that is known of the entries of a page, "" without any."""
    return json.dumps([part[:2] for part in review.entries]) if review.entries else ""


def _keys(entries: str) -> list[tuple[str, int]]:
    return json.loads(entries) if entries else []


def _row(review: Review) -> tuple[str, str, str, str, str, str]:
    findings = [(*each[:3], each.is_fixable) for each in review.findings]
    return (
        review.path,
        review.digest,
        _frame(review),
        _entries(review),
        json.dumps(findings) if findings else "",
        json.dumps(review.facts) if review.facts else "",
    )
