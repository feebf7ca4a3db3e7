"""PostgreSQL: what is said to it in its own words.

Tables hold the rows of many workspaces, told apart by `ws`, the first column of each key; a
connection sees those of one, through views that are named as the tables of SQLite are. Row level
security says which workspaces a role may open at all. The schema is named with the format.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache, partial
from itertools import islice
from operator import itemgetter
from struct import Struct
from typing import TYPE_CHECKING, Any, LiteralString, NamedTuple, TypeVar

from memwiki.errors import (
    LockedError,
    MemwikiError,
    MissingExtraError,
    SharedIndexError,
    UnreachableError,
    reason_of,
)
from memwiki.index.storage import Rows, SqlTable

try:
    import psycopg
    from psycopg.adapt import Dumper, Loader
    from psycopg.pq import Format, TransactionStatus
    from psycopg.types.numeric import Int8BinaryDumper, NumericBinaryLoader
except ImportError as error:
    raise MissingExtraError("postgres", "psycopg") from error

if TYPE_CHECKING:
    from psycopg.abc import Buffer

SCHEMA = "memwiki_3"
_TYPES = {
    "integer": "bigint",
    "text": 'text collate "C"',
    "blob": "bytea",
    "real": "double precision",
}
_WAIT_S = 3  # for a server that does not answer
_BATCH = 5_000  # rows that are written with one statement
MAX_KEY_BYTES = 2_000  # of a row: an entry of an index takes 2,704
_WS = "nullif(current_setting('memwiki.ws', true), '')::bigint"
_OPENED = f"(select id from {SCHEMA}.workspace where id = {_WS})"
_FED = f"(select id from {SCHEMA}.workspace where id = {_WS} and {SCHEMA}.is_member(feeder))"
T = TypeVar("T")


class _SumLoader(Loader):
    """Sums of integers, which PostgreSQL gives as numerics."""

    format = Format.BINARY

    def load(self, data: Buffer) -> int:
        """The number."""
        return int(NumericBinaryLoader(self.oid).load(data))


class PostgresStorage:
    """A connection to a server, open on one workspace at a time."""

    main, temporary = SCHEMA, "pg_temp"
    in_order, joined, like = "join", "string_agg", "ilike"
    is_far = True

    def __init__(self, address: str) -> None:
        """Raises SharedIndexError where the server cannot be reached."""
        try:
            self._db = psycopg.connect(
                address,
                autocommit=True,
                connect_timeout=_WAIT_S,
                application_name="memwiki",
                client_encoding="UTF8",
            )
        except (psycopg.ProgrammingError, ValueError):  # which would show it, with its password
            raise UnreachableError.of("the address is none of PostgreSQL") from None
        except psycopg.Error as error:
            raise UnreachableError.of(_reason(error)) from error
        self._remarks: dict[str, dict[Any, Any]] = {}  # as of this transaction
        self._columns: dict[str, list[str]] = {}  # of tables, which are made once
        self._db.adapters.register_dumper(int, Int8BinaryDumper)
        self._db.adapters.register_dumper(_Array, _ArrayDumper)
        self._db.adapters.register_loader("numeric", _SumLoader)
        self.execute(f"set search_path to {SCHEMA}")
        self.execute(f"set lock_timeout to '{_WAIT_S}s'")

    def open_workspace(self, number: int) -> None:
        """See the rows of this workspace from now on."""
        self.execute("select set_config('memwiki.ws', ?, false)", (str(number),))

    def execute(self, sql: str, values: Sequence[Any] = (), /) -> Rows:
        """Carry out a statement."""
        # As text a blob comes in twice its bytes.
        return self._ask(
            lambda: self._db.execute(_for_psycopg(sql), _without_nul(values), binary=True)
        )

    def executemany(self, sql: str, rows: Iterable[Sequence[Any]], /) -> None:
        """Carry one out for each row of values."""
        if given := [_without_nul(row) for row in rows]:
            with self._db.cursor() as cursor:
                self._ask(lambda: cursor.executemany(_for_psycopg(sql), given))

    def upsert(self, table: SqlTable, schema: str, rows: Iterable[Sequence[object]]) -> None:
        """Write rows, each in the place of the one with its key."""
        at = [table.names.index(name) for name in table.keys]
        wide = [place for place in at if table.kinds[place] != "integer"]
        key_of = itemgetter(*at) if at else None  # one statement takes no key twice
        waiting = iter(rows)
        while part := list(islice(waiting, _BATCH)):
            given: Iterable[Any] = part
            if key_of:
                given = dict(zip(map(key_of, part), part, strict=True)).values()
            # Most keys are numbers, which fit, and are not looked at one by one.
            columns = zip(*(filter(_fits(wide), given) if wide else given), strict=True)
            if arrays := list(map(_array, table.kinds, columns)):
                self._ask(lambda: self._db.execute(_upsert_sql(table, schema), arrays))
            if (whole := f"{schema}.{table.name}") in self._remarks:
                self._remarks[whole].update(given)

    def remark(self, name: str, table: SqlTable, schema: str) -> object:
        """The value under a name in a table of them, of which a transaction asks once: nobody else
        writes them meanwhile."""
        whole = f"{schema}.{table.name}"
        if not self.in_transaction:
            found = self.execute(f"select value from {whole} where name=?", (name,)).fetchone()
            return found[0] if found else None
        if whole not in self._remarks:
            self._remarks[whole] = dict(self.execute(f"select name, value from {whole}"))
        return self._remarks[whole].get(name)

    def create(self, table: SqlTable, schema: str) -> None:
        """Make a table, unless it is there."""
        if not self.columns_of(table.name, schema):
            for statement in table_sql(table, schema):
                self.execute(statement)

    def drop(self, table: SqlTable, schema: str) -> None:
        """Leave no row of this workspace in a table."""
        if self.columns_of(table.name, schema):
            self.execute(f"delete from {schema}.{table.name}")
            self._remarks.pop(f"{schema}.{table.name}", None)

    def columns_of(self, table: str, schema: str) -> list[str]:
        """The names of a table's columns; none where there is no such table."""
        sql = "select attname from pg_attribute where attrelid=to_regclass(?) and attnum>0"
        whole = f"{schema}.{table}"
        if not self._columns.get(whole):
            rows = self.execute(f"{sql} order by attnum", (whole,))
            self._columns[whole] = [row[0] for row in rows]
        return self._columns[whole]

    @property
    def is_open(self) -> bool:
        """Whether the server has not ended the connection, as far as anybody asked it."""
        return not (self._db.closed or self._db.broken)

    @property
    def in_transaction(self) -> bool:
        """Whether a transaction is open."""
        return self._db.info.transaction_status != TransactionStatus.IDLE

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """What is written within is written whole or not at all; nobody else writes this workspace
        meanwhile."""
        with self.whole():
            self.execute(f"select id from {SCHEMA}.workspace where id = {_WS} for update")
            yield

    def expect_growth(self) -> None:
        """Plan each statement of this transaction anew: one that was planned for an empty table
        would read all of what it has become."""
        self.execute("set local plan_cache_mode to force_custom_plan")

    @contextmanager
    def one_moment(self) -> Iterator[None]:
        """What is read within belongs to one moment, whatever others write meanwhile."""
        with self.whole():
            self.execute("set transaction isolation level repeatable read, read only")
            yield

    @contextmanager
    def whole(self) -> Iterator[None]:
        """What is done within is done whole or not at all."""
        try:
            with self._db.transaction():
                yield
        except psycopg.Error as error:
            raise _failed(error) from error
        finally:
            self._remarks.clear()

    def version(self) -> int:
        """Another one as soon as anybody has fed the workspace."""
        sql = f"select generation from {SCHEMA}.workspace where id = {_WS}"
        row = self.execute(sql).fetchone()
        return int(row[0]) if row else 0

    def checkpoint(self) -> None:
        """The server has a log of its own."""

    def defragment(self) -> None:
        """The server does that by itself."""

    def scrub(self) -> bool:
        """The server takes deleted rows off the disk by itself, later."""
        return False

    def close(self) -> None:
        """End the connection."""
        self._db.close()

    @staticmethod
    def _ask(ask: Callable[[], T]) -> T:
        try:
            return ask()
        except psycopg.Error as error:
            raise _failed(error) from error


