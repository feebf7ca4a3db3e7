"""How well recall answers questions whose pages are known, as an answer."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple


class FoundInstead(NamedTuple):
    path: str
    score: float


class Miss(NamedTuple):
    """A question that none of its pages answered."""

    question: str
    place: str  # where the question is written: `file:line`
    pages: tuple[str, ...]  # that answer it, as written
    instead: tuple[FoundInstead, ...]  # the best that came instead


@dataclass(frozen=True, slots=True)
class RecallBench:
    """How often a page that answers came first, among the first five, and how far up it came."""

    questions: int
    hit_at_1: float
    hit_at_5: float
    mrr: float  # the mean of 1 / rank, 0 beyond the limit
    limit: int
    misses: tuple[Miss, ...]
    fresh: bool = True

    def __iter__(self) -> Iterator[Miss]:
        return iter(self.misses)
