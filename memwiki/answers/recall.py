"""Answers of search and recall, the block for a system prompt, and how memories are used."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from memwiki.answers.lists import ListAnswer
from memwiki.nouns import Hit

MAX_COUNTED = 1_000  # hits, unless more are asked for


@dataclass(frozen=True, slots=True)
class SearchAnswer:
    """The best hits; `total` says how many there are, as far as they were counted."""

    query: str
    fresh: bool
    pending: int | None
    total: int
    fallback: bool
    hits: tuple[Hit, ...]
    reason: str = ""
    notes: tuple[str, ...] = ()  # what was taken otherwise than it was asked
    total_exact: bool = True  # else there are more than `total`, or it is not known
    words: tuple[str, ...] = ()  # of the excerpts, those that match

    def __iter__(self) -> Iterator[Hit]:
        return iter(self.hits)


def hits_in_words(total: int, *, is_exact: bool) -> str:
    """How many hits there are, in words."""
    if is_exact:
        return str(total)
    # Words are counted to the first that is too many, phrases as far as pages were read.
    return f"over {total:,}" if total >= MAX_COUNTED else f"at least {total}"


class VectorUse(NamedTuple):
    """Whether meaning counted, by which model, for what share of what it knows; and why not."""

    used: bool
    model: str
    covered: float
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Recall:
    """The passages that answer a question, best first, as many as fit."""

    question: str
    mode: str  # fast or deep, as it was answered
    fresh: bool
    pending: int | None
    reason: str
    total: int  # that may answer, of the best 50 by text and what the graph added
    fallback: bool  # whether words were only found as parts of others
    min_score: float
    has_relevant: bool  # whether text or graph alone say that anything here answers
    hits: tuple[Hit, ...]
    left_out: Mapping[str, int]  # by reason: superseded, archived, private, over budget ...
    tokens: int  # of the hits as lines of a prompt, estimated
    cached: bool = False
    ms: float | None = field(default=None, compare=False)  # milliseconds that it took
    vectors: VectorUse | None = None  # where a model is set

    def __iter__(self) -> Iterator[Hit]:
        return iter(self.hits)


@dataclass(frozen=True, slots=True)
class PromptBlock:
    """Memories as a block for a system prompt; "" when nothing is known or fits."""

    text: str
    tokens: int  # estimated; never more than the budget
    budget: int
    hits: tuple[Hit, ...]  # of the question that are in it
    left_out: int  # memories that did not fit
    fresh: bool = True
    reason: str = ""
    ms: float | None = field(default=None, compare=False)  # that the answer took which is in it
    cached: bool = False

    def __iter__(self) -> Iterator[Hit]:
        return iter(self.hits)


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
