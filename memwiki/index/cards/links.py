"""The links of pages as written, packed as the cards keep them: many of a page in a row.

A link is found by the row of its page and a position, which is that of its part and its place in
there. Parts of a stretch are numbered by what its links are, so that they have the same positions
wherever it stands.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from itertools import chain, groupby, islice
from operator import itemgetter
from types import MappingProxyType
from typing import Any, TypeAlias

from memwiki.index.sql import batched, in_json, marks
from memwiki.index.storage import Storage
from memwiki.index.storage_sqlite import decoding
from memwiki.index.units import LinkPart
from memwiki.markdown.stretches import stretch_number
from memwiki.nouns import Link, LinkKind
from memwiki.records import NamedTuple

LinksByPage: TypeAlias = "Iterator[tuple[int, list[PlacedLink]]]"  # by the number of each page
_IN_A_ROW = 40  # about 1,000 bytes: SQLite puts what is longer on a page of its own
_MAX_PARTS = 1 << 16  # of a stretch
_OF_STRETCHES = 1 << 40  # other parts of a page have lower numbers
FIRST_IN_A_STRETCH = _OF_STRETCHES * _MAX_PARTS * _IN_A_ROW  # of all positions
_PARTS = "select page, part, start, key, links from link"
_KINDS: Mapping[str, LinkKind] = {kind.value: kind for kind in LinkKind}
NONE_PACKED = zlib.compress(b"[]")  # the part of a stretch without a link
_Row = tuple[Any, ...]


def first_part(key: bytes) -> int:
    """The number of the first part of a stretch."""
    return (_OF_STRETCHES + stretch_number(key)) * _MAX_PARTS


def positions_in(key: bytes) -> range:
    """All positions that links of a stretch may have."""
    first = first_part(key)
    return range(first * _IN_A_ROW, (first + _MAX_PARTS) * _IN_A_ROW)


def packed(links: Iterable[Link], part: int = 0) -> Iterator[tuple[int, int, bytes]]:
    """The links of a page or stretch as rows: the number of each, how many links are in it, and
    these."""
    waiting = iter(links)
    while some := list(islice(waiting, _IN_A_ROW)):
        columns = in_json([*zip(*some, strict=True)])
        yield part, len(some), zlib.compress(columns.encode())
        part += 1


def parts_of_stretches(db: Storage, page: int) -> Mapping[bytes, Sequence[LinkPart]]:
    """The rows of the stretches of a page, by key."""
    sql = "select part, count, key, targets, tags, links from link where page=? and part>=?"
    rows = db.execute(f"{sql} order by part", (page, first_part(b"")))
    return {key: list(parts) for key, parts in groupby(rows, itemgetter(2))}


class _Columns(NamedTuple):
    """The links of a row, not made yet."""

    start: int
    columns: Sequence[Sequence[Any]]

    @classmethod
    def of(cls, start: int, stored: bytes) -> _Columns:
        columns = json.loads(zlib.decompress(stored))
        return cls(start, columns)

    def at(self, place: int) -> Link:
        """One of them."""
        return self._link_of([column[place] for column in self.columns])

    def every(self) -> list[Link]:
        """All of them."""
        return list(map(self._link_of, zip(*self.columns, strict=True)))

    def _link_of(self, values: Sequence[Any]) -> Link:
        written, text, line, kind, *rest = values
        return Link(written, text, self.start + line, _KINDS[kind], *rest)


PlacedLink: TypeAlias = tuple[int, Link]  # with its position


def links_on(
    db: Storage, pages: Iterable[int], but: Mapping[int, AbstractSet[bytes]] = MappingProxyType({})
) -> LinksByPage:
    """The links of each of these pages that has any, in the order of their lines; `but` are the
    keys of stretches that nobody asks for, by page."""
    for some in batched(sorted(pages)):
        among = f"page in ({marks('?', some)}) and count>0"
        rows = db.execute(f"{_PARTS} where {among} order by page, part", some)
        yield from _by_page(row for row in rows if row[3] not in but.get(row[0], ()))


def all_links(db: Storage) -> LinksByPage:
    """The links of every page that has any, in the order of their lines."""
    return _by_page(db.execute(f"{_PARTS} where count>0 order by page, part"))


def _by_page(rows: Iterable[_Row]) -> LinksByPage:
    with decoding("cards"):
        for page, parts in groupby(rows, itemgetter(0)):
            found = [placed for part in parts for placed in _links_of_part(*part)]
            yield page, [(row[1], link) for row, link in in_order(found)]


def _links_of_part(
    page: int, part: int, start: int, _key: bytes, stored: bytes
) -> list[tuple[_Row, Link]]:
    """The links of a part, each with its page and position."""
    links = _Columns.of(start, stored).every()
    return [((page, position), link) for position, link in enumerate(links, part * _IN_A_ROW)]


def in_order(links: list[tuple[_Row, Link]]) -> list[tuple[_Row, Link]]:
    """Rows of one page and its links, as below, in the order of their lines."""
    if any(row[1] >= FIRST_IN_A_STRETCH for row, _ in links):
        links.sort(key=lambda pair: pair[1].line)
    return links


def with_links(db: Storage, rows: Iterable[_Row]) -> Iterator[tuple[_Row, Link]]:
    """Rows that begin with the row of a page and a position on it, each with the link that stands
    there; IndexDamagedError where there is none. Of many rows one statement asks."""
    for some in batched(rows):
        with decoding("cards"):
            parts = _parts(db, {(page, position // _IN_A_ROW) for page, position, *_ in some})
            links = [parts[row[0], row[1] // _IN_A_ROW].at(row[1] % _IN_A_ROW) for row in some]
        yield from zip(some, links, strict=True)


def _parts(db: Storage, keys: Collection[tuple[int, int]]) -> Mapping[tuple[int, int], _Columns]:
    sql = (
        f"with asked(page, part) as (values {marks('(?,?)', [*keys])})"
        f" select page, part, start, links from asked {db.in_order} link using (page, part)"
    )
    found = db.execute(sql, [*chain.from_iterable(keys)])
    return {(page, part): _Columns.of(start, stored) for page, part, start, stored in found}