def _failed(error: psycopg.Error) -> MemwikiError:
    if isinstance(error, psycopg.errors.LockNotAvailable):
        return LockedError.by_feeder()
    if isinstance(error, psycopg.errors.UndefinedTable | psycopg.errors.InvalidSchemaName):
        return UnreachableError.empty()
    if isinstance(error, psycopg.errors.InsufficientPrivilege):
        return SharedIndexError.forbidden(_reason(error))
    return UnreachableError.of(_reason(error))


def _reason(error: Exception) -> str:
    """The first line of what the server says."""
    lines = str(error).strip().splitlines()
    return lines[0].strip() if lines else reason_of(error)


@cache
def _for_psycopg(sql: str) -> LiteralString:
    """A statement with the placeholders of psycopg."""
    return sql.replace("%", "%%").replace("?", "%s")


def _without_nul(values: Sequence[Any]) -> list[Any]:
    """Values that PostgreSQL takes: of texts all but the character of number 0."""
    return [each.replace("\0", "�") if isinstance(each, str) else each for each in values]


def _fits(at: Sequence[int]) -> Callable[[Sequence[Any]], bool]:
    """Whether a row has a key that an index takes: no link or tag of a page is longer, but one that
    nobody meant."""
    return lambda row: sum(_bytes_of(row[place]) for place in at) <= MAX_KEY_BYTES


