"""What the index knows about each page, in SQLite: title, names, tags, headings, units, links.

Rows say what stands in the page; nothing in them depends on any other page, so adding a page writes
that page's rows only. Names are kept as 64-bit numbers of their folded form (`name_number`).
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from posixpath import basename

from memwiki.errors import IndexDamagedError
from memwiki.index.card_rows import (
    Row,
    field_rows,
    link_rows,
    name_rows,
    page_row,
    section_rows,
    tag_rows,
    target_rows,
    unit_rows,
)
from memwiki.index.damage import is_damage
from memwiki.index.lookup import Counts, Lookup
from memwiki.index.names import name_number
from memwiki.index.projection import EMPTY_TREE, Put, changed_tree
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
create table unit (page integer, key blob, kind text, section text, start integer, stop integer,
  type text, id text, fields text, tags text, primary key (page, key)) without rowid;
create table field (number integer, page integer, unit blob,
  primary key (number, page, unit)) without rowid;
create table link (page integer, position integer, line integer, written text, text text, kind text,
  heading text, block text, relation text, weight real, primary key (page, position)) without rowid;
create table target (number integer, page integer, primary key (number, page)) without rowid;
create table attachment (path text primary key, number integer) without rowid;
create table state (name text primary key, value text) without rowid;
create index name_page on name (page);
create index tag_page on tag (page);
create index section_number on section (number);
create index field_page on field (page);
create index target_page on target (page);
"""
_CHILD_TABLES = ("name", "tag", "section", "unit", "field", "link", "target")


def connect(path: str) -> sqlite3.Connection:
    """A connection to the cards, made when they are missing."""
    db = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=30)
    try:
        db.executescript(
            "pragma journal_mode=wal; pragma synchronous=off; pragma cache_size=-8000;"
        )
        if db.execute("select count(*) from sqlite_master").fetchone()[0] == 0:
            with db:
                db.executescript(f"begin immediate; {_SCHEMA} commit;")
    except sqlite3.DatabaseError as error:
        db.close()
        if not is_damage(error):
            raise
        raise IndexDamagedError(f"cards: {error}") from error
    return db


class Cards:
    """The cards of all pages, as a projection."""

    name = "cards"

    def __init__(self, path: str) -> None:
        self.db = connect(path)

    def digests(self) -> Mapping[str, str]:
        """`{path: digest}` of the pages that have a card."""
        return dict(self.db.execute("select path, digest from page"))

    def tree(self) -> str:
        """The tree digest of the pages that have a card."""
        row = self.db.execute("select value from state where name = 'tree'").fetchone()
        return str(row[0]) if row else EMPTY_TREE

    def apply(self, puts: Sequence[Put], removes: Sequence[str]) -> None:
        """Write the cards of these pages and drop those, in one transaction."""
        paths = [*removes, *(put.page.path for put in puts)]
        after = [(put.page.path, put.page.digest) for put in puts]
        with self.db:
            self.db.execute("begin immediate")
            before = list(self._held(paths))
            self._drop(path for path, _ in before)
            self._insert(puts)
            self._set("tree", changed_tree(self.tree(), before, after))

    def signatures(self) -> dict[str, Signature]:
        """`{path: signature}` of each file as it was when it was last read."""
        return self._signatures("1")

    def proofs(self) -> dict[str, Signature]:
        """The signatures that prove, when they are as before, that the bytes are."""
        return self._signatures("settled")

    def _signatures(self, where: str) -> dict[str, Signature]:
        sql = f"select path, size, mtime_ns, ctime_ns, inode from page where {where}"
        return {row[0]: row[1:] for row in self.db.execute(sql).fetchall()}

    def remember(self, seen: Mapping[str, tuple[Signature, bool]]) -> None:
        """Note new signatures of files whose bytes are as they were, and whether each is proof."""
        rows = [(*signature, settled, path) for path, (signature, settled) in seen.items()]
        with self.db:
            self.db.execute("begin immediate")
            self.db.executemany(
                "update page set size=?, mtime_ns=?, ctime_ns=?, inode=?, settled=? where path=?",
                rows,
            )

    def attach(self, paths: Iterable[str]) -> None:
        """Note the names of all files that are no pages."""
        new = set(paths)
        old = {path for (path,) in self.db.execute("select path from attachment")}
        if new == old:
            return
        with self.db:
            self.db.execute("begin immediate")
            self.db.executemany("delete from attachment where path=?", ((p,) for p in old - new))
            self.db.executemany(
                "insert into attachment values (?, ?)",
                ((p, name_number(basename(p))) for p in new - old),
            )

    def counts(self) -> Counts:
        """How much there is of everything."""
        return Lookup(self.db).counts()

    def problem_count(self) -> int:
        """How many pages have a problem."""
        sql = "select count(*) from page where problems<>''"
        return int(self.db.execute(sql).fetchone()[0])

    def unit_count(self) -> int:
        """How many units the pages are cut into."""
        return int(self.db.execute("select count(*) from unit").fetchone()[0])

    def is_hidden(self, path: str) -> bool:
        """Whether a file is a catalog or the journal: in step, but never found."""
        row = self.db.execute("select hidden from page where path=?", (path,)).fetchone()
        return bool(row and row[0])

    def state(self, name: str) -> str:
        """A remark kept beside the cards, "" when there is none."""
        row = self.db.execute("select value from state where name=?", (name,)).fetchone()
        return str(row[0]) if row else ""

    def note(self, name: str, value: str) -> None:
        """Keep a remark beside the cards."""
        if self.state(name) != value:
            self._set(name, value)

    def close(self) -> None:
        """Let go of the file."""
        self.db.close()

    def _held(self, paths: Iterable[str]) -> Iterator[tuple[str, str]]:
        for path in paths:
            row = self.db.execute("select digest from page where path=?", (path,)).fetchone()
            if row:
                yield path, str(row[0])

    def _drop(self, paths: Iterable[str]) -> None:
        for path in paths:
            row = self.db.execute("select id from page where path=?", (path,)).fetchone()
            for table in _CHILD_TABLES:
                self.db.execute(f"delete from {table} where page=?", row)
            self.db.execute("delete from page where id=?", row)

    def _insert(self, puts: Sequence[Put]) -> None:
        insert = self.db.executemany
        next_id = self.db.execute("select coalesce(max(id), 0) + 1 from page").fetchone()[0]
        numbered = list(enumerate(puts, next_id))
        insert(f"insert into page values ({_marks(18)})", (page_row(i, put) for i, put in numbered))
        shown = [(i, put) for i, put in numbered if not put.page.is_catalog]
        for table, rows_of in _ROWS.items():
            rows = (row for i, put in shown for row in rows_of(i, put))
            insert(f"insert or ignore into {table} values ({_marks(_WIDTH[table])})", rows)

    def _set(self, name: str, value: str) -> None:
        self.db.execute("insert or replace into state values (?, ?)", (name, value))


_ROWS: Mapping[str, Callable[[int, Put], Iterator[Row]]] = {
    "name": name_rows,
    "tag": tag_rows,
    "section": section_rows,
    "unit": unit_rows,
    "field": field_rows,
    "link": link_rows,
    "target": target_rows,
}
_WIDTH = {"name": 3, "tag": 5, "section": 6, "unit": 10, "field": 3, "link": 10, "target": 2}


def _marks(count: int) -> str:
    return ",".join("?" * count)
