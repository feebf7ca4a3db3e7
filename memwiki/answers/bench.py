"""How well recall answers, as answers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from memwiki.records import FrozenRecord


class FoundInstead(NamedTuple):
    path: str
    score: float


class Miss(NamedTuple):
    """A question that none of its pages answered."""

    question: str
    place: str  # where the question is written: `file:line`
    pages: tuple[str, ...]  # that answer it, as written
    instead: tuple[FoundInstead, ...]  # the best that came instead


class RecallBench(FrozenRecord):
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


class VaultBench(FrozenRecord):
    """How recall finds the pages of a vault by questions made of them."""

    questions: int
    kinds: tuple[KindRate, ...]
    hard: tuple[HardPage, ...]
    limit: int
    trial: SettingTrial | None = None
    fresh: bool = True

    def __iter__(self) -> Iterator[HardPage]:
        return iter(self.hard)


class ExtractRate(NamedTuple):
    """Talks of one language, or all, by what a model proposed of them."""

    language: str  # as the talks say it; all
    talks: int  # that were answered as asked
    expected: int  # facts
    proposed: int  # supported ones: what is set aside is none
    found: int  # expected facts that one proposed fact says
    doubles: int  # proposed facts that say an expected one once more
    junk: int  # proposed facts that say no expected one
    aside: int  # facts that the lines they cite do not support
    precision: float | None  # found of those that are proposed; None where none is
    recall: float | None  # found of those that are expected


class MissedFact(NamedTuple):
    """An expected fact that nothing proposed says."""

    place: str  # where the talk is written: `file:line`
    words: tuple[str, ...]  # that a sentence has to have; `a|b` is one or the other


class JunkFact(NamedTuple):
    """A proposed fact that nobody expected."""

    place: str
    text: str


class ExtractBench(FrozenRecord):
    """What the model that is set makes of talks whose facts are known."""

    model: str  # the host and the model
    rates: tuple[ExtractRate, ...]  # by language, then all
    missed: tuple[MissedFact, ...]
    junk: tuple[JunkFact, ...]
    invalid: int  # talks whose reply was not as asked; they are in no rate
    waiting: int  # talks that were not asked any more
    calls: int  # that reached a model
    tokens_in: int
    tokens_out: int
    error: str = ""  # why the rest waits
    hint: str = ""

    def __iter__(self) -> Iterator[MissedFact]:
        return iter(self.missed)
