"""Entries as the cards know them: by id, by key, or all of them; the SQL behind them."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from memwiki.index.cards.places import located
from memwiki.index.cards.rows import field_number
from memwiki.index.damage import decoding
from memwiki.index.unit_key import ENTRY_MARK, KEY_BYTES

_COLUMNS = "page.id, page.number, path, page.type, unit.key, unit.type, unit.id, fields, tags"


class EntryCard(NamedTuple):
    """What the cards know of one entry: all but its text."""

    path: str
    page_type: str
    key: bytes  # of the unit
    line_start: int
    line_end: int
    type: str
    id: str
    fields: Mapping[str, str]
    tags: tuple[str, ...]


class EntryCards:
    """Questions about entries."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db
        self._lines: dict[int, dict[bytes, tuple[int, int]]] = {}

    def with_id(self, id_: str) -> list[EntryCard]:
        """The entries that bear an id: one, unless a copy was made."""
        return self._having(field_number("^", id_))

    def with_key(self, key: str) -> list[EntryCard]:
        """The entries with a key, struck out or not."""
        return self._having(field_number("key", key))

    def with_keys(self, keys: list[bytes]) -> dict[bytes, EntryCard]:
        """The entries behind some unit keys."""
        sql = f"select {_COLUMNS} from unit join page on page.id=unit.page where key=?"
        rows = (self._db.execute(sql, (key,)).fetchone() for key in keys)
        return {card.key: card for row in rows if row and (card := self._card(row))}

    def _having(self, number: int) -> list[EntryCard]:
        sql = (
            f"select {_COLUMNS} from unit_field join page on page.id=unit_field.page join unit on"
            " unit.page=unit_field.page and unit.key=unit_field.unit where unit_field.number=?"
        )
        rows = self._db.execute(sql, (number,)).fetchall()
        return [card for row in rows if (card := self._card(row))]

    def all(self) -> Iterator[EntryCard]:
        """All entries, page by page."""
        sql = (
            f"select {_COLUMNS} from unit join page on page.id=unit.page"
            " where substr(unit.key, ?)=? and hidden=0 order by path"
        )
        for row in self._db.execute(sql, (KEY_BYTES, ENTRY_MARK)).fetchall():
            if card := self._card(row):
                yield card

    def _card(self, row: tuple[int, int, str, str, bytes, str, str, str, str]) -> EntryCard | None:
        page, number, path, page_type, key, type_, id_, fields, tags = row
        lines = self._lines.get(page)
        if lines is None:
            found = located(self._db, number, page)
            lines = self._lines[page] = {each: (first, last) for each, first, last in found}
        if key not in lines or key[-1:] != ENTRY_MARK:
            return None
        with decoding("cards"):
            said = json.loads(fields) if fields else {}
            named = tuple(json.loads(tags)) if tags else ()
        return EntryCard(path, page_type, key, *lines[key], type_, id_, said, named)
