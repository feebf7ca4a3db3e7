"""Where the headings and units of pages are, packed as the cards keep it, and what entries and
messages say of themselves."""

from __future__ import annotations

import json
import zlib
from bisect import bisect_right
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from heapq import heappop, heappush
from itertools import accumulate, chain, groupby
from operator import itemgetter
from types import MappingProxyType

from memwiki.index.sql import batched, in_json, marks
from memwiki.index.storage import Storage
from memwiki.index.storage_sqlite import decoding
from memwiki.index.units import (
    KEY_BYTES,
    ExistingUnits,
    Places,
    UnitKey,
    page_bytes,
    page_number,
)
from memwiki.markdown.stretches import PLACE
from memwiki.nouns import Section, UnitKind
from memwiki.records import NamedTuple, grouped

_Heading = tuple[int, int, int, str]  # the first and the last line, the level and the text


def packed_sections(sections: Sequence[Section]) -> bytes:
    """Headings without their trails: of each what is most alike in the next one together."""
    columns = zip(*((s.line_start, s.line_end, s.level, s.title) for s in sections), strict=True)
    return zlib.compress(in_json([*columns]).encode())


def section_of(heading: _Heading) -> Section:
    """A heading as it is kept."""
    start, stop, level, title = heading
    return Section(title, level, (), start, stop)


def _headings_in(stored: bytes) -> list[_Heading]:
    with decoding("cards"):
        starts, stops, levels, titles = json.loads(zlib.decompress(stored))
        return [*zip(starts, stops, levels, titles, strict=True)]


def headings_of(db: Storage, pages: Iterable[int]) -> dict[int, list[_Heading]]:
    """What is kept of the headings of these pages, as far as they have any, in their order: the
    first and the last line, the level and the text."""
    found: dict[int, list[_Heading]] = {}
    for part in batched(dict.fromkeys(pages)):
        sql = f"select page, headings from section where page in ({marks('?', part)})"
        found |= {page: _headings_in(stored) for page, stored in db.execute(sql, part)}
    return found


def sections_of(db: Storage, pages: Iterable[int]) -> dict[int, list[Section]]:
    """The headings of these pages, as far as they have any."""
    return {page: [*map(section_of, rows)] for page, rows in headings_of(db, pages).items()}


def all_sections(db: Storage) -> Iterator[tuple[int, list[Section]]]:
    """The headings of every page that has any."""
    rows = db.execute("select page, headings from section")
    return ((page, [*map(section_of, _headings_in(stored))]) for page, stored in rows)


class Trails:
    """The headings above the lines of a page."""

    def __init__(self, sections: Sequence[Section]) -> None:
        self._sections = sections
        self._starts = [each.line_start for each in sections]
        self._outer: list[int] = []  # of each the one around it, -1 for none
        for at, section in enumerate(sections):
            self._outer.append(self._covering(at - 1, section.line_start))

    def _covering(self, at: int, line: int) -> int:
        """Of a section and those around it the innermost that reaches to a line behind its
        start."""
        while at >= 0 and self._sections[at].line_end < line:
            at = self._outer[at]
        return at

    def at(self, line: int) -> str:
        """Those above one line, the outermost first, joined."""
        titles: list[str] = []
        at = self._covering(bisect_right(self._starts, line) - 1, line)
        while at >= 0:
            titles.append(self._sections[at].title)
            at = self._outer[at]
        return " > ".join(reversed(titles))


FEW = 16  # units that are searched for rather than met on the way
_COLUMNS = "start, place.digest, places, named"
_Stored = tuple[int, bytes, bytes, bytes]
Located = tuple[bytes, int, int]  # the key of a unit, its first and its last line


def unit_count(db: Storage) -> int:
    """How many units the pages are cut into; the places themselves are not read."""
    sql = f"select coalesce(sum(length(places)), 0) / {PLACE.size} from place"
    return int(db.execute(sql).fetchone()[0])


def existing_units(db: Storage, page_id: int, digest: str, path: str) -> ExistingUnits:
    """The units of a page."""
    from memwiki.index.cards.links import parts_of_stretches  # no search reads one

    with decoding("cards"):
        rows = places_of(db, page_id)
        found = ExistingUnits(digest, page_number(path), rows, parts_of_stretches(db, page_id))
        _ = found.stretches  # what is damaged is met here
    return found


def lines_of(db: Storage, page_id: int, names: Collection[bytes]) -> dict[bytes, tuple[int, int]]:
    """The first and last line of those units of a page that have these names."""
    return lines_in(_rows_of(db, page_id), names)


def lines_in(stored: Iterable[_Stored], names: Collection[bytes]) -> dict[bytes, tuple[int, int]]:
    """The same, given the rows of the page."""
    rows = [Places(*row) for row in stored]
    with decoding("cards"):
        if len(names) > FEW:
            wanted = frozenset(names)
            return {
                name: (row.start + first, row.start + last)
                for row in rows
                for name, first, last in PLACE.iter_unpack(row.places)
                if name in wanted
            }
        # One search in all of them: a long page has hundreds of rows.
        every = Places(0, b"", b"".join(row.places for row in rows))
        ends = [*accumulate(len(row.places) for row in rows)]
        found = ((name, every.place_of(name)) for name in names)
        return {name: _lines_at(at, rows, ends) for name, at in found if at >= 0}


def _lines_at(at: int, rows: Sequence[Places], ends: Sequence[int]) -> tuple[int, int]:
    """The first and last line of the place that begins here in the joined places of rows, each of
    which ends there."""
    i = bisect_right(ends, at)
    return rows[i].lines_at(at - ends[i] + len(rows[i].places))


