"""Answers of search and recall, and the block for a system prompt."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from memwiki.nouns import Hit
from memwiki.records import FrozenRecord, NamedTuple


class VectorUse(NamedTuple):
    """Whether meaning counted, by which model, for what share of what it knows; and why not."""

    used: bool
    model: str
    covered: float
    reason: str = ""


class PlannedRound(NamedTuple):
    """What a model had recall look for beside the question, and how many hits that added."""

    query: str
    types: tuple[str, ...]
    depth: int  # links that were followed
    relations: tuple[str, ...]
    search_mode: str
    added: int


class PlanUse(NamedTuple):
    """Whether a model planned an answer, which one, round by round; and why not, or no further."""

    used: bool
    model: str
    rounds: tuple[PlannedRound, ...]
    reason: str = ""


class Recall(FrozenRecord):
    """The passages that answer a question, best first, as many as fit."""

    _uncompared = frozenset({"ms", "as_of"})

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
    ms: float | None = None  # milliseconds that it took
    as_of: str = ""  # when it was fresh, as a search tells it
    vectors: VectorUse | None = None  # where a model is set
    plan: PlanUse | None = None  # where one was asked for
    weights: Mapping[str, float] = {}  # of scores, where they are explained

    def __iter__(self) -> Iterator[Hit]:
        return iter(self.hits)


class PromptBlock(FrozenRecord):
    """Memories as a block for a system prompt; "" when nothing is known or fits."""

    _uncompared = frozenset({"ms"})

    text: str
    tokens: int  # estimated; never more than the budget
    budget: int
    hits: tuple[Hit, ...]  # of the question that are in it
    left_out: int  # memories that did not fit
    fresh: bool = True
    reason: str = ""
    ms: float | None = None  # that the answer took which is in it
    cached: bool = False

    def __iter__(self) -> Iterator[Hit]:
        return iter(self.hits)


MAX_COUNTED = 1_000  # hits, unless more are asked for


class SearchAnswer(FrozenRecord):
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
    as_of: str = ""  # when it was fresh where a watcher says so; "" where the files were looked at

    def __iter__(self) -> Iterator[Hit]:
        return iter(self.hits)


def hits_in_words(total: int, *, is_exact: bool) -> str:
    """How many hits there are, in words."""
    if is_exact:
        return str(total)
    # Words are counted to the first that is too many, phrases as far as pages were read.
    return f"over {total:,}" if total >= MAX_COUNTED else f"at least {total}"
