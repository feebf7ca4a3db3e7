"""What the rules of single pages found, and the facts of each page: a projection of its own.

It is fed by `check` alone, because reviewing costs as much as indexing; what it holds for a page
follows from the page's bytes and `recipe`, so another set of rules starts it over.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from memwiki.answers.problems import Problems
from memwiki.check.disk import DiskAnswers
from memwiki.check.facts import EntryFacts, Facts
from memwiki.check.rule import Finding
from memwiki.digest import text_hash
from memwiki.errors import IndexDamagedError
from memwiki.index.cache_files import move_aside
from memwiki.index.damage import decoding, is_damage
from memwiki.index.integrity import is_intact, require_intact, sqlite_kind
from memwiki.index.projection import EMPTY_TREE, changed_tree
from memwiki.index.remarks import remark, set_remark
from memwiki.index.write_ahead import files_of, scrub, transaction

STORE = "findings.sqlite"
BATCH = 256  # pages a commit: an interrupted first check goes on where it was
_SCHEMA = """
create table page (path text primary key, digest text not null, frame text not null,
  entries text not null, findings text not null, facts text not null) without rowid;
create table entry (path text primary key, facts text not null) without rowid;
create table if not exists source (path text primary key, digest text not null, day text not null)
  without rowid;
create table found (run text, part integer, problems blob not null, primary key (run, part));
create table state (name text primary key, value text not null) without rowid;
"""


class Review(NamedTuple):
    """What is known of one version of a page; a catalog or the journal has no facts and no
    frame."""

    path: str
    digest: str
    findings: Sequence[Finding] = ()
    facts: Facts | None = None
    frame: str = ""
    entries: Sequence[EntryFacts] = ()


class SavedFindings(NamedTuple):
    """What rules found, what the disk said to them, and the digests of the runs that the problems
    were merged from."""

    problems: Problems
    answers: DiskAnswers
    of: str = ""


class FindingStore:
    """Reviews of pages in SQLite, by path; `path` may be `:memory:`."""

    name = "findings"

    def __init__(self, path: str, recipe: str) -> None:
        self._path, self._recipe = path, recipe
        try:
            self._db = self._connect()
        except sqlite3.DatabaseError as error:
            if not is_damage(error):
                raise
            discard(Path(self._path))
            self._db = self._connect()

    def _connect(self) -> sqlite3.Connection:
        db = sqlite3.connect(self._path, isolation_level=None, timeout=30)
        try:
            db.executescript("pragma journal_mode=wal; pragma synchronous=off;")
            with transaction(db):
                self._prepare(db)
        except BaseException:
            db.close()
            raise
        return db

    def _prepare(self, db: sqlite3.Connection) -> None:
        names = {name for (name,) in db.execute("select name from sqlite_master")}
        existing = db.execute("select value from state where name='recipe'") if names else ()
        if [value for (value,) in existing] == [self._recipe]:
            return
        for table in names & {"page", "entry", "found", "state"}:
            db.execute(f"drop table {table}")  # one of four names
        for statement in filter(str.strip, _SCHEMA.split(";")):
            db.execute(statement)
        db.execute("insert into state values ('recipe', ?)", (self._recipe,))

    def digests(self) -> Mapping[str, str]:
        """`{path: digest}` of the pages that were reviewed, and of those that need no review."""
        return dict(self._db.execute("select path, digest from page"))

    def tree(self) -> str:
        """The tree digest of them."""
        return remark(self._db, "tree") or EMPTY_TREE

    def apply(self, puts: Sequence[Review], removes: Sequence[str]) -> None:
        """Take these reviews in and drop those, in one commit."""
        with transaction(self._db):
            existing = list(filter(None, map(self._held, {*removes, *(put.path for put in puts)})))
            after = [put.path for put in puts]
            for name, before, now in (
                ("tree", [each[:2] for each in existing], [put.digest for put in puts]),
                ("frames", [(each[0], each[2]) for each in existing], list(map(_frame, puts))),
                ("entries", [(each[0], each[3]) for each in existing], list(map(_entries, puts))),
            ):
                tree = remark(self._db, name) or EMPTY_TREE
                pairs = zip(after, now, strict=True)
                set_remark(self._db, name, changed_tree(tree, _said(before), _said(pairs)))
            gone = [(path,) for path in {*removes, *after}]
            self._db.executemany("delete from page where path=?", gone)
            self._db.executemany("delete from entry where path=?", gone)
            self._db.executemany("insert into page values (?,?,?,?,?,?)", map(_row, puts))
            rows = ((put.path, json.dumps(put.entries)) for put in puts if put.entries)
            self._db.executemany("insert into entry values (?,?)", rows)

    def _held(self, path: str) -> tuple[str, str, str, str] | None:
        row: tuple[str, str, str, str] | None = self._db.execute(
            "select path, digest, frame, entries from page where path=?", (path,)
        ).fetchone()
        return row

    def frames(self) -> str:
        """The tree digest of the frames of all pages; of those without one, of their digests."""
        return remark(self._db, "frames") or EMPTY_TREE

    def entries_tree(self) -> str:
        """The tree digest of the entries of all pages."""
        return remark(self._db, "entries") or EMPTY_TREE

    def entries(self) -> Iterator[tuple[str, list[EntryFacts]]]:
        """The entries that hold, page by page."""
        rows = self._db.execute("select path, facts from entry order by path")
        with decoding("findings"):
            for path, facts in rows:
                yield path, [EntryFacts(*each) for each in json.loads(facts)]

    def keep(self, run: str, key: str, kept: SavedFindings) -> None:
        """Keep what rules found; `key` names all that it follows from."""
        parts, tally = kept.problems.parts, kept.problems.tally
        counts = [(*what, count) for what, count in tally.items()]
        value = json.dumps([key, kept.problems.digest, kept.of, counts, *kept.answers])
        with transaction(self._db):
            self._db.execute("delete from found where run=?", (run,))
            rows = ((run, part, problems) for part, problems in enumerate(parts))
            self._db.executemany("insert into found values (?,?,?)", rows)
            set_remark(self._db, f"kept {run}", value)

    def kept(self, run: str, key: str) -> SavedFindings | None:
        """What was kept under this key."""
        value = remark(self._db, f"kept {run}")
        with decoding("findings"):
            existing, digest, of, counts, *answers = json.loads(value or '["", "", "", [], {}, {}]')
            if not key or key not in (existing, of):
                return None
            rows = self._db.execute("select problems from found where run=? order by part", (run,))
            tally = {(severity, is_fixable): count for severity, is_fixable, count in counts}
            problems = Problems([bytes(part) for (part,) in rows], tally)
            if problems.digest != digest:  # they are unpacked when nobody can mend them
                raise IndexDamagedError("findings: not what was kept")
            return SavedFindings(problems, DiskAnswers(*answers), of)

    def facts(self) -> dict[str, Facts]:
        """The facts of each page, by path."""
        rows = self._db.execute("select path, facts from page where facts<>'' order by path")
        known: dict[str, Facts] = {}
        with decoding("findings"):
            while part := rows.fetchmany(BATCH):
                existing = json.loads(f"[{','.join(facts for _, facts in part)}]")
                for (path, _), facts in zip(part, existing, strict=True):
                    known[path] = Facts(*facts)
        return known

    def paths(self) -> list[str]:
        """The pages that were reviewed."""
        rows = self._db.execute("select path from page where facts<>'' order by path")
        return [path for (path,) in rows]

    def findings(self) -> Iterator[Finding]:
        """What was found in single pages."""
        rows = self._db.execute("select path, findings from page where findings<>'' order by path")
        with decoding("findings"):
            for path, text in rows:
                for code, line, message, is_fixable in json.loads(text):
                    yield Finding(code, line, message, path, is_fixable=is_fixable)

    def sources(self) -> list[tuple[str, str, str]]:
        """Every source as (path, digest, day) of when it was first given here."""
        return list(self._db.execute("select path, digest, day from source order by path"))

    def first_seen(self, sources: Mapping[str, str], day: str) -> dict[str, tuple[str, str]]:
        """The digest that each source (path -> digest now) had when it was first given here, and
        the day; a source that is gone is forgotten."""
        existing = {path: (digest, since) for path, digest, since in self.sources()}
        if existing.keys() != sources.keys():
            with transaction(self._db):
                gone = ((path,) for path in existing.keys() - sources.keys())
                self._db.executemany("delete from source where path=?", gone)
                new = ((path, sources[path], day) for path in sources.keys() - existing.keys())
                self._db.executemany("insert into source values (?,?,?)", new)
        return {path: existing.get(path, (digest, day)) for path, digest in sources.items()}

    def erase(self, paths: Iterable[str]) -> bool:
        """Leave nothing on disk of these pages, nor of what was found before; False while a reader
        is in the way."""
        gone = list(paths)
        self.apply([], gone)
        with transaction(self._db):
            self._db.executemany("delete from source where path=?", ((path,) for path in gone))
            self._db.execute("delete from found")
            self._db.execute("delete from state where name like 'kept %'")
        return scrub(self._db)

    def close(self) -> None:
        """Let go of the file."""
        self._db.close()

    def start_over(self) -> None:
        """Throw away everything that is held."""
        self.close()
        discard(Path(self._path))
        self._db = self._connect()


def discard(path: Path) -> None:
    """Remove a store, or whatever lies in its place."""
    for name in (path.name, f"{path.name}-shm", *files_of(path.parent, path.name)):
        each = path.with_name(name)
        if each.is_dir() and not each.is_symlink():
            move_aside(each)
        else:
            each.unlink(missing_ok=True)


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
    """A digest of all that is known of the entries of a page, "" without any."""
    return text_hash(repr(review.entries), 8).hex() if review.entries else ""


def _said(pairs: Iterable[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """Without the pages of which nothing is said."""
    return (pair for pair in pairs if pair[1])


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