def in_order(
    db: Storage, page_id: int, of_page: bytes, is_wanted: Callable[[bytes], bool]
) -> Iterator[Located]:
    """Those units of a page whose keys are wanted in the order of their lines; what is behind the
    last one that is taken is not looked at."""
    waiting: list[tuple[int, int, bytes]] = []
    for row in sorted(places_of(db, page_id), key=itemgetter(0)):
        while waiting and waiting[0][0] < row.start:  # no unit of a row is above its start
            first, last, key = heappop(waiting)
            yield key, first, last
        with decoding("cards"):
            for name, first, last in row.located():
                if is_wanted(of_page + name):
                    heappush(waiting, (first, last, of_page + name))
    for first, last, key in sorted(waiting):
        yield key, first, last


def first_line(db: Storage, page_id: int) -> int:
    """The line on which the first unit of a page begins, 0 where there is none."""
    sql = f"select {_COLUMNS} from place where page=? order by start limit 2"
    rows = db.execute(sql, (page_id,))
    with decoding("cards"):
        return min((Places(*row).lines_at(0)[0] for row in rows), default=0)


def located(db: Storage, where: str = "true", *values: int) -> Iterator[Located]:
    """The units of all pages, or of those that a condition picks, by path and line."""
    sql = f"select number, {_COLUMNS} from page join place on page.id=page where {where}"
    found = db.execute(f"{sql} order by path, start", values)
    for number, rows in groupby(found, itemgetter(0)):
        of_page = page_bytes(number)
        with decoding("cards"):
            units = [
                (of_page + name, first, last)
                for _, *row in rows
                for name, first, last in Places(*row).located()
            ]
        yield from sorted(units, key=itemgetter(1))


def place_rows_of(
    db: Storage, numbers: Iterable[int]
) -> Iterator[tuple[int, int, int, bytes, bytes, bytes]]:
    """What is kept of the places of many pages, after the number and the row of each page."""
    for part in batched(numbers):
        yield from db.execute(
            f"with asked(number) as (values {marks('(?)', part)})"
            f" select number, page.id, {_COLUMNS}"
            f" from asked {db.in_order} page using (number)"
            f" {db.in_order} place on place.page=page.id"
            " order by number, start",
            part,
        )


def places_of(db: Storage, page_id: int) -> list[Places]:
    """The places of the units of a page, what stands in no stretch first."""
    return [Places(*row) for row in _rows_of(db, page_id)]


def _rows_of(db: Storage, page_id: int) -> list[_Stored]:
    sql = f"select {_COLUMNS} from place where page=? order by start"
    return db.execute(sql, (page_id,)).fetchall()


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


def locations_of(db: Storage, keys: Iterable[UnitKey]) -> dict[UnitKey, UnitLocation]:
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


def _places_of(db: Storage, keys: Iterable[UnitKey]) -> dict[UnitKey, _UnitPlace]:
    by_page = grouped((key.page, key) for key in keys)
    found: dict[UnitKey, _UnitPlace] = {}
    for (number, page), rows in groupby(place_rows_of(db, by_page), itemgetter(0, 1)):
        mine = by_page[number]
        lines = lines_in([row[2:] for row in rows], {key.name for key in mine})
        for key in mine:
            if key.name in lines:
                found[key] = _UnitPlace(key, page, *lines[key.name])
    return found


def _unit_rows(db: Storage, places: Iterable[_UnitPlace]) -> dict[bytes, _Row]:
    found: dict[bytes, _Row] = {}
    for part in batched((place.page, place.key) for place in places):
        sql = (
            f"with asked(page, key) as (values {marks('(?,?)', part)})"
            f" select key, type, id, tags, fields from asked {db.in_order} unit using (page, key)"
        )
        rows = db.execute(sql, list(chain.from_iterable(part)))
        found |= {key: tuple(rest) for key, *rest in rows}
    return found


def _trails_of(db: Storage, places: Collection[_UnitPlace]) -> dict[bytes, str]:
    """The headings above each unit, the outermost first, joined."""
    found = sections_of(db, (place.page for place in places))
    trails = {page: Trails(sections) for page, sections in found.items()}
    return {p.key: trails[p.page].at(p.line_start) for p in places if p.page in trails}


def _located(db: Storage, place: _UnitPlace, row: _Row | None, trail: str) -> UnitLocation:
    key, page, first, last = place
    if row is None:
        return UnitLocation(key, key.page, key.kind, "", first, last, "", "", ())
    type_, id_, *said = row
    tagged, values = tags_and_fields(*said)
    if key.kind is not UnitKind.ENTRY:
        trail = " ".join(filter(None, (type_, values.get("name", ""), values.get("time", ""))))
    if key.kind is UnitKind.PART and not id_:
        id_ = _id_of_message(db, page, key.hit)
    return UnitLocation(key, key.page, key.kind, trail, first, last, type_, id_, tagged, values)


def tags_and_fields(tags: str, fields: str) -> tuple[tuple[str, ...], Mapping[str, str]]:
    """What an entry or message says of itself, as it is kept."""
    with decoding("cards"):
        return tuple(json.loads(tags)) if tags else (), json.loads(fields) if fields else _NO_FIELDS


def _id_of_message(db: Storage, page: int, start: bytes) -> str:
    """The id of a long message, by what the keys of its parts begin with: one part has it."""
    sql = "select id from unit where page=? and key>=? and key<? and id<>''"
    end = start + b"\xff" * (KEY_BYTES - len(start))
    row = db.execute(sql, (page, start, end)).fetchone()
    return str(row[0]) if row else ""