def _bytes_of(value: object) -> int:
    if isinstance(value, str):
        return len(value.encode())
    return len(value) if isinstance(value, bytes) else 0


class _Array(NamedTuple):
    """The values of a column, as one of a statement: as the server has them in its protocol."""

    data: bytes


class _ArrayDumper(Dumper):
    """What psycopg would look at one by one, which takes a fifth of a first feed (2026-11-28)."""

    format = Format.BINARY

    def dump(self, obj: _Array) -> bytes:
        return obj.data


def _array(kind: str, values: Sequence[Any]) -> _Array:
    oid, pack = _PACKED[kind]
    rows = b"".join(_NULL if each is None else pack(each) for each in values)
    return _Array(_HEAD.pack(1, None in values, oid, len(values), 1) + rows)


def _packed_text(text: str) -> bytes:
    return _packed_bytes(text.replace("\0", "�").encode())


def _packed_bytes(data: bytes) -> bytes:
    return _LENGTH.pack(len(data)) + data


_HEAD, _LENGTH = Struct("!iiIii"), Struct("!i")  # dimensions, nulls, type, length, first index
_NULL = _LENGTH.pack(-1)
# Of each kind of column the number of its type, and how one value is sent.
_PACKED: Mapping[str, tuple[int, Callable[[Any], bytes]]] = {
    "integer": (20, partial(Struct("!iq").pack, 8)),
    "real": (701, partial(Struct("!id").pack, 8)),
    "text": (25, _packed_text),
    "blob": (17, _packed_bytes),
}


@cache
def _upsert_sql(table: SqlTable, schema: str) -> LiteralString:
    arrays = (f"%b::{_TYPES[kind].split()[0]}[]" for kind in table.kinds)
    arrays = (each.replace("double[]", "float8[]") for each in arrays)
    sql = f"insert into {schema}.all_{table.name} ({','.join(table.names)})"
    sql += f" select * from unnest({','.join(arrays)})"
    key = ",".join(["ws", *table.keys])
    return f"{sql} on conflict ({key}) {table.replacing}" if table.key else sql


# --- what an owner makes once ---


