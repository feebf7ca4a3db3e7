"""Not the same thing twice."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import TypeVar

T = TypeVar("T")
_WORDS = re.compile(r"\w+")
_SAME = 0.9  # of the words of two passages
_LONGEST = 800  # characters at either end that are compared


def distinct(rows: Iterable[T], text: Callable[[T], str]) -> list[tuple[T, int]]:
    """The rows of which no earlier one says nearly the same, each with how many later ones do."""
    kept: list[T] = []
    sayings: list[frozenset[str]] = []
    counts: list[int] = []
    for row in rows:
        words = frozenset(_WORDS.findall(_ends(text(row)).casefold()))
        twin = next((i for i, other in enumerate(sayings) if _are_same(words, other)), None)
        if twin is None:
            kept.append(row)
            sayings.append(words)
            counts.append(0)
        else:
            counts[twin] += 1
    return list(zip(kept, counts, strict=True))


def _ends(text: str) -> str:
    return text if len(text) <= 2 * _LONGEST else f"{text[:_LONGEST]} {text[-_LONGEST:]}"


def _are_same(one: frozenset[str], other: frozenset[str]) -> bool:
    """Whether two sets of words are nearly one, by Jaccard; most pairs differ in size already."""
    if not _SAME * len(other) <= len(one) <= len(other) / _SAME:
        return False
    return bool(one) and len(one & other) >= _SAME * len(one | other)
