"""Where units stand and what entries and messages say of themselves, many at once."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from itertools import chain, groupby
from operator import itemgetter
from types import MappingProxyType
from typing import Any, NamedTuple

from memwiki.index.cards.places import lines_in, place_rows_of
from memwiki.index.damage import decoding
from memwiki.index.sql import batched, marks
from memwiki.index.storage_sqlite import IN_ORDER, Connection
from memwiki.index.unit_key import KEY_BYTES, UnitKey
from memwiki.model import UnitKind

_NO_FIELDS: Mapping[str, str] = MappingProxyType({})
_Row = tuple[str, str, str, str]  # type, id, tags and fields as the cards keep them


class UnitLocation(NamedTuple):
    """Where a unit stands."""

    key: UnitKey
    page: int
    kind: str
    section: str
    line_start: int
    line_end: int
    type: str
    id: str
    tags: tuple[str, ...]
    fields: Mapping[str, str] = _NO_FIELDS


class _UnitPlace(NamedTuple):
    """A unit, the row of its page, and its lines."""

    key: UnitKey
    page: int
    line_start: int
    line_end: int


def locations_of(db: Connection, keys: Iterable[UnitKey]) -> dict[UnitKey, UnitLocation]:
    """Where these units stand, as far as they are known."""
    wanted = list(dict.fromkeys(keys))
    places = _places_of(db, wanted)
    others = [place for place in places.values() if not place.key.is_block]
    rows = _unit_rows(db, others)
    trails = _trails_of(db, [place for place in others if place.key.kind is UnitKind.ENTRY])
    found = ((key, places[key]) for key in wanted if key in places)
    return {
        key: _located(db, place, rows.get(key), trails.get(key, ""))
        for key, place in found
        if key.is_block or key in rows  # else it went since its place was read
    }


def _places_of(db: Connection, keys: Iterable[UnitKey]) -> dict[UnitKey, _UnitPlace]:
    by_page: dict[int, list[UnitKey]] = {}
    for key in keys:
        by_page.setdefault(key.page, []).append(key)
    found: dict[UnitKey, _UnitPlace] = {}
    for (number, page), rows in groupby(place_rows_of(db, by_page), itemgetter(0, 1)):
        mine = by_page[number]
        lines = lines_in([row[2:] for row in rows], {key.name for key in mine})
        for key in mine:
            if key.name in lines:
                found[key] = _UnitPlace(key, page, *lines[key.name])
    return found


def _unit_rows(db: Connection, places: Iterable[_UnitPlace]) -> dict[bytes, _Row]:
    found: dict[bytes, _Row] = {}
    for part in batched((place.page, place.key) for place in places):
        sql = (
            f"with asked(page, key) as (values {marks('(?,?)', part)})"
            f" select key, type, id, tags, fields from asked {IN_ORDER} unit using (page, key)"
        )
        rows = db.execute(sql, list(chain.from_iterable(part)))
        found |= {key: tuple(rest) for key, *rest in rows}
    return found


def _trails_of(db: Connection, places: Iterable[_UnitPlace]) -> dict[bytes, str]:
    """The headings above each unit, the outermost first, joined."""
    found: dict[bytes, list[str]] = {}
    for part in batched((place.key, place.page, place.line_start) for place in places):
        sql = (
            f"with asked(key, page, line) as (values {marks('(?,?,?)', part)})"
            f" select key, title from asked {IN_ORDER} section using (page)"
            " where start<=line and stop>=line order by start"
        )
        for key, title in db.execute(sql, list(chain.from_iterable(part))):
            found.setdefault(key, []).append(title)
    return {key: " > ".join(titles) for key, titles in found.items()}


def _located(db: Connection, place: _UnitPlace, row: _Row | None, trail: str) -> UnitLocation:
    key, page, first, last = place
    if row is None:
        return UnitLocation(key, key.page, key.kind, "", first, last, "", "", ())
    type_, id_, tags, fields = row
    with decoding("cards"):
        tagged: tuple[str, ...] = tuple(json.loads(tags)) if tags else ()
        values: Mapping[str, Any] = json.loads(fields) if fields else _NO_FIELDS
    if key.kind is not UnitKind.ENTRY:
        trail = " ".join(filter(None, (type_, values.get("name", ""), values.get("time", ""))))
    if key.kind is UnitKind.PART and not id_:
        id_ = _id_of_message(db, page, key.hit)
    return UnitLocation(key, key.page, key.kind, trail, first, last, type_, id_, tagged, values)


def _id_of_message(db: Connection, page: int, start: bytes) -> str:
    """The id of a long message, by what the keys of its parts begin with: one part has it."""
    sql = "select id from unit where page=? and key>=? and key<? and id<>''"
    end = start + b"\xff" * (KEY_BYTES - len(start))
    row = db.execute(sql, (page, start, end)).fetchone()
    return str(row[0]) if row else ""
