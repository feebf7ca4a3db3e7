"""How memories are used, and how well recall answers known questions, as answers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from memwiki.answers.lists import ListAnswer


class UsageRow(NamedTuple):
    """How often an entry, a page or an entity was recalled, how well, and when last."""

    kind: str  # entry, page or entity
    name: str  # id (or the hash of the text of an entry without one), path, or folded name
    recalls: int
    mean_score: float
    last_recalled: str  # "" for never


@dataclass(frozen=True, slots=True)
class UsageList(ListAnswer[UsageRow]):
    """What was recalled most, or what a query recalled, the best first."""

    usage: tuple[UsageRow, ...]
    total: int
    fresh: bool = True


class TrailRow(NamedTuple):
    """What one question recalled."""

    at: str
    query: str
    recalled: tuple[str, ...]  # ids, paths and names as in a `UsageRow`, the best first


@dataclass(frozen=True, slots=True)
class TrailList(ListAnswer[TrailRow]):
    """Which questions led to what, the newest first."""

    trails: tuple[TrailRow, ...]
    total: int
    fresh: bool = True


@dataclass(frozen=True, slots=True)
class Metrics:
    """What memories there are, and how recall does; None where there is nothing to tell it by."""

    memories: Mapping[str, int]  # by type, the commonest first
    average_importance: float | None
    never_recalled: float | None  # the share of the memories
    recalls: int  # of the last 1,000, those that tell how long they took
    p50_ms: float | None
    p99_ms: float | None
    cache_hit_rate: float | None
    fresh: bool = True


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
