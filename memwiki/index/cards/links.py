"""The links of pages as written, packed as the cards keep them: many of a page in a row."""

from __future__ import annotations

import json
import zlib
from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import chain, groupby, islice
from operator import itemgetter
from typing import Any

from memwiki.index.damage import decoding
from memwiki.index.sql import batched, marks
from memwiki.index.storage import Storage
from memwiki.nouns import Link, LinkKind

_IN_A_ROW = 40  # about 1,000 bytes: SQLite puts what is longer on a page of its own
_KIND = Link._fields.index("kind")
_KINDS: Mapping[str, LinkKind] = {kind.value: kind for kind in LinkKind}
_in_json = json.JSONEncoder(ensure_ascii=False).encode  # to make one takes longer
_Row = tuple[Any, ...]


def packed(links: Iterable[Link]) -> Iterator[tuple[int, int, bytes]]:
    """The links of a page as rows: the number of each, how many links are in it, and these."""
    waiting = iter(links)
    part = 0
    while some := list(islice(waiting, _IN_A_ROW)):
        columns = _in_json([*zip(*some, strict=True)])
        yield part, len(some), zlib.compress(columns.encode())
        part += 1


def _links_in(stored: bytes) -> list[Link]:
    columns = json.loads(zlib.decompress(stored))
    columns[_KIND] = map(_KINDS.__getitem__, columns[_KIND])
    return list(map(Link._make, zip(*columns, strict=True)))


def links_on(db: Storage, pages: Iterable[int]) -> Iterator[tuple[int, list[Link]]]:
    """The links of each of these pages that has any, in the order of their rows."""
    for some in batched(sorted(pages)):
        among = f"where page in ({marks('?', some)})"
        yield from _by_page(
            db.execute(f"select page, links from link {among} order by page, part", some)
        )


def all_links(db: Storage) -> Iterator[tuple[int, list[Link]]]:
    """The links of every page that has any, in the order of their rows."""
    return _by_page(db.execute("select page, links from link order by page, part"))


def _by_page(rows: Iterable[_Row]) -> Iterator[tuple[int, list[Link]]]:
    with decoding("cards"):
        for page, of_page in groupby(rows, itemgetter(0)):
            yield page, [link for _, stored in of_page for link in _links_in(stored)]


def with_links(db: Storage, rows: Iterable[_Row]) -> Iterator[tuple[_Row, Link]]:
    """Rows that begin with the row of a page and a position on it, each with the link that stands
    there; IndexDamagedError where there is none. Of many rows one statement asks."""
    for some in batched(rows):
        with decoding("cards"):
            parts = _parts(db, {(page, position // _IN_A_ROW) for page, position, *_ in some})
            links = [parts[row[0], row[1] // _IN_A_ROW][row[1] % _IN_A_ROW] for row in some]
        yield from zip(some, links, strict=True)


def _parts(db: Storage, keys: Collection[tuple[int, int]]) -> Mapping[tuple[int, int], list[Link]]:
    sql = (
        f"with asked(page, part) as (values {marks('(?,?)', [*keys])})"
        f" select page, part, links from asked {db.in_order} link using (page, part)"
    )
    found = db.execute(sql, [*chain.from_iterable(keys)])
    return {(page, part): _links_in(stored) for page, part, stored in found}
