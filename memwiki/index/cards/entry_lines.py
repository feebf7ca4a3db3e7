"""Which entry of a page stands on a line."""

from __future__ import annotations

import sqlite3
from bisect import bisect_right
from collections.abc import Sequence
from typing import NamedTuple

from memwiki.index.cards.places import located
from memwiki.index.unit_key import ENTRY_MARK


class EntryLocation(NamedTuple):
    """The lines of an entry, from 1, and its id, "" where it has none."""

    line_start: int
    line_end: int
    id: str = ""


class EntryLines:
    """The entries of pages by their lines, each page read once."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db
        self._known: dict[str, tuple[Sequence[int], Sequence[EntryLocation]]] = {}

    def at(self, path: str, line: int) -> EntryLocation | None:
        """The entry on a line of a page."""
        firsts, entries = self._of(path)
        at = bisect_right(firsts, line) - 1
        return entries[at] if at >= 0 and line <= entries[at].line_end else None

    def _of(self, path: str) -> tuple[Sequence[int], Sequence[EntryLocation]]:
        known = self._known.get(path)
        if known is None:
            entries = self._read(path)
            known = self._known[path] = [each.line_start for each in entries], entries
        return known

    def _read(self, path: str) -> list[EntryLocation]:
        sql = "select id, number from page where path=? and entries>0"
        row = self._db.execute(sql, (path,)).fetchone()
        if row is None:
            return []
        page_id, number = row
        sql = "select key, id from unit where page=? and id<>''"
        ids = dict(self._db.execute(sql, (page_id,)))
        units = located(self._db, number, page_id)
        return [
            EntryLocation(first, last, ids.get(key, ""))
            for key, first, last in units
            if key.endswith(ENTRY_MARK)
        ]
