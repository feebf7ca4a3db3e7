"""Telling a damaged store, which is built anew, from a failing disk, which only can be named."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from memwiki.errors import IndexDamagedError, WriteError

DAMAGE = (IndexDamagedError, sqlite3.DatabaseError)
# Starting over because of these would lose what is there, and fail again.
_DISK = (sqlite3.SQLITE_FULL, sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_NOMEM,
         sqlite3.SQLITE_PERM, sqlite3.SQLITE_CANTOPEN)  # fmt: skip


def is_damage(error: Exception) -> bool:
    """Whether an error means that a store has to be built anew."""
    code = getattr(error, "sqlite_errorcode", 0)
    return isinstance(error, DAMAGE) and code & 0xFF not in _DISK


@contextmanager
def disk_errors_named() -> Iterator[None]:
    """A disk that fails under the index is an error with a code and a next step."""
    try:
        yield
    except (OSError, sqlite3.Error) as error:
        if is_damage(error):
            raise
        reason = getattr(error, "strerror", None) or error
        raise WriteError(
            f"the index cannot be read or written ({reason})",
            hint="look after the disk of the cache folder; your files are whole",
        ) from error
