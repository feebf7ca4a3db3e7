"""The stores of one workspace on a server, the vectors and the texts of its pages among them, which
are kept where the owner turns it on; and the row that says how they are fed."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import datetime
from itertools import repeat
from typing import Self

from memwiki.errors import LockedError, NotFoundError, SharedIndexError, UsageError
from memwiki.index.cards.store import WRITTEN, Cards
from memwiki.index.cards.tables import row_number
from memwiki.index.keyword.segments import SegmentStore
from memwiki.index.meanings.store import MeaningStore
from memwiki.index.projection import Put
from memwiki.index.sql import Existing, SqlProjection, batched, marks
from memwiki.index.storage import SqlTable
from memwiki.index.storage_postgres import SCHEMA, PostgresStorage, role_sql, schema_sql, table_sql
from memwiki.index.storage_sqlite import decoding
from memwiki.index.stores import Stores
from memwiki.index.vectors.units import PAGE, REMARK, UNIT, UnitStore, UnitTexts
from memwiki.records import NamedTuple, grouped

_ROW = SqlTable("vector", "text blob,packed blob not null", "text")


class SharedVectorStore(UnitStore):
    """The units and rows of one workspace. A row is as a file of rows has it: nobody who reads
    believes one that is not as it was written."""

    tables = (PAGE, UNIT, _ROW, REMARK)

    def about(self) -> Mapping[str, str]:
        """All remarks, with one statement."""
        return dict(self._rows(f"select name, value from {self.schema}.{REMARK.name}"))

    def write(self, puts: Sequence[UnitTexts], existing: Existing) -> None:
        """The same, and no row stays that no unit uses any more."""
        pages = map(row_number, existing)
        sql = f"select distinct text from {self.schema}.unit where page"
        old = [text for (text,) in self._among(sql, pages)]
        super().write(puts, existing)
        unused = f"not exists (select from {self.schema}.unit where unit.text = vector.text)"
        for text in batched(old):
            among = f"text in ({marks('?', text)})"
            self.db.execute(f"delete from {self.schema}.vector where {among} and {unused}", text)

    def units_of(self, digests: Mapping[str, str]) -> Iterator[UnitTexts]:
        """The units of these pages, of the versions that are here."""
        for part in batched(digests):
            numbers = [row_number(path) for path in part]
            among = f"from {self.schema}.unit where page in ({marks('?', part)})"
            rows = self._rows(f"select page, key, text {among} order by page, place", *numbers)
            texts = grouped((page, (key, text)) for page, key, text in rows)
            for path, number in zip(part, numbers, strict=True):
                yield UnitTexts(path, digests[path], dict(texts.get(number, ())))

    def lacking(self) -> list[bytes]:
        """The texts that stand for a unit and have no row."""
        return self._column(
            f"select distinct text from {self.schema}.unit where not exists"
            f" (select from {self.schema}.vector where vector.text = unit.text)"
        )

    def put_packed(self, rows: Iterable[tuple[bytes, bytes]]) -> None:
        """Keep the rows of these texts."""
        self.upsert(_ROW, rows)

    def packed_of(self, texts: Iterable[bytes]) -> Iterator[tuple[bytes, bytes]]:
        """Those of these texts that have a row, with its bytes."""
        return self._among(f"select text, packed from {self.schema}.vector where text", texts)


READERS, FEEDERS = "memwiki_readers", "memwiki_feeders"
LEASE_S = 15
_PRIVATE = "#private"
_KEYWORD = f"{SCHEMA}_keyword"
_VECTORS = f"{SCHEMA}_vectors"
_SCHEMAS = (SCHEMA, _KEYWORD, _VECTORS)
_WORKSPACE = f"{SCHEMA}.workspace"
_TEXT = SqlTable("page_text", "path text,digest text,packed blob", "path")
_TEXT_STATE = SqlTable("text_state", "name text,value text", "name")


class StoredText(NamedTuple):
    """A version of a page, with its bytes."""

    path: str
    digest: str
    data: bytes


class TextStore(SqlProjection[StoredText]):
    """The bytes of all pages that are fed."""

    name = "texts"
    tables = (_TEXT, _TEXT_STATE)
    remarks_in = _TEXT_STATE
    pages = "page_text"

    def write(self, puts: Sequence[StoredText], existing: Existing) -> None:
        """Write the texts of these pages, and drop those of the others that exist."""
        self.delete(_TEXT.name, "path", existing)
        self.upsert(_TEXT, ((put.path, put.digest, zlib.compress(put.data, 6)) for put in puts))

    def text_of(self, path: str) -> bytes | None:
        """The bytes of a page; None where none are kept."""
        row = self._row(f"select packed from {self.schema}.page_text where path=?", path)
        with decoding(self.name):
            return zlib.decompress(row[0]) if row else None


_OWN = (*Cards.tables, *MeaningStore.tables, *TextStore.tables)


def setup_sql(listings: Sequence[SqlTable]) -> list[str]:
    """The statements that make all tables, with those of the listings, which are known above."""
    made = list(schema_sql(_SCHEMAS, _PRIVATE))
    for table, schema in _all_tables(listings):
        made += table_sql(table, schema)
    return made


def _all_tables(listings: Sequence[SqlTable]) -> Iterator[tuple[SqlTable, str]]:
    yield from zip((*_OWN, *listings), repeat(SCHEMA))
    yield from zip(SegmentStore.tables, repeat(_KEYWORD))
    yield from zip(SharedVectorStore.tables, repeat(_VECTORS))


def grants_sql() -> list[str]:
    """The statements that make the roles that people are granted, and let them in."""
    return list(role_sql(_SCHEMAS, READERS, FEEDERS))


def private_name(name: str) -> str:
    """What a workspace is called with all that is private in it, which is fed beside it."""
    return f"{name}{_PRIVATE}"


def require_public(name: str) -> str:
    """The name of a workspace; UsageError where it is one with what is private in it."""
    if name.endswith(_PRIVATE):
        raise UsageError(
            f"shared index: {name} is read as {name.removesuffix(_PRIVATE)}",
            "by whoever may read what is private",
        )
    return name


class SharedState(NamedTuple):
    """How a workspace on a server is fed."""

    id: int
    name: str
    reader: str
    feeder: str  # the role that feeds it
    settings: str
    source: str  # what the folder that was fed is usually called
    tree: str
    generation: int
    has_texts: bool
    fed_at: datetime | None
    scanned_at: datetime | None
    fed_by: str
    is_leased: bool  # its feeder is at work, and was lately
    is_being_fed: bool  # by a feed that takes longer than its lease


_FEEDING = 0x6D656D77  # the first number of the locks that say so
_STATE = (
    "select id, name, reader, feeder, settings, source, tree, generation, has_texts, fed_at,"
    " scanned_at, fed_by, lease_until > now(), lease_until <= now() and exists (select from"
    f" pg_locks where locktype='advisory' and classid={_FEEDING} and objid=id::bigint::oid"
    " and database=(select oid from pg_database where datname=current_database()))"
    f" from {_WORKSPACE}"
)


def _until(now: str) -> str:
    return f"{now} + make_interval(secs => {LEASE_S})"


class SharedKeyword(SegmentStore):
    """The postings of a workspace on a server."""

    backend = "postgresql"


class SharedCards(Cards):
    """The cards of a workspace on a server."""

    def write(self, puts: Sequence[Put], existing: Existing) -> None:
        """The same; no name of a page stays that is there no more, or is private now."""
        super().write(puts, existing)
        if gone := existing.keys() - {put.path for put in puts}:
            self.note_written([""])  # first, as no number is given twice
            self.delete(WRITTEN.name, "path", gone)


class SharedStores(Stores):
    """The projections of one workspace on a server; all of them over one connection."""

    def __init__(self, db: PostgresStorage) -> None:
        self.db = db
        self._number = 0  # of the workspace that is open
        self._keyword = SharedKeyword(self.db, _KEYWORD)
        self.texts = TextStore(self.db)
        self.vectors = SharedVectorStore(self.db, _VECTORS)
        super().__init__(None, may_make=False)
        self._open = {"cards": SharedCards(self.db), "keyword": self._keyword}

    @classmethod
    def at(cls, address: str) -> Self:
        """Those that an address leads to; SharedIndexError where it leads nowhere."""
        return cls(PostgresStorage(address))

    def set_up(self, listings: Sequence[SqlTable]) -> None:
        """Make the tables, unless they are there."""
        if not self.db.columns_of("workspace", SCHEMA):
            with self.db.whole():
                for statement in setup_sql(listings):
                    self.db.execute(statement)

    def states(self) -> list[SharedState]:
        """The workspaces that may be read."""
        rows = self.db.execute(f"{_STATE} order by name")
        return [SharedState(*row) for row in rows]

    def state(self, name: str) -> SharedState:
        """The workspace of this name; NotFoundError where there is none that may be read."""
        row = self.db.execute(f"{_STATE} where name=?", (name,)).fetchone()
        if row is None:
            raise NotFoundError(
                f"shared index: there is no workspace {name}", "memwiki share status names them"
            )
        return SharedState(*row)

    def open(self, name: str) -> SharedState:
        """See the rows of this workspace from now on."""
        found = self.state(name)
        self._number = found.id
        self.db.open_workspace(self._number)
        return found

    def make(self, name: str, reader: str) -> None:
        """Make a workspace, unless it is there, and open it; this role may read it, the usual one
        where none is named. SharedIndexError where others feed it."""
        sql = f"insert into {_WORKSPACE} (name, reader) values (?, ?) on conflict (name) do nothing"
        self.db.execute(sql, (name, reader or READERS))
        feeds = f"name=? and {SCHEMA}.is_member(feeder)"
        if not self.db.execute(f"{_STATE} where {feeds}", (name,)).fetchone():
            raise SharedIndexError(
                f"shared index: {name} is fed by others", "feed it under another name"
            )
        if self.open(name).reader != reader and reader:
            self.db.execute(f"update {_WORKSPACE} set reader=? where name=?", (reader, name))

    def note_fed(self, name: str, holder: str, **values: object) -> None:
        """Note how the workspace is now, while the lease is held; with a tree it has changed."""
        times = ["scanned_at=now()", f"lease_until={_until('clock_timestamp()')}"]
        if "tree" in values:
            times.append("fed_at=now()")
        given = ",".join([*(f"{column}=?" for column in values), *times])
        sql = f"update {_WORKSPACE} set {given} where name=? and holder=?"
        self._require_one(f"{sql} returning id", *values.values(), name, holder)

    def take_lease(self, name: str, holder: str) -> None:
        """Be the one who feeds for the next seconds; LockedError while another one is."""
        sql = (
            f"update {_WORKSPACE} set holder=?, lease_until={_until('now()')}"
            " where name=? and (holder=? or lease_until < now()) returning id"
        )
        self._require_one(sql, holder, name, holder)

    @contextmanager
    def being_fed(self) -> Iterator[None]:
        """Within it readers see that the open workspace is being fed, though the row that says so
        is locked."""
        key = (_FEEDING, self._number)
        self.db.execute("select pg_advisory_lock_shared(?::int, ?::int)", key)
        try:
            yield
        finally:
            with suppress(SharedIndexError):  # it ends with the connection
                self.db.execute("select pg_advisory_unlock_shared(?::int, ?::int)", key)

    def give_lease_back(self, name: str, holder: str) -> None:
        """Let others feed at once."""
        sql = f"update {_WORKSPACE} set lease_until='-infinity' where name=? and holder=?"
        self.db.execute(sql, (name, holder))

    def _require_one(self, sql: str, *values: object) -> None:
        if self.db.execute(sql, values).fetchone() is None:
            raise LockedError.by_feeder()

    def drop_private(self, name: str, listings: Sequence[SqlTable]) -> None:
        """Leave nothing of what is private in a workspace, as far as it may be seen."""
        with suppress(NotFoundError):
            self.drop(private_name(name), listings)

    def drop(self, name: str, listings: Sequence[SqlTable]) -> None:
        """Leave nothing of a workspace."""
        self.open(name)
        with self.db.transaction():
            self.empty(listings)
            self.db.execute(f"delete from {_WORKSPACE} where name=?", (name,))

    def start_over(self, listings: Sequence[SqlTable]) -> None:
        """Leave no page of the open workspace. A reader that is at work knows segments by their
        numbers, a snapshot by its generation and what was written by its number: they go on."""
        last = self.cards.last_written()
        segments = self._keyword.state("segments", "0")
        generation = str(self._keyword.generation() + 1)
        self.empty(listings)
        for name in ("generation", "dropped"):
            self._keyword.note(name, generation)
        self._keyword.note("segments", segments)
        self.cards.upsert(WRITTEN, [(last + 1, "")])

    def empty(self, listings: Sequence[SqlTable]) -> None:
        """Leave no row of the open workspace in any table."""
        for table, schema in _all_tables(listings):
            self.db.drop(table, schema)

    def close(self) -> None:
        """End the connection."""
        self._close_snapshot()
        self.db.close()
