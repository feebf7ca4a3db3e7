"""What the index knows about each page, in SQLite: title, names, tags, headings, units, links.

Rows say what stands in the page; nothing in them depends on any other page, so adding a page writes
that page's rows only. Names are kept as 64-bit numbers of their folded form (`name_number`).
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextlib import AbstractContextManager, closing
from operator import itemgetter
from pathlib import Path
from posixpath import basename
from typing import NamedTuple

from memwiki.errors import IndexDamagedError
from memwiki.index.cards.lookup import IndexCounts, Lookup
from memwiki.index.cards.places import held_units, unit_count
from memwiki.index.cards.rows import KEYS, TABLES, UNIT_TABLES, WIDTHS
from memwiki.index.damage import MISSHAPEN, StoreMissingError, decoding
from memwiki.index.integrity import sqlite_kind
from memwiki.index.names import name_number
from memwiki.index.places import NOTHING, HeldUnits
from memwiki.index.projection import EMPTY_TREE, Put, Row, changed_tree
from memwiki.index.remarks import remark, set_remark
from memwiki.index.write_ahead import (
    checkpoint,
    one_moment,
    require_files,
    scrub,
    transaction,
    write_ahead,
)
from memwiki.index.write_ahead import connect as connection
from memwiki.model import Signature

_SCHEMA = """
create table page (id integer primary key, number integer not null unique,
  path text not null unique, digest text not null, title text, description text, type text,
  created text, updated text, problems text, lines integer, hidden integer, entries integer,
  size integer, mtime_ns integer, ctime_ns integer, inode integer, settled integer);
create table name (number integer, kind integer, page integer, primary key (number, kind, page))
  without rowid;
create table tag (page integer, tag text, folded text, position integer, own integer,
  primary key (folded, page)) without rowid;
create table section (page integer, start integer, stop integer, level integer, title text,
  number integer, primary key (page, start)) without rowid;
create table place (page integer, start integer, digest blob, places blob, named blob,
  primary key (page, start)) without rowid;
create table unit (page integer, key blob, type text, id text, fields text, tags text,
  primary key (page, key)) without rowid;
create table field (number integer, page integer, compared text, primary key (number, page))
  without rowid;
create table unit_field (number integer, page integer, unit blob,
  primary key (number, page, unit)) without rowid;
create table link (page integer, position integer, line integer, written text, text text, kind text,
  heading text, block text, relation text, weight real, primary key (page, position)) without rowid;
create table target (number integer, page integer, primary key (number, page)) without rowid;
create table attachment (path text primary key, number integer) without rowid;
create table withheld (path text primary key, size integer, mtime_ns integer, ctime_ns integer,
  inode integer, settled integer) without rowid;
