"""The links of pages as written, packed as the cards keep them: many of a page in a row."""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, groupby, islice
from operator import itemgetter

from memwiki.index.damage import decoding
from memwiki.index.storage import Storage
from memwiki.nouns import Link, LinkKind

_IN_A_ROW = 40  # about 1,000 bytes: SQLite puts what is longer on a page of its own
_MAX_KEPT = 500  # rows that are kept unpacked
_KIND = Link._fields.index("kind")
_KINDS: Mapping[str, LinkKind] = {kind.value: kind for kind in LinkKind}


def packed(links: Iterable[Link]) -> Iterator[tuple[int, int, bytes]]:
    """The links of a page as rows: the number of each, how many links are in it, and these."""
    waiting = iter(links)
    part = 0
    while some := list(islice(waiting, _IN_A_ROW)):
        columns = json.dumps([*zip(*some, strict=True)], ensure_ascii=False)
        yield part, len(some), zlib.compress(columns.encode())
        part += 1


def _links_in(stored: bytes) -> list[Link]:
    columns = json.loads(zlib.decompress(stored))
    columns[_KIND] = map(_KINDS.__getitem__, columns[_KIND])
    return list(map(Link._make, zip(*columns, strict=True)))


def links_on(db: Storage, page: int) -> list[Link]:
    """The links of a page in their order."""
    rows = db.execute("select links from link where page=? order by part", (page,))
    with decoding("cards"):
        return [link for (stored,) in rows for link in _links_in(stored)]


def all_links(db: Storage) -> Iterator[tuple[int, Iterable[Link]]]:
    """The links of every page that has any, in the order of their rows."""
    rows = db.execute("select page, links from link order by page, part")
    with decoding("cards"):
        for page, of_page in groupby(rows, itemgetter(0)):
            yield page, chain.from_iterable(_links_in(stored) for _, stored in of_page)


class LinksByPlace:
    """Links by the row of their page and their position on it, for one question."""

    def __init__(self, db: Storage) -> None:
        self._db = db
        self._parts: dict[tuple[int, int], list[Link]] = {}

    def at(self, page: int, position: int) -> Link:
        """One of them; IndexDamagedError where it is not there."""
        part, place = divmod(position, _IN_A_ROW)
        with decoding("cards"):
            return (self._parts.get((page, part)) or self._read(page, part))[place]

    def _read(self, page: int, part: int) -> list[Link]:
        if len(self._parts) == _MAX_KEPT:
            self._parts.clear()
        sql = "select links from link where page=? and part=?"
        (stored,) = self._db.execute(sql, (page, part)).fetchone()
        links = self._parts[page, part] = _links_in(stored)
        return links
