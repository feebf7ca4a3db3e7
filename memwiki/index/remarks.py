"""What a store remarks beside its rows: a value a name, in a table `state`."""

from __future__ import annotations

import sqlite3


def remark(db: sqlite3.Connection, name: str, default: str = "") -> str:
    """The remark of this name."""
    row = db.execute("select value from state where name=?", (name,)).fetchone()
    return str(row[0]) if row else default


def set_remark(db: sqlite3.Connection, name: str, value: str) -> None:
    """Keep a remark; it takes the place of an older one."""
    db.execute("insert or replace into state values (?, ?)", (name, value))
