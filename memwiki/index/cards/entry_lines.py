"""Which entry of a page stands on a line, or bears an id."""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from memwiki.index.cards.places import located
from memwiki.index.damage import decoding
from memwiki.index.storage_sqlite import Connection
from memwiki.index.unit_key import ENTRY_MARK
from memwiki.names import fold

_ADDRESS = re.compile(r"(.+)(?:#\^([^#^\n]+)|:([1-9]\d{0,8}))\Z", re.DOTALL)


class EntryLocation(NamedTuple):
    """Where an entry stands, lines from 1, and what the cards know of it."""

    path: str
    line_start: int
    line_end: int
    id: str  # "" where it has none
    type: str
    tags: tuple[str, ...]

    @property
    def address(self) -> str:
        """What names it among pages and entries: its page and its id, or the line."""
        return f"{self.path}#^{self.id}" if self.id else f"{self.path}:{self.line_start}"


class _PageEntries(NamedTuple):
    firsts: Sequence[int] = ()
    entries: Sequence[EntryLocation] = ()
    by_id: Mapping[str, EntryLocation] = {}


_NO_ENTRIES = _PageEntries()


class EntryLines:
    """The entries of pages by their lines and ids, each page read once."""

    def __init__(self, db: Connection) -> None:
        self._db = db
        self._known: dict[str, _PageEntries] = {}

    def at(self, path: str, line: int) -> EntryLocation | None:
        """The entry on a line of a page."""
        page = self._page(path)
        at = bisect_right(page.firsts, line) - 1
        return page.entries[at] if at >= 0 and line <= page.entries[at].line_end else None

    def with_id(self, path: str, id_: str) -> EntryLocation | None:
        """The first entry of a page that has this id."""
        return self._page(path).by_id.get(fold(id_)) if id_ else None

    def named(self, address: str) -> EntryLocation | None:
        """The entry that an address names."""
        match = _ADDRESS.match(address)
        if match is None:
            return None
        path, id_, line = match.groups()
        return self.with_id(path, id_) if id_ else self.at(path, int(line))

    def _page(self, path: str) -> _PageEntries:
        known = self._known.get(path)
        if known is None:
            known = self._known[path] = self._read(path)
        return known

    def _read(self, path: str) -> _PageEntries:
        sql = "select id, number from page where path=? and entries>0"
        row = self._db.execute(sql, (path,)).fetchone()
        if row is None:
            return _NO_ENTRIES
        page_id, number = row
        sql = "select key, id, type, tags from unit where page=?"
        rows = {key: rest for key, *rest in self._db.execute(sql, (page_id,))}
        units = located(self._db, number, page_id)
        entries = [
            _entry(path, first, last, *rows[key])
            for key, first, last in units
            if key.endswith(ENTRY_MARK) and key in rows
        ]
        by_id = {fold(each.id): each for each in reversed(entries) if each.id}
        return _PageEntries([each.line_start for each in entries], entries, by_id)


def _entry(path: str, first: int, last: int, id_: str, type_: str, tags: str) -> EntryLocation:
    with decoding("cards"):
        tagged = tuple(json.loads(tags)) if tags else ()
    return EntryLocation(path, first, last, id_, type_, tagged)
