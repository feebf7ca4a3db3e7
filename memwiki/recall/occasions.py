"""The last time and the first time: of what holds all that is asked for, the newest or oldest."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from heapq import nlargest, nsmallest

from memwiki.index.keyword.tokens import other_forms, query_terms
from memwiki.index.units import UnitKey
from memwiki.recall.bm25 import holding_all
from memwiki.recall.channels import AnswerIndex
from memwiki.recall.filters import Conditions
from memwiki.recall.parse import Occasion, Question
from memwiki.recall.query import is_asking, is_light, text_terms
from memwiki.text import RUN

SHOWN = 3  # of those that hold all words, and of those that hold the names among them


def occasions(index: AnswerIndex, question: Question, conditions: Conditions) -> list[UnitKey]:
    """The units that say when it was the last or the first time, the likeliest first. What says no
    day is none of them."""
    own = dict(index.cards.unit_dates())
    days = {number: day for number, day, _ in index.cards.dates()}
    choose = nlargest if question.occasion is Occasion.LAST else nsmallest
    found: dict[UnitKey, None] = {}
    for terms in _asked(question):
        keys = index.snapshot.keys(_holding(index, terms))
        rows = ((own.get(key) or days.get(UnitKey(key).page, ""), key) for key in keys)
        dated = [
            (day, UnitKey(key)) for day, key in rows if day and conditions.passes(UnitKey(key))
        ]
        best = dict.fromkeys(key for _, key in choose(SHOWN, _one_a_hit(dated)))
        found |= dict.fromkeys(key for key in best if key not in found)
    return list(found)


def _asked(question: Question) -> Iterator[Sequence[str]]:
    """The terms of all words that say what is asked for, then those of the names alone."""
    every = text_terms(question.query)
    telling = [term for term in every if not is_light(term)] or every
    words = (word for word in RUN.findall(question.text) if word[0].isupper())
    names = query_terms(" ".join(word for word in words if not is_asking(word.casefold())))
    yield telling
    yield [term for term in telling if term in names]


def _holding(index: AnswerIndex, terms: Sequence[str]) -> set[int]:
    """The units that hold each of these terms in one of its forms."""
    found: set[int] | None = None
    for term in terms:
        forms = (holding_all(index.snapshot, [form]) for form in (term, *other_forms(term)))
        units = set[int]().union(*forms)
        found = units if found is None else found & units
    return found or set()


def _one_a_hit(dated: Iterable[tuple[str, UnitKey]]) -> Iterable[tuple[str, UnitKey]]:
    """Of the units of a page the first."""
    first: dict[bytes, tuple[str, UnitKey]] = {}
    for row in dated:
        known = first.setdefault(row[1].hit, row)
        if row[1] < known[1]:
            first[row[1].hit] = row
    return first.values()
