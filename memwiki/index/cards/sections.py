"""The headings of pages, packed as the cards keep them: one row a page."""

from __future__ import annotations

import json
import zlib
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence

from memwiki.index.damage import decoding
from memwiki.index.sql import batched, marks
from memwiki.index.storage import Storage
from memwiki.nouns import Section


def packed(sections: Sequence[Section]) -> bytes:
    """Headings without their trails: of each what is most alike in the next one together."""
    columns = zip(*((s.line_start, s.line_end, s.level, s.title) for s in sections), strict=True)
    return zlib.compress(json.dumps([*columns], ensure_ascii=False).encode())


def sections_in(stored: bytes) -> list[Section]:
    """The headings of a page in their order."""
    with decoding("cards"):
        rows = zip(*json.loads(zlib.decompress(stored)), strict=True)
        return [Section(title, level, (), start, stop) for start, stop, level, title in rows]


def sections_of(db: Storage, pages: Iterable[int]) -> dict[int, list[Section]]:
    """The headings of these pages, as far as they have any."""
    found: dict[int, list[Section]] = {}
    for part in batched(dict.fromkeys(pages)):
        sql = f"select page, headings from section where page in ({marks('?', part)})"
        found |= {page: sections_in(stored) for page, stored in db.execute(sql, part)}
    return found


def all_sections(db: Storage) -> Iterator[tuple[int, list[Section]]]:
    """The headings of every page that has any."""
    rows = db.execute("select page, headings from section")
    return ((page, sections_in(stored)) for page, stored in rows)


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
