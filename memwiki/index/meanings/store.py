"""What every link means, resolved once: tables beside the cards, and a projection of them.

They are brought up to date when somebody asks for many links. A link is resolved again when its
page changed, or when a name came or went under which it is found; so nothing of what is kept
depends on the order in which pages came.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from itertools import groupby
from operator import attrgetter

from memwiki.index.cards.lookup import LINK_KINDS, Lookup
from memwiki.index.cards.names_in_memory import NamesInMemory
from memwiki.index.cards.store import Cards
from memwiki.index.fill import lack
from memwiki.index.meanings import change
from memwiki.index.meanings.change import LinkChange, LinkedPage, WrittenLink
from memwiki.index.meanings.codes import code_of
from memwiki.index.projection import EMPTY_TREE, changed_tree
from memwiki.index.resolve import Names, Resolution, Resolver
from memwiki.index.write_ahead import transaction
from memwiki.model import PATH_KINDS, Layers, LinkKind, LinkStatus
from memwiki.names import path_in

_SCHEMA = """
drop table if exists {0}.linked; drop table if exists {0}.linked_file;
drop table if exists {0}.meaning; drop table if exists {0}.link_state;
create table {0}.linked (page integer primary key, path text not null unique,
  digest text not null, names blob not null, ids blob not null);
create table {0}.linked_file (id integer primary key, path text not null unique);
create table {0}.meaning (page integer, position integer, target integer, how integer,
  primary key (page, position)) without rowid;
