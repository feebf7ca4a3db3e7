"""How well recall answers, as answers."""

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


class KindRate(NamedTuple):
    """Questions of one kind, or of all, by how their pages were found."""

    kind: str  # title, heading, sentence, entry, all
    questions: int
    hit_at_1: float
    hit_at_5: float
    mrr: float


class HardPage(NamedTuple):
    """A page, or an entry as `path:line`, that did not come among the first five."""

    path: str
    kind: str
    question: str
    rank: int  # 0 where it did not come at all
    why: tuple[str, ...]  # what may be the cause
    instead: tuple[FoundInstead, ...]  # the best that came before it


class SettingTrial(NamedTuple):
    """The same questions with one setting changed; the difference is that of the MRR."""

    setting: str
    hit_at_1: float
    hit_at_5: float
    mrr: float
    difference: float
    low: float  # where the difference lies in 95 of 100 drawings
    high: float
    better: int  # questions
    worse: int


@dataclass(frozen=True, slots=True)
class VaultBench:
    """How recall finds the pages of a vault by questions made of them."""

    questions: int
    kinds: tuple[KindRate, ...]
    hard: tuple[HardPage, ...]
    limit: int
    trial: SettingTrial | None = None
    fresh: bool = True

    def __iter__(self) -> Iterator[HardPage]:
        return iter(self.hard)
