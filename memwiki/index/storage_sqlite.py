"""SQLite: what is said to it in its own words, and the files that it keeps; and the one place that
tells a damaged store, which is built anew, from a failing disk, which only can be named."""

from __future__ import annotations

import os
import sqlite3
import stat
import time
import zlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from functools import cache
from pathlib import Path

from memwiki.errors import IndexDamagedError, WriteError, reason_of
from memwiki.index.raw_bytes import followed
from memwiki.index.storage import SqlTable

MEMORY = ":memory:"
BUSY_MS = 30_000
_MAX_ATTEMPTS = 200
_PATIENCE = {"locked": _MAX_ATTEMPTS, "unable to open": 10}  # attempts, by what SQLite says
_PAUSE_S = 0.01
_WRITER_KB, _READER_KB = 8_000, 1_000  # that are kept; what a reader misses, the system has


class SqliteStorage(sqlite3.Connection):
    """A file of SQLite, or one in memory."""

    main, temporary = "main", "temp"
    in_order, joined, like = "cross join", "group_concat", "like"
    is_far = False
    path = MEMORY

    def upsert(self, table: SqlTable, schema: str, rows: Iterable[Sequence[object]]) -> None:
        """Write rows, each in the place of the one with its key."""
        self.executemany(_upsert_sql(table, schema), rows)

    def remark(self, name: str, table: SqlTable, schema: str) -> object:
        """The value under a name in a table of them; None where there is none."""
        sql = f"select value from {schema}.{table.name} where name=?"
        found = self.execute(sql, (name,)).fetchone()
        return found[0] if found else None

    def create(self, table: SqlTable, schema: str) -> None:
        """Make a table, unless it is there."""
        for statement in _statements(table, schema):
            self.execute(statement)

    def drop(self, table: SqlTable, schema: str) -> None:
        """Leave nothing of a table, which is created again."""
        self.execute(f"drop table if exists {schema}.{table.name}")

    def columns_of(self, table: str, schema: str) -> list[str]:
        """The names of a table's columns; none where there is no such table."""
        return [row[1] for row in self.execute(f"pragma {schema}.table_info({table})")]

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """What is written within is written whole or not at all; nobody else writes meanwhile."""
        with self:
            self.execute("begin immediate")
            yield

    @contextmanager
    def one_moment(self) -> Iterator[None]:
        """What is read within belongs to one moment, whatever others write meanwhile."""
        with self:
            self.execute("begin")
            yield

    def version(self) -> int:
        """Another one as soon as anybody has committed something over another connection; in memory
        all have the same."""
        if self.path == MEMORY:
            return self.total_changes
        return int(self.execute("pragma data_version").fetchone()[0])

    def checkpoint(self) -> None:
        """Fold the log into the file and empty it, unless a reader is in the way: then the next
        does it."""
        self.execute("pragma busy_timeout = 0")
        self._fold()
        self.execute(f"pragma busy_timeout = {BUSY_MS}")

    def _fold(self) -> bool:
        """Fold the log; False while a reader is in the way."""
        with followed(self.path):
            return not self.execute("pragma wal_checkpoint(truncate)").fetchone()[0]

    def defragment(self) -> None:
        """Leave no room between rows that came in any order; where the disk has none for a second
        file beside the first, they stay as they are."""
        with suppress(sqlite3.OperationalError):
            self.execute("vacuum")
        self.checkpoint()

    def scrub(self) -> bool:
        """Write a store anew without what was deleted from it; False while a reader keeps the old
        pages from being overwritten."""
        self.execute("pragma secure_delete = on")
        self.execute("vacuum")
        is_done = self._fold()
        self.execute("pragma secure_delete = off")
        return is_done


def _statements(table: SqlTable, schema: str) -> Iterator[str]:
    """What makes a table where it is missing."""
    key = f", primary key ({table.key})" if table.key else ""
    is_numbered = not key or f"{table.key} integer" in table.columns.split(",")
    options = "" if is_numbered else " without rowid"
    yield f"create table if not exists {schema}.{table.name} ({table.columns}{key}){options}"
    for index in table.indexes:
        kind, _, rest = index.rpartition("index ")
        yield f"create {kind}index if not exists {schema}.{rest}"


@cache
def _upsert_sql(table: SqlTable, schema: str) -> str:
    marks = ",".join("?" * len(table.names))
    sql = f"insert into {schema}.{table.name} values ({marks})"
    return f"{sql} on conflict ({table.key}) {table.replacing}" if table.key else sql


def open_file(path: str, what: str, *, may_make: bool = True) -> SqliteStorage:
    """A connection to a store, in write-ahead mode.

    Raises StoreMissingError where who only reads finds none, or one that is about to be made, and
    IndexDamagedError where it is none.
    """
    is_made = may_make or path == MEMORY  # which stands in where there never was one
    if path != MEMORY:
        require_files(Path(path))
        if not (may_make or os.path.lexists(path)):
            raise StoreMissingError(f"{what}: are gone")
    db = connect(path, may_make=may_make)
    try:
        if not is_made and is_empty(db):  # about to be made by the first writer
            raise StoreMissingError(f"{what}: are empty")
        with decoding(what):
            write_ahead(db)
            db.execute(f"pragma cache_size=-{_WRITER_KB if may_make else _READER_KB}")
            db.execute("pragma wal_autocheckpoint=0")  # who writes folds the log, and knows it
    except BaseException:
        db.close()
        raise
    return db


