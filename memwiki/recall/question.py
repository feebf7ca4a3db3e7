"""A question as somebody asks it: prose, in which nothing is syntax but filters."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date
from typing import NamedTuple

from memwiki.index.keyword.tokens import normalise
from memwiki.recall.parse import parse_prose
from memwiki.recall.query import Filter, Query, known_fields_only
from memwiki.times.days import Days, days_in

# Words by which a question asks for causes or relations, not for what says the words.
_CAUSAL = ("因为", "所以", "为什么", "为何", "原因", "导致")
_RELATED = ("有关", "关于", "相关", "联系")
_CAUSAL_WORDS = re.compile(r"\b(?:why|because|reasons?|causes?|caused|lead(?:s|ing)? to|led to)\b")
_RELATED_WORDS = re.compile(r"\b(?:related|relations?|connected|connections?|linked)\b")


class Question(NamedTuple):
    """A question, read: its words and filters, the phrases that were quoted, the days it names,
    and whether it asks for causes or for what is related."""

    text: str
    query: Query
    phrases: tuple[str, ...] = ()
    days: tuple[Days, ...] = ()
    is_causal: bool = False
    is_relational: bool = False

    @property
    def is_deep(self) -> bool:
        """Whether it asks for more than what says its words."""
        return self.is_causal or self.is_relational


def read_question(text: str, today: date, is_known: Callable[[Filter], bool]) -> Question:
    """Read a question; a minus, a star and quotation marks exclude nothing, and a `word:word` is
    a filter only where there is such a field."""
    read = known_fields_only(parse_prose(text, today), is_known)
    parts = (*read.words, *read.prefixes, *read.excluded, *read.phrases)
    words = tuple(dict.fromkeys(word for part in parts for word in part.split()))
    folded = normalise(text).casefold()
    return Question(
        text,
        Query(" ".join(words) if read.phrases else text, words, filters=read.filters),
        read.phrases,
        days_in(normalise(text), today),
        is_causal=any(word in folded for word in _CAUSAL) or bool(_CAUSAL_WORDS.search(folded)),
        is_relational=any(w in folded for w in _RELATED) or bool(_RELATED_WORDS.search(folded)),
    )
