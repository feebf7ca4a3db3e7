"""Telling a damaged store, which is built anew, from a failing disk, which only can be named.

This is the one place that decides. A disk that is full or fails, or a machine that has no
descriptors or memory left, says nothing about what is in a store: starting over because of it would
lose what is there, and fail again.
"""

from __future__ import annotations

import sqlite3
import zlib
from collections.abc import Iterator
from contextlib import contextmanager

from memwiki.errors import IndexDamagedError, WriteError, reason_of

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
