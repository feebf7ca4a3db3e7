"""What every store in SQL is made of: tables, remarks beside them, and the pages that it holds.

A store adds its tables, and what it writes of a page.
"""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from itertools import islice
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Protocol, TypeVar

from memwiki.index.projection import EMPTY_TREE, changed_tree, uncollected
from memwiki.index.storage import SqlTable, Storage
from memwiki.index.storage_sqlite import decoding, open_file
from memwiki.records import NamedTuple

if TYPE_CHECKING:
    from memwiki.index.cards.store import Cards

T = TypeVar("T")
_BATCH = 300  # rows that are asked for with one statement; an old SQLite takes 999 values
in_json = json.JSONEncoder(ensure_ascii=False, default=dict).encode  # to make one takes longer
AT_ONCE = 100  # where perhaps not all are wanted, or each makes a statement more involved


def batched(rows: Iterable[T], size: int = _BATCH) -> Iterator[list[T]]:
    """The rows in parts of a size that one statement takes."""
    rest = iter(rows)
    while part := list(islice(rest, size)):
        yield part


def marks(row: str, rows: Sequence[object]) -> str:
    """The placeholders of a statement for so many rows."""
    return ",".join([row] * len(rows))


class Questions:
    """Questions to tables over one connection."""

    def __init__(self, db: Storage) -> None:
        self.db = db

    def _rows(self, sql: str, *values: object) -> Iterator[Any]:
        return iter(self.db.execute(sql, values))

    def _row(self, sql: str, *values: object) -> Any:  # noqa: ANN401 - as sqlite3 has it
        """The first row, of the shape that the SQL says; None where there is none."""
        return next(self._rows(sql, *values), None)

    def _column(self, sql: str, *values: object) -> list[Any]:
        """The first column."""
        return [row[0] for row in self._rows(sql, *values)]

    def _among(self, sql: str, values: Iterable[object], *first: object) -> Iterator[Any]:
        """The rows of a question that ends with a column, which has one of these values; before
        them it has those that come first."""
        for part in batched(values):
            yield from self._rows(f"{sql} in ({marks('?', part)})", *first, *part)


STATE = SqlTable("state", "name text, value text", "name")


class SqlStore(Questions):
    """Tables in a schema of a database, and remarks beside them: a value a name."""

    tables: ClassVar[tuple[SqlTable, ...]] = ()
    remarks_in: ClassVar[SqlTable] = STATE

    def __init__(self, db: Storage, schema: str = "") -> None:
        super().__init__(db)
        self.schema = schema or db.main

    def transaction(self) -> AbstractContextManager[None]:
        """What is written within is written whole or not at all; within another, it is its part."""
        return nullcontext() if self.db.in_transaction else self.db.transaction()

    def one_moment(self) -> AbstractContextManager[None]:
        """What is read within belongs to one moment, whatever others write meanwhile."""
        return nullcontext() if self.db.in_transaction else self.db.one_moment()

    def create(self, *more: SqlTable) -> None:
        """Make the tables that are missing."""
        for table in (*self.tables, *more):
            self.db.create(table, self.schema)

    def state(self, name: str, default: str = "") -> str:
        """The remark of this name."""
        found = self.db.remark(name, self.remarks_in, self.schema)
        return default if found is None else str(found)

    def note(self, name: str, value: str) -> None:
        """Keep a remark; it takes the place of an older one."""
        if self.state(name) != value:
            self.upsert(self.remarks_in, [(name, value)])

    def upsert(self, table: SqlTable, rows: Iterable[Sequence[object]]) -> None:
        """Write rows, each in the place of the one with its key."""
        self.db.upsert(table, self.schema, rows)

    def delete(self, table: str, column: str, values: Iterable[object]) -> None:
        """Drop the rows that have one of these values in a column."""
        for part in batched(values):
            sql = f"delete from {self.schema}.{table} where {column} in ({marks('?', part)})"
            self.db.execute(sql, part)

    def version(self) -> int:
        """Another one as soon as anybody has committed something over another connection."""
        return self.db.version()

    def checkpoint(self) -> None:
        """Leave nothing in the log."""
        self.db.checkpoint()

    def scrub(self) -> bool:
        """Leave nothing on disk of what was deleted; False while a reader is in the way."""
        return self.db.scrub()

    def close(self) -> None:
        """End the connection."""
        self.db.close()


class SqlFile(SqlStore):
    """A store in a file of its own, or in memory."""

    what: ClassVar[str]  # is damaged, or gone

    def __init__(self, path: str, *, may_make: bool = True) -> None:
        """Open it; raises StoreMissingError and IndexDamagedError as `open_file` does."""
        super().__init__(open_file(path, self.what, may_make=may_make))
        try:
            with decoding(self.what):
                self.prepare()
        except BaseException:
            self.close()
            raise

    def prepare(self) -> None:
        """Make the tables of a new file."""
        if not any(self.db.columns_of(table.name, self.schema) for table in self.tables):
            with self.transaction():  # a reader and the first writer may open it at once
                self.create()


