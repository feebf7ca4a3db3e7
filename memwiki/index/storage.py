"""What the stores in SQL ask of a database, and the tables that they declare to it.

Their SQL is the subset that SQLite and PostgreSQL share; where the two differ, a storage has a word
or a method for it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from functools import cache
from typing import Any, Protocol

from memwiki.records import NamedTuple


class SqlTable(NamedTuple):
    """A table of a store: its columns with their types, its key, and its indexes."""

    name: str
    columns: str
    key: str = ""
    indexes: tuple[str, ...] = ()
    is_lasting: bool = False  # kept when the others are made anew

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the columns, in order."""
        return _names(self.columns)

    @property
    def kinds(self) -> list[str]:
        """Their types, as SQLite calls them."""
        return [column.split()[1] for column in self.columns.split(",")]

    @property
    def keys(self) -> tuple[str, ...]:
        """Those of them that name a row."""
        return tuple(self.key.replace(" ", "").split(",")) if self.key else ()

    @property
    def replacing(self) -> str:
        """What becomes of a row whose key is there already."""
        others = [f"{name}=excluded.{name}" for name in self.names if name not in self.keys]
        return f"do update set {','.join(others)}" if others else "do nothing"


@cache
def _names(columns: str) -> tuple[str, ...]:
    """Asked for each page of each table."""
    return tuple(column.split()[0] for column in columns.split(","))


class Rows(Protocol):
    """What a statement gives."""

    def __iter__(self) -> Iterator[Any]:
        """The rows, one after the other."""

    def fetchone(self) -> Any:  # noqa: ANN401 - of the shape that the SQL says
        """The next row; None where there is no other."""

    def fetchmany(self, size: int, /) -> list[Any]:
        """At most so many that are left."""

    def fetchall(self) -> list[Any]:
        """All that are left."""


class Storage(Protocol):
    """One connection to a database; values of a statement stand where it has a `?`."""

    main: str  # the schema of the tables that all see
    temporary: str  # that of tables for this connection alone
    in_order: str  # a join whose order is that of its tables: a few rows lead to many
    joined: str  # one text of all that a column holds, with another one between
    like: str  # compares with a pattern; ASCII letters in any case
    is_far: bool  # a question is a journey, and a few large ones take less than many small ones

    def execute(self, sql: str, values: Sequence[Any] = (), /) -> Rows:
        """Carry out a statement."""

    def executemany(self, sql: str, rows: Iterable[Sequence[Any]], /) -> object:
        """Carry one out for each row of values."""

    def upsert(self, table: SqlTable, schema: str, rows: Iterable[Sequence[object]]) -> None:
        """Write rows, each in the place of the one with its key."""

    def remark(self, name: str, table: SqlTable, schema: str) -> object:
        """The value under a name in a table of them, which only `upsert` and `drop` change; None
        where there is none."""

    def create(self, table: SqlTable, schema: str) -> None:
        """Make a table, unless it is there."""

    def drop(self, table: SqlTable, schema: str) -> None:
        """Leave nothing of a table, which is created again."""

    def columns_of(self, table: str, schema: str) -> list[str]:
        """The names of a table's columns; none where there is no such table."""

    @property
    def in_transaction(self) -> bool:
        """Whether a transaction is open."""

    def transaction(self) -> AbstractContextManager[None]:
        """What is written within is written whole or not at all; nobody else writes meanwhile."""

    def one_moment(self) -> AbstractContextManager[None]:
        """What is read within belongs to one moment, whatever others write meanwhile."""

    def version(self) -> int:
        """Another one as soon as anybody has committed something over another connection."""

    def checkpoint(self) -> None:
        """Leave nothing in a log that lies beside the tables."""

    def defragment(self) -> None:
        """Leave no room between rows that came in any order: a tenth of the file."""

    def scrub(self) -> bool:
        """Leave nothing on disk of what was deleted; False while a reader is in the way."""

    def close(self) -> None:
        """End the connection."""
