"""Where the units of pages stand, as the cards keep it: packed, a row for each long stretch."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from itertools import chain, groupby
from operator import itemgetter

from memwiki.index.damage import decoding
from memwiki.index.places import HeldUnits, Places, names_in
from memwiki.index.sql import batched, marks
from memwiki.index.storage_sqlite import IN_ORDER, Connection
from memwiki.index.unit_key import page_number
from memwiki.markdown.stretches import PLACE

_FEW = 32  # units that are searched for rather than met on the way
_COLUMNS = "start, place.digest, places, named"
_Stored = tuple[int, bytes, bytes, bytes]
Located = tuple[bytes, int, int]  # the key of a unit, its first and its last line


def unit_count(db: Connection) -> int:
    """How many units the pages are cut into; the places themselves are not read."""
    sql = f"select coalesce(sum(length(places)), 0) / {PLACE.size} from place"
    return int(db.execute(sql).fetchone()[0])


def held_units(db: Connection, page_id: int, digest: str, path: str) -> HeldUnits:
    """The units of a page, and the places of each stretch as they would be without twins."""
    rows = [Places(*row) for row in _rows_of(db, page_id)]
    number = page_number(path)
    with decoding("cards"):
        names = chain.from_iterable(names_in(row.places) for row in rows)
        keys = frozenset(map(number.__add__, names))
        stretches = {row.digest: row.untwinned for row in rows if row.digest}
    return HeldUnits(digest, keys, stretches)


def lines_of(
    db: Connection, page_id: int, names: Collection[bytes]
) -> dict[bytes, tuple[int, int]]:
    """The first and last line of those units of a page that have these names."""
    return lines_in(_rows_of(db, page_id), names)


def lines_in(stored: Iterable[_Stored], names: Collection[bytes]) -> dict[bytes, tuple[int, int]]:
    """The same, given the rows of the page."""
    rows = (Places(*row) for row in stored)
    with decoding("cards"):
        if len(names) > _FEW:
            located = (each for row in rows for each in row.located())
            return {name: (first, last) for name, first, last in located if name in names}
        found = ((row, name, row.place_of(name)) for row in rows for name in names)
        return {name: row.lines_at(at) for row, name, at in found if at >= 0}


def first_line(db: Connection, page_id: int) -> int:
    """The line on which the first unit of a page begins, 0 where there is none."""
    sql = f"select {_COLUMNS} from place where page=? order by start limit 2"
    rows = db.execute(sql, (page_id,))
    with decoding("cards"):
        return min((Places(*row).lines_at(0)[0] for row in rows), default=0)


def trail_at(db: Connection, page_id: int, line: int) -> str:
    """The headings above a line, the outermost first, joined."""
    sql = "select title from section where page=? and start<=? and stop>=? order by start"
    return " > ".join(title for (title,) in db.execute(sql, (page_id, line, line)))


def located(db: Connection, number: int, page_id: int) -> list[Located]:
    """The units of a page in the order of their lines."""
    return _in_order(number.to_bytes(8, "big", signed=True), _rows_of(db, page_id))


def all_located(db: Connection) -> Iterator[tuple[str, list[Located]]]:
    """The units of every page that has any, by path."""
    found = db.execute(
        f"select path, number, {_COLUMNS} from page join place on page.id=page order by path, start"
    )
    for (path, number), rows in groupby(found, itemgetter(0, 1)):
        of_page = number.to_bytes(8, "big", signed=True)
        yield path, _in_order(of_page, [row[2:] for row in rows])


def place_rows_of(
    db: Connection, numbers: Iterable[int]
) -> Iterator[tuple[int, int, int, bytes, bytes, bytes]]:
    """What is kept of the places of many pages, after the number and the row of each page."""
    for part in batched(numbers):
        yield from db.execute(
            f"with asked(number) as (values {marks('(?)', part)})"
            f" select number, page.id, {_COLUMNS}"
            f" from asked {IN_ORDER} page using (number) {IN_ORDER} place on place.page=page.id"
            " order by number, start",
            part,
        )


def _rows_of(db: Connection, page_id: int) -> list[_Stored]:
    sql = f"select {_COLUMNS} from place where page=? order by start"
    return db.execute(sql, (page_id,)).fetchall()


def _in_order(number: bytes, rows: list[_Stored]) -> list[Located]:
    with decoding("cards"):
        found = [
            (number + name, first, last)
            for row in rows
            for name, first, last in Places(*row).located()
        ]
    if len(rows) > 1:
        found.sort(key=itemgetter(1))
    return found
