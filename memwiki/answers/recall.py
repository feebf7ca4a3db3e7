"""What a question recalls, as answers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from memwiki.nouns import Hit


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
