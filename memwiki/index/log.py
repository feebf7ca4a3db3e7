"""The write-ahead log of a SQLite store."""

from __future__ import annotations

import sqlite3
import time

BUSY_MS = 30_000
_ATTEMPTS = 200
_PAUSE_S = 0.01


def write_ahead(db: sqlite3.Connection) -> None:
    """Switch a store that may be new to write-ahead mode, not flushed on commit.

    Of two that open it at once SQLite turns one away without waiting, whatever its timeout says.
    """
    for left in reversed(range(_ATTEMPTS)):
        try:
            db.execute("pragma journal_mode=wal").fetchone()
            break
        except sqlite3.OperationalError as error:
            if not left or "locked" not in str(error):
                raise
        time.sleep(_PAUSE_S)
    db.execute("pragma synchronous=off")


def fold_log(db: sqlite3.Connection) -> None:
    """Fold the log into the file and empty it, unless a reader is in the way: then the next does it."""
    db.execute("pragma busy_timeout = 0")
    db.execute("pragma wal_checkpoint(truncate)").fetchone()
    db.execute(f"pragma busy_timeout = {BUSY_MS}")
