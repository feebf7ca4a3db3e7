"""The few lines of a unit that answer, and where they stand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from memwiki.index.keyword.tokens import normalise, query_terms

_WIDTH = 240  # characters of an excerpt
_WINDOW = 6  # lines looked at together
_LONGEST_LINE = 4_000  # of a longer one only a part is looked at


class Excerpt(NamedTuple):
    """What is shown of a hit, and on which line it begins."""

    text: str
    line: int


def excerpt(lines: Sequence[str], first_line: int, terms: Sequence[str]) -> Excerpt:
    """The stretch of lines that holds most of the terms, cut to a screen's width or two.

    `first_line` is the 1-based number of `lines[0]` in its file.
    """
    found = _found(lines, terms)
    starts = [i for i, line in enumerate(lines) if line.strip()] or [0]
    best = max(starts, key=lambda i: (_richness(found[i : i + _WINDOW]), -i))
    text = " ".join(" ".join(lines[best : best + _WINDOW]).split())
    return Excerpt(_cut(text, terms), first_line + best)


def _found(lines: Sequence[str], terms: Sequence[str]) -> list[frozenset[str]]:
    """Which terms stand in each line; a line without even their beginnings is not cut into
    words."""
    wanted, nothing = set(terms), frozenset[str]()
    beginnings = [term[: max(2, len(term) - 1)] for term in terms]
    found = []
    for line in lines:
        part = normalise(line[:_LONGEST_LINE])
        folded = part.casefold()
        if any(beginning in folded for beginning in beginnings):
            found.append(frozenset(wanted.intersection(query_terms(part))))
        else:
            found.append(nothing)
    return found


def _richness(found: Sequence[frozenset[str]]) -> float:
    # Lines further down count a little less, so that the stretch begins with a line that matters.
    if not any(found):
        return 0.0
    return sum(len(t) / (1 + i / 2) for i, t in enumerate(found)) + len(frozenset().union(*found))


def _cut(text: str, terms: Sequence[str]) -> str:
    if len(text) <= _WIDTH:
        return text
    folded = normalise(text).casefold()
    locations = [folded.find(term) for term in terms]
    first = min((location for location in locations if location >= 0), default=0)
    start = max(0, first - _WIDTH // 4) if first > _WIDTH // 2 else 0
    start = text.rfind(" ", 0, start) + 1 if start and " " in text[:start] else start
    end = start + _WIDTH
    if " " in text[end - 30 : end]:
        end = text.rfind(" ", 0, end)
    return ("…" if start else "") + text[start:end].strip() + ("…" if end < len(text) else "")