class Versioned(Protocol):
    """A version of a page."""

    @property
    def path(self) -> str:
        """Of its file."""

    @property
    def digest(self) -> str:
        """Of its bytes."""


P = TypeVar("P", bound=Versioned)
Existing = Mapping[str, tuple[Any, ...]]  # by path, the columns that are read first


class SqlPages(SqlStore):
    """Tables that hold something of each page."""

    pages: ClassVar[str] = "page"  # the table with a row a page, its path and its digest
    key: ClassVar[str] = "path"  # the column of it by which a page is found
    columns: ClassVar[str] = "digest"  # of it, read of a page before it is written
    trees: ClassVar[tuple[str, ...]] = ("tree",)  # remarks: tree digests over the first of these

    def digests(self) -> Mapping[str, str]:
        """`{path: digest}` of the pages that it holds."""
        return dict(self._rows(f"select path, digest from {self.schema}.{self.pages}"))

    def digests_among(self, paths: Collection[str]) -> Mapping[str, str]:
        """The same of these pages."""
        return {path: row[0] for path, row in self.existing(paths).items()}

    def tree(self) -> str:
        """The tree digest of them."""
        return self.tree_of(self.trees[0])

    def tree_of(self, name: str) -> str:
        """The tree digest that is kept under this name."""
        return self.state(name) or EMPTY_TREE

    def existing(self, paths: Collection[str]) -> Existing:
        """What is known of these pages, as far as they are held."""
        sql = f"select {self.key}, {self.columns} from {self.schema}.{self.pages} where {self.key}"
        rows = self._among(sql, map(self.key_of, paths))
        found = {key: tuple(row) for key, *row in rows}
        known = ((path, found.get(self.key_of(path))) for path in paths)
        return {path: row for path, row in known if row}

    def key_of(self, path: str) -> object:
        """What a page is found by."""
        return path


class WrittenPages(NamedTuple):
    """Pages that were written, or dropped, since a number that was `last` once."""

    last: int
    paths: tuple[str, ...] = ()
    is_complete: bool = False  # else there may be others


class SqlProjection(SqlPages, ABC, Generic[P]):
    """Tables that are a projection of the files."""

    made_for: ClassVar[str] = "settings"  # the remark that says for which settings
    written: ClassVar[str] = "written"  # the remark that says up to which write of a page

    def is_made(self, settings: str) -> bool:
        """Whether the tables are there, made under these settings."""
        is_there = self.db.columns_of(self.remarks_in.name, self.schema)
        return bool(is_there) and self.state(self.made_for) == settings

    def prepare_for(self, settings: str) -> None:
        """Make the tables, unless they are there for these settings."""
        with self.transaction():
            if not self.is_made(settings):
                self.make(settings)

    def make(self, settings: str) -> None:
        """Make the tables anew, with nothing in them."""
        with self.transaction():
            for table in self.tables:
                if not table.is_lasting:
                    self.db.drop(table, self.schema)
            self.create()
            for name, value in (*((tree, "") for tree in self.trees), (self.made_for, settings)):
                self.note(name, value)

    def apply(self, puts: Sequence[P], removes: Sequence[str]) -> None:
        """Take these pages in and drop those, in one transaction: all of it, or nothing."""
        with self.transaction():
            existing = self.existing(dict.fromkeys([*removes, *(put.path for put in puts)]))
            self.write(puts, existing)
            after = {put.path: self.digests_of(put) for put in puts}
            for at, name in enumerate(self.trees):
                before, now = (
                    [(path, row[at]) for path, row in rows.items() if row[at]]
                    for rows in (existing, after)
                )
                self.note(name, changed_tree(self.tree_of(name), before, now))

    def catch_up(
        self, cards: Cards, take: Callable[[Mapping[str, str], Mapping[str, str]], object]
    ) -> None:
        """Have the digests that the cards have compared with those held here: of what was written
        since the last time, and of all pages only where that does not do."""
        with decoding("index"):
            last = int(self.state(self.written, "0"))
        found = cards.written_after(last)
        last = found.last if found.is_complete else cards.last_written()
        with uncollected():
            if found.is_complete:
                take(cards.digests_among(found.paths), self.digests_among(found.paths))
            if not found.is_complete or self.tree() != cards.tree():
                take(cards.digests(), self.digests())
        self.note(self.written, str(last))  # what came meanwhile is looked at once more

    def digests_of(self, put: P) -> tuple[str, ...]:
        """What its trees are made of; nothing of a page that has no part in one."""
        return (put.digest,)

    @abstractmethod
    def write(self, puts: Sequence[P], existing: Existing) -> None:
        """Write the rows of these pages, and drop those of the others that exist."""
