"""What the rules of single pages found, and the facts of each page: a projection of its own.

It is fed by `check` alone, because reviewing costs as much as indexing; what it holds for a page
follows from the page's bytes and `recipe`, so another set of rules starts it over.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from memwiki.check.facts import Facts
from memwiki.check.kept import Kept, as_text, from_text
from memwiki.check.rule import Finding
from memwiki.errors import IndexDamagedError
from memwiki.index.cache_files import move_aside
from memwiki.index.damage import is_damage
from memwiki.index.integrity import StoreKind, require_ours, vouches
from memwiki.index.log import files_of, require_sound

STORE = "findings.sqlite"
_SCHEMA = """
create table page (path text primary key, digest text not null, findings text not null,
  facts text not null) without rowid;
create table if not exists source (path text primary key, digest text not null, day text not null)
  without rowid;
create table state (name text primary key, value text not null) without rowid;
"""
_BATCH = 256  # pages a commit: an interrupted first check goes on where it was

Progress = Callable[[int, int], None]


class Review(NamedTuple):
    """What is known of one version of a page."""

    path: str
    digest: str
    findings: tuple[Finding, ...]
    facts: Facts


class FindingsStore:
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
            with db:
                db.execute("begin immediate")
                self._prepare(db)
        except BaseException:
            db.close()
            raise
        return db

    def _prepare(self, db: sqlite3.Connection) -> None:
        names = {name for (name,) in db.execute("select name from sqlite_master")}
        held = db.execute("select value from state where name='recipe'") if names else ()
        if [value for (value,) in held] == [self._recipe]:
            return
        for table in names & {"page", "state"}:
            db.execute(f"drop table {table}")  # one of two names
        for statement in filter(str.strip, _SCHEMA.split(";")):
            db.execute(statement)
        db.execute("insert into state values ('recipe', ?)", (self._recipe,))

    def digests(self) -> Mapping[str, str]:
        """`{path: digest}` of the pages that were reviewed."""
        return dict(self._db.execute("select path, digest from page"))

    def tree(self) -> str:
        """The tree of the cards with which it was last in step, "" when it never was."""
        row = self._db.execute("select value from state where name='tree'").fetchone()
        return str(row[0]) if row else ""

    def keep(self, key: str, kept: Kept) -> None:
        """Keep what the rules about the whole workspace found; `key` names all that it follows from."""
        text = json.dumps([key, as_text(kept)])
        self._db.execute("insert or replace into state values ('kept', ?)", (text,))

    def kept(self, key: str) -> Kept | None:
        """What was kept under this key."""
        row = self._db.execute("select value from state where name='kept'").fetchone()
        try:
            held, text = json.loads(row[0]) if row else ("", "")
            return from_text(text) if held == key else None
        except (ValueError, TypeError) as error:
            raise IndexDamagedError(f"findings: {error}") from error

    def reach(self, tree: str) -> None:
        """Note that it is in step with the cards of this tree."""
        self._db.execute("insert or replace into state values ('tree', ?)", (tree,))

    def apply(self, puts: Sequence[Review], removes: Iterable[str]) -> None:
        """Take these reviews in and drop those, in one commit."""
        with self._db:
            self._db.execute("begin immediate")
            self._db.execute("delete from state where name='tree'")
            self._db.executemany("delete from page where path=?", ((path,) for path in removes))
            self._db.executemany("insert or replace into page values (?,?,?,?)", map(_row, puts))

    def reviews(self) -> dict[str, Review]:
        """All of them, by path."""
        rows = self._db.execute("select * from page order by path")
        try:
            return {row[0]: _review(*row) for row in rows}
        except (ValueError, TypeError) as error:
            raise IndexDamagedError(f"findings: {error}") from error

    def paths(self) -> list[str]:
        """The pages that were reviewed."""
        return [path for (path,) in self._db.execute("select path from page order by path")]

    def findings(self) -> list[Finding]:
        """What was found in single pages."""
        rows = self._db.execute("select path, findings from page where findings<>'' order by path")
        try:
            return [each for path, findings in rows for each in _findings(path, findings)]
        except (ValueError, TypeError) as error:
            raise IndexDamagedError(f"findings: {error}") from error

    def sources(self) -> list[tuple[str, str, str]]:
        """Every source as (path, digest, day) of when it was first given here."""
        return list(self._db.execute("select path, digest, day from source order by path"))

    def first_seen(self, sources: Mapping[str, str], day: str) -> dict[str, tuple[str, str]]:
        """The digest that each source (path -> digest now) had when it was first given here, and
        the day; a source that is gone is forgotten."""
        held = {path: (digest, since) for path, digest, since in self.sources()}
        if held.keys() != sources.keys():
            with self._db:
                self._db.execute("begin immediate")
                gone = ((path,) for path in held.keys() - sources.keys())
                self._db.executemany("delete from source where path=?", gone)
                new = ((path, sources[path], day) for path in sources.keys() - held.keys())
                self._db.executemany("insert into source values (?,?,?)", new)
        return {path: held.get(path, (digest, day)) for path, digest in sources.items()}

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


FINDINGS = StoreKind(
    "findings", "1", lambda folder: files_of(folder, STORE),
    lambda folder: require_sound(folder / STORE),
)  # fmt: skip


def looked_after(folder: Path) -> None:
    """Throw the store away when somebody else wrote into it."""
    if vouches(folder, (FINDINGS,)):
        return
    try:
        require_ours(folder, (FINDINGS,))
    except IndexDamagedError:
        discard(folder / STORE)


def bring_in_step(
    store: FindingsStore,
    wanted: Mapping[str, str],
    tree: str,
    review: Callable[[str], Review | None],
    progress: Progress | None = None,
) -> None:
    """Review the pages that the store lacks; `tree` is the tree of the `wanted` digests."""
    if store.tree() == tree:
        return
    held = store.digests()
    lacking = sorted(path for path, digest in wanted.items() if held.get(path) != digest)
    gone = [path for path in held if path not in wanted]
    is_true = True  # whether every page was still what the cards say
    for start in range(0, max(len(lacking), 1), _BATCH):
        puts = []
        for done, path in enumerate(lacking[start : start + _BATCH], start):
            each = review(path)
            is_true = is_true and each is not None and each.digest == wanted[path]
            puts += [each] if each else []
            if progress and not done % 32:
                progress(done, len(lacking))
        store.apply(puts, gone)
        gone = []
    if is_true:
        store.reach(tree)


def _row(review: Review) -> tuple[str, str, str, str]:
    findings = [each[:3] for each in review.findings]
    return (
        review.path,
        review.digest,
        json.dumps(findings) if findings else "",
        json.dumps(review.facts),
    )


def _review(path: str, digest: str, findings: str, facts: str) -> Review:
    return Review(path, digest, _findings(path, findings), Facts(*json.loads(facts)))


def _findings(path: str, findings: str) -> tuple[Finding, ...]:
    found = json.loads(findings) if findings else ()
    return tuple(Finding(code, line, message, path) for code, line, message in found)
