"""The last time and the first time: of what holds all that is asked for, the newest or oldest."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from heapq import nlargest, nsmallest

from memwiki.dates import day_here, iso_date
from memwiki.index.keyword.tokens import other_forms, query_terms
from memwiki.index.units import UnitKey
from memwiki.recall.bm25 import holding_all
from memwiki.recall.channels import AnswerIndex, Passage, passages_of
from memwiki.recall.filters import Conditions
from memwiki.recall.parse import Occasion, Question
from memwiki.recall.query import is_light, text_terms
from memwiki.text import RUN, is_cjk, pattern

_MAX_SHOWN, _MAX_READ = 3, 12
_DENIED = pattern(r"\b(?:not|never|no)\b|n['’]t\b|没|沒|未(?!来)", re.IGNORECASE)
_HAPPENED = ("created", "time", "valid_from")  # fields that say when; a later edit does not


def occasions(index: AnswerIndex, question: Question, conditions: Conditions) -> list[UnitKey]:
    """The units that say when it was the last or the first time, the likeliest first. What says no
    day is none of them, nor what is still to come."""
    own, today = dict(index.cards.unit_dates(_HAPPENED)), index.today.isoformat()
    days = {number: day for number, day, _ in index.cards.dates()}
    choose = nlargest if question.occasion is Occasion.LAST else nsmallest
    for terms in _asked_terms(question):
        found: set[int] | None = None
        for term in terms:
            forms = (holding_all(index.snapshot, [form]) for form in (term, *other_forms(term)))
            units = set[int]().union(*forms)
            found = units if found is None else found & units
        keys = map(UnitKey, index.snapshot.keys(found or set()))
        rows = ((iso_date(own.get(key) or days.get(key.page, "")), key) for key in keys)
        past = ((day, key) for day, key in rows if "" < day_here(day) <= today)
        dated = [(day, key) for day, key in past if conditions.passes(key)]
        if dated:
            chosen = [key for _, key in choose(_MAX_READ, _one_a_hit(dated))]
            return _told_ones(index, chosen)[:_MAX_SHOWN]
    return []


def _told_ones(index: AnswerIndex, keys: list[UnitKey]) -> list[UnitKey]:
    """Those of which none is a memory of what was planned or did not happen, if there are any."""
    read = passages_of(keys, index.lookup, index.texts)
    left = [key for key in keys if key not in read or _has_happened(read[key], index.today)]
    return left or keys


def _has_happened(passage: Passage, today: date) -> bool:
    from memwiki.judgement.statement_words import LATER, ZH_MARKS  # few questions ask for a time
    from memwiki.times.days import days_in

    said = passage.said
    if passage.key.is_block:
        return True
    is_other = LATER.search(said) or _DENIED.search(said) or re.search(ZH_MARKS["later"], said)
    return not is_other and all(days.first <= today for days in days_in(said, today))


def _asked_terms(question: Question) -> Iterator[Sequence[str]]:
    """The terms of all words that say what is asked for, then of the names with one of the others
    each, then of the names alone."""
    every = text_terms(question.query)
    telling = [term for term in every if not is_light(term)] or every
    wanted = query_terms(" ".join(_names_in(question.text)))
    names = [term for term in telling if term in wanted]
    yield telling
    if names:
        yield from ([*names, term] for term in telling if term not in names)
        yield names


def _names_in(question: str) -> Iterator[str]:
    """Words with a capital that do not only begin a sentence."""
    for match in RUN.finditer(question):
        before = question[: match.start()].rstrip()
        begins = not before or before[-1] in ".?!:"
        if match[0][0].isupper() and (not begins or is_cjk(question)):
            yield match[0]


def _one_a_hit(dated: Iterable[tuple[str, UnitKey]]) -> Iterable[tuple[str, UnitKey]]:
    """Of the units of a page the first."""
    first: dict[bytes, tuple[str, UnitKey]] = {}
    for row in dated:
        known = first.setdefault(row[1].hit, row)
        if row[1] < known[1]:
            first[row[1].hit] = row
    return first.values()