create table state (name text primary key, value text) without rowid;
create index name_page on name (page);
create index tag_page on tag (page);
create index section_number on section (number);
create index field_page on field (page);
create index unit_field_unit on unit_field (page, unit);
create index target_page on target (page);
"""


_FILE = "cards.sqlite"
_PATH, _SIGNATURE = itemgetter(0), itemgetter(slice(1, None))

_MEMORY = ":memory:"


class LastKnownPages(NamedTuple):
    """What a build held, whatever made it: path -> digest, and the remarks beside them."""

    digests: Mapping[str, str]
    remarks: Mapping[str, str]


def last_known(build: Path | None) -> LastKnownPages:
    """What the cards of a build of any format say; nothing when they cannot be read."""
    if build is None or not (build / _FILE).exists():
        return LastKnownPages({}, {})
    try:
        require_files(build / _FILE)
        with closing(connection(build / _FILE, may_make=False)) as db:
            digests = dict(db.execute("select path, digest from page where typeof(path)='text'"))
            return LastKnownPages(digests, dict(db.execute("select name, value from state")))
    except (sqlite3.Error, IndexDamagedError, *MISSHAPEN):
        return LastKnownPages({}, {})


def connect(path: str, *, may_make: bool = True) -> sqlite3.Connection:
    """A connection to the cards; where they are missing they are made, or StoreMissingError."""
    if path == _MEMORY:
        return _prepared(sqlite3.connect(path, isolation_level=None, check_same_thread=False))
    require_files(Path(path))
    if not (may_make or os.path.lexists(path)):
        raise StoreMissingError("cards: are gone")
    db = connection(Path(path), may_make=may_make)
    try:
        if not may_make and _is_empty(db):  # about to be made by the first writer
            raise StoreMissingError("cards: are empty")
        return _prepared(db)
    except BaseException:
        db.close()
        raise


def _prepared(db: sqlite3.Connection) -> sqlite3.Connection:
    with decoding("cards"):
        write_ahead(db)
        db.execute("pragma cache_size=-8000")
        if _is_empty(db):
            with transaction(db):
                # Asked again under the lock: a reader and the first writer may open it at once.
                for statement in _SCHEMA.split(";") if _is_empty(db) else ():
                    db.execute(statement)
    return db


def _is_empty(db: sqlite3.Connection) -> bool:
    return bool(db.execute("select count(*) from sqlite_master").fetchone()[0] == 0)


class Cards:
    """The cards of all pages, as a projection."""

    name = "cards"

    def __init__(self, path: str, *, may_make: bool = True) -> None:
        self.db = connect(path, may_make=may_make)

    def digests(self) -> Mapping[str, str]:
        """`{path: digest}` of the pages that have a card."""
        return dict(self.db.execute("select path, digest from page"))

    def tree(self) -> str:
        """The tree digest of the pages that have a card."""
        return remark(self.db, "tree", EMPTY_TREE)

    def apply(self, puts: Sequence[Put], removes: Sequence[str]) -> None:
        """Write the cards of these pages and drop those, in one transaction."""
        paths = [*removes, *(put.page.path for put in puts)]
        after = [(put.page.path, put.page.digest) for put in puts]
        with transaction(self.db):
            held = {path: row for path in paths if (row := self._held(path))}
            _require_held(puts, held)
            self._drop([held[path][0] for path in removes if path in held])
            self._insert([put for put in puts if put.page.path not in held])
            for put in puts:
                if put.page.path in held:
                    self._replace(held[put.page.path][0], put)
            before = [(path, digest) for path, (_, digest) in held.items()]
            set_remark(self.db, "tree", changed_tree(self.tree(), before, after))
        checkpoint(self.db)

    def signatures(self) -> dict[str, Signature]:
        """`{path: signature}` of each file as it was when it was last read."""
        return self._signatures("1")

    def proofs(self) -> dict[str, Signature]:
        """The signatures that prove, when they are as before, that the bytes are."""
        return self._signatures("settled")

    def known(self, paths: Iterable[str]) -> dict[str, tuple[str, Signature, bool]]:
        """What is known of these files: digest, signature, and whether that is proof."""
        sql = "select digest, size, mtime_ns, ctime_ns, inode, settled from page where path=?"
        found = {path: self.db.execute(sql, (path,)).fetchone() for path in paths}
        return {p: (row[0], row[1:5], bool(row[5])) for p, row in found.items() if row}

    def _signatures(self, where: str) -> dict[str, Signature]:
        columns = "select path, size, mtime_ns, ctime_ns, inode from"
        sql = f"{columns} page where {where} union all {columns} withheld where {where}"
        rows = self.db.execute(sql).fetchall()
        # Once for every page at each sync that is not idle: no step of it in Python.
        return dict(zip(map(_PATH, rows), map(_SIGNATURE, rows), strict=True))

    def remember(self, seen: Mapping[str, tuple[Signature, bool]]) -> None:
        """Note new signatures of files whose bytes are as they were, and whether each is proof."""
        rows = [(*signature, settled, path) for path, (signature, settled) in seen.items()]
        with transaction(self.db):
            self.db.executemany(
                "update page set size=?, mtime_ns=?, ctime_ns=?, inode=?, settled=? where path=?",
                rows,
            )

    def withhold(self, seen: Mapping[str, tuple[Signature, bool]], shown: Iterable[str]) -> None:
        """Note the signatures of pages that are private and not seen here, and which are shown now
        or gone."""
        rows = [(path, *signature, settled) for path, (signature, settled) in seen.items()]
        with transaction(self.db):
            self.db.executemany("delete from withheld where path=?", ((path,) for path in shown))
            self.db.executemany("insert or replace into withheld values (?,?,?,?,?,?)", rows)

    def withheld(self) -> list[str]:
        """The pages that are private and not seen here."""
        return [path for (path,) in self.db.execute("select path from withheld")]

    def attach(self, paths: Iterable[str]) -> None:
        """Note the names of all files that are no pages."""
        new = set(paths)
        old = {path for (path,) in self.db.execute("select path from attachment")}
        if new == old:
            return
        with transaction(self.db):
            self.db.executemany("delete from attachment where path=?", ((p,) for p in old - new))
            self.db.executemany(
                "insert into attachment values (?, ?)",
                ((p, name_number(basename(p))) for p in new - old),
            )
            self._note_besides()

    def besides(self) -> str:
        """A number that changes when a page may get another row number, or a file that is no page
        comes or goes: what the tree digest does not tell."""
        return self.state("besides")

    def _note_besides(self) -> None:
        set_remark(self.db, "besides", str(int(self.besides() or 0) + 1))

    def counts(self) -> IndexCounts:
        """How much there is of everything."""
        return Lookup(self.db).counts()

    def page_count(self) -> int:
        """How many pages there are, catalogs and the journal aside."""
        return int(self.db.execute("select count(*) from page where hidden=0").fetchone()[0])

    def problem_count(self) -> int:
        """How many problems were met when the pages were read."""
        return Lookup(self.db).problem_count()

    def unit_count(self) -> int:
        """How many units the pages are cut into."""
        return unit_count(self.db)

    def hidden_count(self) -> int:
        """How many files are catalogs or the journal."""
        return int(self.db.execute("select count(*) from page where hidden<>0").fetchone()[0])

    def is_hidden(self, path: str) -> bool:
        """Whether a file is a catalog or the journal: up to date, but never found."""
        row = self.db.execute("select hidden from page where path=?", (path,)).fetchone()
        return bool(row and row[0])

    def version(self) -> int:
        """Another one as soon as anybody has committed something over another connection."""
        return int(self.db.execute("pragma data_version").fetchone()[0])

    def state(self, name: str) -> str:
        """A remark kept beside the cards, "" when there is none."""
        return remark(self.db, name)

    def remarks(self) -> dict[str, str]:
        """All remarks kept beside the cards."""
        return dict(self.db.execute("select name, value from state"))

    def note(self, name: str, value: str) -> None:
        """Keep a remark beside the cards."""
        if self.state(name) != value:
            set_remark(self.db, name, value)

    def checkpoint(self) -> None:
        """Leave nothing in the log."""
        checkpoint(self.db)

    def scrub(self) -> bool:
        """Leave nothing on disk of what was deleted; False while a reader is in the way."""
        return scrub(self.db)

    def one_moment(self) -> AbstractContextManager[None]:
        """What is read within belongs to one moment, whatever others write meanwhile."""
        return one_moment(self.db)

    def close(self) -> None:
        """Let go of the file."""
        self.db.close()

    def held_units(self, path: str) -> HeldUnits:
        """The units that a page was last cut into."""
        page = self._held(path)
        return held_units(self.db, *page, path) if page else NOTHING

    def _held(self, path: str) -> tuple[int, str] | None:
        row = self.db.execute("select id, digest from page where path=?", (path,)).fetchone()
        return (int(row[0]), str(row[1])) if row else None

    def _drop(self, ids: Collection[int]) -> None:
        if ids:
            self._note_besides()
        for page_id in ids:
            for table in TABLES:
                self.db.execute(f"delete from {table} where page=?", (page_id,))
            self.db.execute("delete from page where id=?", (page_id,))

    def _insert(self, puts: Sequence[Put]) -> None:
        next_id = self.db.execute("select coalesce(max(id), 0) + 1 from page").fetchone()[0]
        numbered = list(enumerate(puts, next_id))
        for table in ("page", *TABLES):
            self._write(
                table, (row for number, put in numbered for row in _rows(table, number, put))
            )

    def _replace(self, page_id: int, put: Put) -> None:
        """Write only the rows that differ: one new entry among 10,000 costs its own."""
        self._write("page", _rows("page", page_id, put))
        self._drop_units(page_id, put)
        for table in TABLES:
            if table in UNIT_TABLES:  # what there is follows from its key, and is as it was
                self._write(table, _rows(table, page_id, put))
                continue
            sql = f"select * from {table} where page=?"
            old = set(self.db.execute(sql, (page_id,)))
            new = dict.fromkeys(_rows(table, page_id, put))
            key = KEYS[table]
            gone = ([row[location] for location in key.values()] for row in old if row not in new)
            where = " and ".join(f"{column}=?" for column in key)
            self.db.executemany(f"delete from {table} where {where}", gone)
            self._write(table, (row for row in new if row not in old))

    def _drop_units(self, page_id: int, put: Put) -> None:
        """Drop what entries and messages say that are no longer there."""
        from memwiki.index.prepare import ready

        held: AbstractSet[bytes] = put.held.keys
        if not put.held.digest:
            held = {
                key for (key,) in self.db.execute("select key from unit where page=?", (page_id,))
            }
        gone = [(page_id, key) for key in held - ready(put).terms.keys()]
        self.db.executemany("delete from unit where page=? and key=?", gone)
        self.db.executemany("delete from unit_field where page=? and unit=?", gone)

    def _write(self, table: str, rows: Iterable[Row]) -> None:
        marks = ",".join("?" * WIDTHS[table])
        self.db.executemany(f"insert or replace into {table} values ({marks})", rows)


def _rows(table: str, page_id: int, put: Put) -> Iterator[Row]:
    """The rows of a page, which were made before its number was known."""
    from memwiki.index.prepare import ready  # 80 ms that a command which only asks does not have

    location = KEYS[table]["page"] if table in KEYS else 0
    for row in ready(put).rows[table]:
        yield (*row[:location], page_id, *row[location + 1 :])


def _require_held(puts: Sequence[Put], held: Mapping[str, tuple[int, str]]) -> None:
    """Refuse a page of which less was made than the cards lack."""
    for put in puts:
        digest = held.get(put.page.path, (0, ""))[1]
        if put.held.digest and digest not in (put.held.digest, put.page.digest):
            raise IndexDamagedError(f"cards: {put.page.path} is not as it was held")


def _open(build: Path | None, *, may_make: bool = True) -> Cards:
    path = _MEMORY if build is None else os.fspath(build / _FILE)
    return Cards(path, may_make=may_make)


CARDS = sqlite_kind("cards", "5", _FILE, _open)
