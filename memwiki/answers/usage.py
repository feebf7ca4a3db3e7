"""How memories are used, and what there are, as answers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from memwiki.answers.lists import ListAnswer
from memwiki.records import NamedTuple


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


class TrendPeriod(NamedTuple):
    """How much of what is there was made in a week, month or year, and how often it was recalled
    then; `start` is its first day."""

    start: str
    pages: int
    memories: int
    recalls: int


class Trend(NamedTuple):
    """How the memory grew, and of what kinds it is; the commonest first."""

    unit: str  # week, month or year
    periods: tuple[TrendPeriod, ...]  # the oldest first
    earlier_pages: int  # than the first period
    earlier_memories: int
    pages_by_file_time: int  # of those that are counted: they say no date
    undated_memories: int  # which are in no period
    recalls_since: str  # the day from which on all are known, "" for always
    page_types: Mapping[str, int]
    memory_types: Mapping[str, int]
    tags: Mapping[str, int]  # with the pages of each
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
