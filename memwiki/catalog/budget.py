"""How much a catalog may hold, so that a person can read it and a model can afford to."""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce
from operator import add, le

from memwiki.records import NamedTuple
from memwiki.text import tokens


class Size(NamedTuple):
    """What a part of a catalog takes."""

    entries: int = 0
    bytes: int = 0
    tokens: int = 0

    def plus(self, other: Size) -> Size:
        """Both together."""
        return Size(*map(add, self, other))

    def fits(self, limit: Size) -> bool:
        """Whether it keeps every limit."""
        return all(map(le, self, limit))

    def part(self, number: int, of: int) -> Size:
        """So many parts of so many."""
        return Size(*(each * number // of for each in self))


NOTHING = Size()
BUDGET = Size(200, 48_000, 12_000)
# What is left for entries once the lines around them are written: markers, headings, the way up.
LIMIT = Size(200, 46_000, 11_500)
# The root's router also shows where to start, what is recent, linked to and wanted.
ROUTER_LIMIT = Size(150, 32_000, 8_000)
HIGHLIGHT_LIMIT = Size(10, 3_500, 875)  # for each of these four lists


def size_of(line: str, entries: int = 1) -> Size:
    """What one line takes, with its end."""
    return Size(entries, len(line.encode("utf-8", "surrogatepass")) + 1, tokens(line))


def total(sizes: Iterable[Size]) -> Size:
    """All of them together."""
    return reduce(Size.plus, sizes, Size())