create index {0}.meaning_target on meaning (target) where target is not null;
create table {0}.link_state (name text primary key, value text) without rowid
"""
_VERSION = "4"  # another number resolves everything anew
_LINKS = "select page, position, written, text, kind, heading from link"
_BY_PLACE = frozenset({"path", "relative path", "attachment"})
Row = tuple[int, int, int | None, int]  # of `meaning`


class MeaningStore:
    """What every link means; `temp` keeps it for this connection alone."""

    name = "meanings"

    def __init__(self, cards: Cards, layers: Layers, schema: str = "main") -> None:
        self.schema = schema
        self._cards, self._layers = cards, layers
        self._db, self._lookup = cards.db, Lookup(cards.db)

    def is_current(self) -> bool:
        """Whether it says what every link of the cards means now."""
        return (
            self._is_prepared()
            and self.tree() == self._cards.tree()
            and self._state("besides") == self._cards.besides()
        )

    def update(self) -> None:
        """Resolve what may mean something else since it was last asked; at first everything."""
        if not self._is_prepared():
            self._prepare()
        if not self.is_current():
            wanted = self._cards.digests()
            lacking, gone = lack(self, wanted)
            self.apply([LinkedPage(path, wanted[path]) for path in sorted(lacking)], gone)

    def _is_prepared(self) -> bool:
        """Whether the tables are there, made by this version under these settings."""
        sql = f"select 1 from {self.schema}.sqlite_master where name='link_state'"
        return self._db.execute(sql).fetchone() is not None and (
            self._state("settings") == self._settings()
        )

    def _settings(self) -> str:
        return f"{_VERSION} {_SCHEMA} {tuple(self._layers)!r}"

    def _prepare(self) -> None:
        with self._transaction():
            for statement in _SCHEMA.format(self.schema).split(";"):
                self._db.execute(statement)
            self._note("settings", self._settings())

    def _transaction(self) -> AbstractContextManager[None]:
        # What is made for one answer alone is made amid its reading, which is one already.
        return nullcontext() if self._db.in_transaction else transaction(self._db)

    def _state(self, name: str) -> str:
        sql = f"select value from {self.schema}.link_state where name=?"
        row = self._db.execute(sql, (name,)).fetchone()
        return str(row[0]) if row else ""

    def _note(self, name: str, value: str) -> None:
        sql = f"insert or replace into {self.schema}.link_state values (?, ?)"
        self._db.execute(sql, (name, value))

    # --- the projection ---

    def digests(self) -> Mapping[str, str]:
        """`{path: digest}` of the pages whose links are resolved; without a digest where the cards
        know the page by another number now."""
        rows = self._db.execute(
            "select linked.path, case when page.path = linked.path then linked.digest else '' end"
            f" from {self.schema}.linked left join page on page.id = linked.page"
        )
        return dict(rows)

    def tree(self) -> str:
        """The tree digest of them."""
        return self._state("tree") or EMPTY_TREE

    def apply(self, puts: Sequence[LinkedPage], removes: Sequence[str]) -> None:
        """Take these in, drop those, and resolve the links that may mean something else now."""
        with self._transaction():
            changed = LinkChange(self._db, self._lookup, self.schema)
            before, after = changed.take_in(puts, removes)
            changed.take_in_files()
            self._note("tree", changed_tree(self.tree(), before, after))
            self._note("besides", self._cards.besides())
            self._resolve(changed)

    def _resolve(self, changed: LinkChange) -> None:
        """Write what the links concerned mean; of those that may have kept their meaning, only
        what differs."""
        pages = changed.concerned()
        is_many = len(pages) > change.MANY
        names: Names = NamesInMemory(self._lookup) if is_many else self._lookup
        rows = _MeaningRows(self._db, self.schema, Resolver(names, self._layers))
        won: list[Row] = []
        for page, links in _links_of(self._db, pages):
            if page in changed.new:
                won += rows.of(page, links)
            else:
                held = self._held(page)
                again = (link for link in links if changed.may_concern(link))
                won += [row for row in rows.of(page, again) if row not in held]
            if len(won) > change.MANY:
                self._write(won)
                won.clear()
        self._write(won)

    def _held(self, page: int) -> set[Row]:
        sql = f"select page, position, target, how from {self.schema}.meaning where page=?"
        return set(self._db.execute(sql, (page,)))

    def _write(self, rows: Iterable[Row]) -> None:
        sql = f"insert or replace into {self.schema}.meaning values (?, ?, ?, ?)"
        self._db.executemany(sql, rows)


def _links_of(
    db: sqlite3.Connection, pages: Collection[int]
) -> Iterator[tuple[int, Iterable[WrittenLink]]]:
    """The links of these pages, page by page."""
    if len(pages) <= change.MANY:
        for page in sorted(pages):
            yield page, map(WrittenLink._make, db.execute(f"{_LINKS} where page=?", (page,)))
        return
    links = map(WrittenLink._make, db.execute(f"{_LINKS} order by page, position"))
    yield from (each for each in groupby(links, attrgetter("page")) if each[0] in pages)


class _MeaningRows:
    """Links as rows that say what they mean."""

    def __init__(self, db: sqlite3.Connection, schema: str, resolver: Resolver) -> None:
        self._db, self._resolver = db, resolver
        self._of_path = "select id from page where path=? union all"
        self._of_path += f" select id from {schema}.linked_file where path=?"
        self._numbers: dict[str, int] = {}

    def of(self, page: int, links: Iterable[WrittenLink]) -> list[Row]:
        """The rows of a page."""
        (path,) = self._db.execute("select path from page where id=?", (page,)).fetchone()
        return [self._row(path, link) for link in links]

    def _row(self, source: str, link: WrittenLink) -> Row:
        page, position, written, _, kind, heading = link
        is_of_entry = kind == LinkKind.ENTRY
        if not written.strip():
            code = code_of(LinkStatus.RESOLVED, "same page", is_of_entry=is_of_entry)
            return page, position, page, code
        folder = source.rpartition("/")[0]
        found = self._resolver.meaning(written, folder, LINK_KINDS[kind], heading, link.label)
        if not found.target:
            return page, position, None, code_of(found.status, found.by, is_of_entry=is_of_entry)
        is_respelled = kind in PATH_KINDS and _is_respelled(written.strip(), folder, found)
        code = code_of(found.status, found.by, is_respelled=is_respelled, is_of_entry=is_of_entry)
        return page, position, self._number(found.target), code

    def _number(self, path: str) -> int:
        number = self._numbers.get(path)
        if number is None:
            (number,) = self._db.execute(self._of_path, (path, path)).fetchone()
            self._numbers[path] = number
        return number


def _is_respelled(written: str, folder: str, found: Resolution) -> bool:
    """Whether a path is found that is written otherwise."""
    if found.by not in _BY_PLACE:
        return False
    is_here = found.by != "path" and not written.startswith("/")
    place = path_in(folder if is_here else "", written)
    # In a namespace a path from the root begins there.
    return not f"/{found.target}".endswith((f"/{place}", f"/{place}.md", f"/{place}.markdown"))