def table_sql(table: SqlTable, schema: str) -> Iterator[str]:
    """The statements that make a table, what a connection sees of it, and who may."""
    whole = f"{schema}.all_{table.name}"
    kinds = zip(table.names, table.kinds, strict=True)
    columns = [f"{name} {_TYPES[kind]}" for name, kind in kinds]
    declared = table.columns.split(",")
    unique = [column.split()[0] for column in declared if column.endswith(" unique")]
    keys = [f"primary key ({','.join(['ws', *table.keys])})"] if table.key else []
    keys += [f"unique (ws,{name})" for name in unique]
    first = f"ws bigint not null default {_WS}"
    yield f"create table if not exists {whole} ({', '.join([first, *columns, *keys])})"
    # A workspace that is being fed is in no statistics yet, and would be taken for an empty one.
    yield f"alter table {whole} alter column ws set statistics 0"
    for index in table.indexes:
        name, _, rest = index.removeprefix("index ").partition(" on ")
        inside, _, where = rest.partition("(")[2].partition(")")
        if not _unbounded(table) & {each.split()[0] for each in inside.split(",")}:
            yield f"create index if not exists {name} on {whole} (ws, {inside}){where}"
    if not table.key:
        yield f"create index if not exists {table.name}_ws on {whole} (ws)"
    yield (
        f"create or replace view {schema}.{table.name} with (security_invoker=true)"
        f" as select {','.join(table.names)} from {whole} where ws = {_WS}"
    )
    yield from _secured(whole, f"ws = {_OPENED}", f"ws = {_FED}")


def _unbounded(table: SqlTable) -> set[str]:
    """The columns with texts that may be longer than an index holds: those of keys are not."""
    kinds = zip(table.names, table.kinds, strict=True)
    return {name for name, kind in kinds if kind == "text" and name not in table.keys}


def _secured(table: str, may_read: str, may_write: str, is_right: str = "") -> Iterator[str]:
    is_right = is_right or may_write  # what may be in a row that is written
    yield f"alter table {table} enable row level security"
    yield f"alter table {table} force row level security"
    for action in ("select", "insert", "update", "delete"):
        yield f"drop policy if exists may_{action} on {table}"
        using = {"select": f"using ({may_read})", "insert": f"with check ({is_right})"}
        using["update"] = f"using ({may_write}) with check ({is_right})"
        rule = using.get(action, f"using ({may_write})")
        yield f"create policy may_{action} on {table} for {action} {rule}"


def schema_sql(schemas: Iterable[str], private: str) -> Iterator[str]:
    """The statements that make the schemas and the list of workspaces; each says who reads it and
    who feeds it, by the name of a role. One whose name ends so is beside another one, and made by
    who feeds that."""
    for schema in schemas:
        yield f"create schema if not exists {schema}"
    yield (
        f"create or replace function {SCHEMA}.is_member(role text) returns boolean language sql"
        " stable as $$ select coalesce((select pg_has_role(current_user, oid, 'member')"
        " from pg_catalog.pg_roles where rolname = role), false) $$"
    )
    yield (
        f"create table if not exists {SCHEMA}.workspace (id bigserial primary key,"
        " name text not null unique, reader text not null, feeder text not null default"
        " current_user, settings text not null default '', tree text not null default '',"
        " source text not null default '', generation bigint not null default 0,"
        " has_texts boolean not null default false,"
        " fed_at timestamptz, scanned_at timestamptz, fed_by text not null default '',"
        " holder text not null default '', lease_until timestamptz not null default '-infinity')"
    )
    reads, feeds = (f"{SCHEMA}.is_member({each})" for each in ("reader", "feeder"))
    beside = (
        f"exists (select from {SCHEMA}.workspace shown where shown.name || '{private}' ="
        " workspace.name and shown.feeder = workspace.feeder)"
    )
    is_right = f"{feeds} and (name not like '%{private}' or {beside})"
    yield from _secured(f"{SCHEMA}.workspace", f"{reads} or {feeds}", feeds, is_right)


def role_sql(schemas: Iterable[str], reader: str, feeder: str) -> Iterator[str]:
    """The statements that make a role that reads and one that feeds, which people are granted."""
    for role in (reader, feeder):
        yield (
            f"do $$ begin if not exists (select from pg_roles where rolname = '{role}')"
            f" then create role {role} nologin; end if; end $$"
        )
    for schema in schemas:
        yield f"grant usage on schema {schema} to {reader}, {feeder}"
        yield f"grant select on all tables in schema {schema} to {reader}, {feeder}"
        yield f"grant insert, update, delete on all tables in schema {schema} to {feeder}"
        yield f"grant usage on all sequences in schema {schema} to {feeder}"
