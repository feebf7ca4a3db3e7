"""How much a catalog may hold, so that a person can read it and a model can afford to."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from memwiki.tokens import tokens


class Size(NamedTuple):
    """What a part of a catalog takes."""

    entries: int = 0
    bytes: int = 0
    tokens: int = 0

    def plus(self, other: Size) -> Size:
        """Both together."""
        return Size(
            self.entries + other.entries, self.bytes + other.bytes, self.tokens + other.tokens
        )

    def fits(self, limit: Size) -> bool:
        """Whether it keeps every limit."""
        return (
            self.entries <= limit.entries
            and self.bytes <= limit.bytes
            and self.tokens <= limit.tokens
        )

    def part(self, number: int, of: int) -> Size:
        """So many parts of so many."""
        return Size(
            self.entries * number // of, self.bytes * number // of, self.tokens * number // of
        )


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
    found = Size()
    for each in sizes:
        found = found.plus(each)
    return found
