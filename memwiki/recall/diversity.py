"""Not the same thing twice."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from math import ceil
from typing import TypeVar

T = TypeVar("T")
_WORDS = re.compile(r"\w+")
_ASCII_WORDS = {i: chr(i).lower() if _WORDS.match(chr(i)) else " " for i in range(128)}
_SAME = 0.9  # of the words of two passages
_LONGEST = 800  # characters at either end that are compared


def distinct(rows: Iterable[T], text: Callable[[T], str]) -> list[tuple[T, int]]:
    """The rows of which no earlier one says nearly the same, each with how many later ones do."""
    kept: list[T] = []
    sayings: list[frozenset[str]] = []
    counts: list[int] = []
    for row in rows:
        words = _words_of(_ends(text(row)))
        twin = _twin(words, sayings)
        if twin is None:
            kept.append(row)
            sayings.append(words)
            counts.append(0)
        else:
            counts[twin] += 1
    return list(zip(kept, counts, strict=True))


def _ends(text: str) -> str:
    return text if len(text) <= 2 * _LONGEST else f"{text[:_LONGEST]} {text[-_LONGEST:]}"


def _words_of(text: str) -> frozenset[str]:
    if text.isascii():  # a third of the time that the expression takes (2026-11-22)
        return frozenset(text.translate(_ASCII_WORDS).split())
    return frozenset(_WORDS.findall(text.casefold()))


def _twin(words: frozenset[str], sayings: Sequence[frozenset[str]]) -> int | None:
    """The first of these sets of words that is nearly the same, by Jaccard.

    Most differ in size already, or hold none of the longest words: of so many words that not all
    may be missing.
    """
    least = ceil(_SAME * len(words))
    most = len(words) / _SAME
    probe = sorted(words, key=len)[least - 1 :]
    for i, other in enumerate(sayings):
        if least <= len(other) <= most and not other.isdisjoint(probe):
            common = len(words & other)
            if common >= _SAME * (len(words) + len(other) - common):
                return i
    return None
