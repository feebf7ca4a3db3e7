"""Not the same thing twice, and not one session alone."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from math import ceil
from typing import TypeVar

from memwiki.nouns import Hit
from memwiki.recall.filters import is_session_named

T = TypeVar("T")
_WORDS = re.compile(r"\w+")
_ASCII_WORDS = {i: chr(i).lower() if _WORDS.match(chr(i)) else " " for i in range(128)}
_SAME = 0.9  # of the words of two passages
_MAX_CHARACTERS = 800  # characters at either end that are compared


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


def shared_out(hits: Sequence[Hit], session: str, limit: int) -> tuple[Hit, ...]:
    """So many hits, half of them of a session if there are as many, in their order."""
    is_own = [bool(session) and is_session_named(hit.path, session) for hit in hits]
    own = [i for i, mine in enumerate(is_own) if mine]
    others = [i for i, mine in enumerate(is_own) if not mine]
    count = min(max((limit + 1) // 2, limit - len(others)), len(own))
    chosen = sorted([*own[:count], *others[: limit - count]])
    return tuple(hits[i] for i in chosen)


def _ends(text: str) -> str:
    return (
        text
        if len(text) <= 2 * _MAX_CHARACTERS
        else f"{text[:_MAX_CHARACTERS]} {text[-_MAX_CHARACTERS:]}"
    )


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
