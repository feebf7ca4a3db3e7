"""How well a passage answers, score by score: pure functions, each from 0 to 1 and absolute."""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterable, Mapping
from functools import lru_cache
from math import exp, inf, log1p
from sys import byteorder
from typing import TypeAlias

from memwiki.answers.recall import Strategy
from memwiki.index.keyword.tokens import is_cjk
from memwiki.numbers import named_number

# What each strategy weighs. `hybrid` was measured: decision 20.
WEIGHTS: Mapping[Strategy, Mapping[str, float]] = {
    Strategy.HYBRID: {"text": 0.64, "overlap": 0.16, "graph": 0.2},
    Strategy.TEXT: {"text": 1.0},
    Strategy.OVERLAP: {"overlap": 1.0},
    Strategy.GRAPH: {"graph": 1.0},
    Strategy.TEMPORAL: {"text": 0.5, "time": 0.5},
    Strategy.REFERENCE: {"text": 0.5, "reference": 0.5},
    Strategy.PAGES: {"overlap": 0.5, "graph": 0.2, "time": 0.1, "reference": 0.2},
    Strategy.MEMORIES: {"text": 0.4, "importance": 0.2, "graph": 0.2, "time": 0.1, "usage": 0.1},
    Strategy.PROFILE: {"text": 0.6, "recalled": 0.2, "importance": 0.2},
}
NAMES = ("text", "overlap", "graph", "time", "reference", "importance", "usage", "recalled")
Grams: TypeAlias = frozenset[int]

_BODY = 0.4  # of the overlap; title and description count whole: decision 20
_WORDS = re.compile(r"\w+")
_GRAM, _CJK_GRAM = 3, 2  # characters; a Chinese word has two
_PACK = 4  # UTF-16 units that a number holds
_UTF16 = f"utf-16-{'le' if byteorder == 'little' else 'be'}"
_LONGEST = 800  # characters of a body that are compared
_RECALL_DAYS = 30.0


def overlap(question: str, title: str, description: str, body: str) -> float:
    """The n-gram Dice of the question as asked with the title, the description and the body,
    together: a page whose title and body both answer says more than one of them.

    Source: Dice, "Measures of the Amount of Ecologic Association Between Species", 1945.
    """
    size = _CJK_GRAM if is_cjk(question) else _GRAM
    wanted = _grams_of_question(question, size)
    named = sum(dice(wanted, _grams(text, size)) for text in (title, description) if text)
    return min(named + _BODY * dice(wanted, _grams(body, size)), 1.0)


def dice(one: Grams, other: Grams) -> float:
    """Twice what both hold, of what they hold together."""
    return 2 * len(one & other) / (len(one) + len(other)) if one and other else 0.0


def _grams(text: str, size: int) -> Grams:
    """Every so many UTF-16 units that follow each other, packed into a number, which takes half
    the time of tuples (2026-11-22); of less text all of it."""
    words = " ".join(_WORDS.findall(text[:_LONGEST].casefold()))
    units = array("H", words.encode(_UTF16, "surrogatepass"))
    count = len(units) - size + 1
    if count < 1:
        return frozenset([int.from_bytes(units.tobytes(), "big")] if units else ())
    packed = array("H", bytes(_PACK * units.itemsize * count))
    for i in range(size):
        packed[i::_PACK] = units[i : i + count]
    return frozenset(memoryview(packed).cast("B").cast("Q"))


_grams_of_question = lru_cache(maxsize=8)(_grams)


def by_age(days: float) -> float:
    """1 / (1 + days), also to a time that the question names; a time to come is today."""
    return 1 / (1 + max(days, 0.0))


def by_last_recall(days: float) -> float:
    """exp(-days since the last recall / 30)."""
    return exp(-max(days, 0.0) / _RECALL_DAYS) if days < inf else 0.0


def by_references(count: int) -> float:
    """The more links refer to it, the nearer to 1: half at between one and two."""
    return log1p(count) / (1 + log1p(count))


def by_usage(value: float) -> float:
    """The value of a memory, which has no bound, as a share."""
    return value / (1 + value) if value > 0 else 0.0


def with_phrase(text: float) -> float:
    """The text score of what holds a quoted phrase: half way to 1."""
    return (1 + text) / 2


def weighted(scores: Mapping[str, float], weights: Mapping[str, float]) -> float:
    """The weighted mean."""
    total = sum(weights.values())
    return sum(weights[name] * scores.get(name, 0.0) for name in weights) / total if total else 0.0


def with_links(weights: Mapping[str, float]) -> Mapping[str, float]:
    """The weights for a question about causes or relations: the graph, if it has a weight, has as
    much as all others together."""
    others = sum(weight for name, weight in weights.items() if name != "graph")
    return {**weights, "graph": max(others, weights["graph"])} if "graph" in weights else weights


def with_days(weights: Mapping[str, float]) -> Mapping[str, float]:
    """The weights for a question that names days: time has as much as all others together."""
    others = sum(weight for name, weight in weights.items() if name != "time")
    return {**weights, "time": max(others, weights.get("time", 0.0))}


def weights_of(strategy: Strategy, written: Iterable[str]) -> Mapping[str, float]:
    """What a strategy weighs; `hybrid` as the settings say it, where they do."""
    own = filter(None, map(named_number, written)) if strategy is Strategy.HYBRID else ()
    found = {name: weight for name, weight in own if name in NAMES and weight > 0}
    return found or WEIGHTS[strategy]
