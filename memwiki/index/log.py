"""The write-ahead log of a SQLite store."""

from __future__ import annotations

import sqlite3

BUSY_MS = 30_000


def fold_log(db: sqlite3.Connection) -> None:
    """Fold the log into the file and empty it, unless a reader is in the way: then the next does it."""
    db.execute("pragma busy_timeout = 0")
    db.execute("pragma wal_checkpoint(truncate)").fetchone()
    db.execute(f"pragma busy_timeout = {BUSY_MS}")