def connect(path: str, *, may_make: bool = True) -> SqliteStorage:
    """A connection to a store; a reader makes no file where there is none."""
    is_read = path != MEMORY and not may_make
    name = f"{Path(path).absolute().as_uri()}?mode=rw" if is_read else path
    db = sqlite3.connect(
        name,
        isolation_level=None,
        check_same_thread=False,
        timeout=30,
        uri=is_read,
        factory=SqliteStorage,
    )
    db.path = path
    return db


def is_empty(db: SqliteStorage) -> bool:
    """Whether there is no table yet."""
    return bool(db.execute("select count(*) from sqlite_master").fetchone()[0] == 0)


def write_ahead(db: sqlite3.Connection) -> None:
    """Switch a store that may be new to write-ahead mode, not flushed on commit.

    Of two that open it at once SQLite turns one away without waiting, whatever its timeout says;
    while the last of others closes it and removes the log, it cannot be opened.
    """
    for attempt in range(_MAX_ATTEMPTS):
        try:
            db.execute("pragma journal_mode=wal").fetchone()
            break
        except sqlite3.OperationalError as error:
            most = next((n for part, n in _PATIENCE.items() if part in str(error)), 1)
            if attempt + 1 >= most:
                raise
        time.sleep(_PAUSE_S)
    db.execute("pragma synchronous=off")


def files_of(build: Path, name: str) -> Iterator[str]:
    """What a store keeps on disk, a log only when something is in it; and what is in the way of
    one."""
    base = f"{build}/"  # each access looks at some thirty files: a `Path` of each takes longer
    if os.path.lexists(base + name):
        yield name
    for beside in (f"{name}-wal", f"{name}-shm", f"{name}-journal"):
        with suppress(FileNotFoundError):
            status = os.lstat(base + beside)
            is_log = not beside.endswith("-shm") and status.st_size > 0
            if is_log or not stat.S_ISREG(status.st_mode):
                yield beside


def require_files(path: Path) -> None:
    """Raise IndexDamagedError where SQLite would wait for a FIFO, or fail: in the place of a store
    or log."""
    for name in files_of(path.parent, path.name):
        with suppress(FileNotFoundError):  # a log that a commit of another process has just ended
            if not stat.S_ISREG((path.parent / name).lstat().st_mode):
                raise IndexDamagedError(f"{name}: is not a regular file")


def require_sound(path: Path) -> None:
    """Raise IndexDamagedError unless SQLite finds a store in order."""
    require_files(path)
    try:
        with closing(sqlite3.connect(path, timeout=30)) as db:
            found = db.execute("pragma integrity_check(1)").fetchone()
    except (sqlite3.Error, UnicodeDecodeError) as error:
        raise IndexDamagedError(f"{path.name}: {error}") from error
    if found != ("ok",):
        raise IndexDamagedError(f"{path.name}: {found[0]}")


# What SQLite raises, for rooms that hold no SQL of their own.
SqlError = sqlite3.Error
ClosedError = sqlite3.ProgrammingError
DAMAGE = (IndexDamagedError, sqlite3.DatabaseError)
# What a value read from a store raises when it is not of the shape that was written.
MISSHAPEN = (
    *(ValueError, TypeError, KeyError, IndexError, OverflowError, RecursionError),
    zlib.error,
)
_DISK = (
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_BUSY,
    sqlite3.SQLITE_LOCKED,
    sqlite3.SQLITE_NOMEM,
    sqlite3.SQLITE_PERM,
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_PROTOCOL,
    sqlite3.SQLITE_INTERRUPT,
    sqlite3.SQLITE_NOLFS,
)


class StoreMissingError(IndexDamagedError):
    """A store is not there, or not yet, and who only reads makes none."""


class ReplacedError(StoreMissingError):
    """Another build took the place of the one that was made ready for an answer; it is asked
    again."""


class DiskError(WriteError):
    """The index can be neither read nor written for a reason that lies outside of it."""

    @classmethod
    def under_the_index(cls, error: Exception, done: str = "read or written") -> DiskError:
        """A disk that fails, and what could not be done."""
        return cls(
            f"the index cannot be {done} ({reason_of(error)})",
            hint="check the disk of the cache folder; your files are intact",
        )


def is_damage(error: Exception) -> bool:
    """Whether an error means that a store has to be built anew."""
    code = getattr(error, "sqlite_errorcode", 0)
    return isinstance(error, DAMAGE) and code & 0xFF not in _DISK


@contextmanager
def decoding(what: str) -> Iterator[None]:
    """What is read from a store and is not of the shape that was written is damage: raises
    IndexDamagedError then, and lets errors of the disk pass as they are."""
    try:
        yield
    except sqlite3.Error as error:
        if not is_damage(error):
            raise
        raise IndexDamagedError(f"{what}: {error}") from error
    except MISSHAPEN as error:
        raise IndexDamagedError(f"{what}: {type(error).__name__}: {error}") from error


@contextmanager
def disk_errors_named() -> Iterator[None]:
    """Raise DiskError, which has a code and a next step, for a disk that fails under the index;
    damage passes as it is."""
    try:
        yield
    except BrokenPipeError:  # no disk, but who reads the answer
        raise
    except (OSError, sqlite3.Error) as error:
        if is_damage(error):
            raise
        raise DiskError.under_the_index(error) from error
