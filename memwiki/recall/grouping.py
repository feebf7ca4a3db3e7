"""The pieces of a query with OR and parentheses -> one condition, without a call per depth."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from math import ceil
from typing import TypeVar

from memwiki.nouns import Hit
from memwiki.recall.filters import is_session_named
from memwiki.recall.query import (
    Condition,
    Filter,
    Joined,
    Joint,
    Parenthesis,
    Piece,
    QueryItem,
    Term,
)
from memwiki.records import NamedTuple
from memwiki.text import WORD

_LONE = {
    "OR": "OR is searched as a word where nothing stands before or after it",
    "(": '"(" is searched as text where no ")" closes it',
    ")": '")" is searched as text where no "(" opens it',
}
T = TypeVar("T")
_ASCII_WORDS = {i: chr(i).lower() if WORD.match(chr(i)) else " " for i in range(128)}
_SAME = 0.9  # of the words of two passages
_MAX_CHARACTERS = 800  # characters at either end that are compared


class _QueryGroup(NamedTuple):
    """What was read of a group so far: the alternatives that ended, and how many parts that stand
    side by side the last one has."""

    alternatives: int = 0
    parts: int = 0
    is_excluded: bool = False
    is_ranking: bool = True  # whether what it holds is looked for, not excluded


class Grouping:
    """A condition in postfix order; blank binds tighter than OR.

    What joins nothing is no syntax, and a note says so.
    Source: Dijkstra, "Algol 60 translation", 1961.
    """

    def __init__(self, pieces: Iterable[Piece], leaf: Callable[[QueryItem], Term | Filter]) -> None:
        self._leaf, self._steps = leaf, list[Term | Filter | Joined]()
        self.ranking = list[Term]()
        self.is_joined = False
        self._lone = dict[str, None]()
        self._groups = [_QueryGroup()]
        for piece in _paired(list(pieces), self._lone):
            self._take(piece)
        self._close()

    @property
    def condition(self) -> Condition:
        """The condition; empty where nothing is asked for."""
        return tuple(self._steps)

    @property
    def notes(self) -> tuple[str, ...]:
        """What looks like syntax and is none."""
        return tuple(_LONE[mark] for mark in self._lone)

    def _take(self, piece: Piece) -> None:
        group = self._groups[-1]
        if isinstance(piece, Parenthesis):
            if piece.is_open:
                is_ranking = group.is_ranking != piece.is_excluded
                self._groups.append(_QueryGroup(0, 0, piece.is_excluded, is_ranking))
            else:
                self._close()
        elif piece.is_word and piece.text == "OR":
            self._end_alternative()
        elif not _joins_nothing(piece):
            leaf = self._leaf(piece)
            self._steps.append(leaf)
            if isinstance(leaf, Term) and leaf.is_excluded != group.is_ranking:
                self.ranking.append(leaf)
            self._groups[-1] = group._replace(parts=group.parts + 1)

    def _end_alternative(self) -> None:
        group = self._groups[-1]
        if not group.parts:
            self._lone["OR"] = None
            return
        self._join(Joint.ALL, group.parts)
        self._groups[-1] = group._replace(alternatives=group.alternatives + 1, parts=0)

    def _close(self) -> None:
        """End the last group, which is one part of the group around it."""
        group = self._groups.pop()
        if not (group.alternatives or group.parts):
            return
        if group.parts:
            self._join(Joint.ALL, group.parts)
        else:
            self._lone["OR"] = None
        alternatives = group.alternatives + bool(group.parts)
        self._join(Joint.ANY, alternatives)
        if group.is_excluded:
            self._steps.append(Joined(Joint.NONE, 1))
        self.is_joined |= alternatives > 1 or group.is_excluded
        if self._groups:
            around = self._groups[-1]
            self._groups[-1] = around._replace(parts=around.parts + 1)

    def _join(self, joint: Joint, count: int) -> None:
        if count > 1:
            self._steps.append(Joined(joint, count))


def _joins_nothing(item: QueryItem) -> bool:
    """Whether it is AND, which a blank says already, or no text that a page could hold."""
    is_and = item.is_word and item.text == "AND"
    return is_and or not any(c.isalnum() or c == "_" for c in item.as_typed)


def _paired(pieces: list[Piece], lone: dict[str, None]) -> list[Piece]:
    """The pieces without parentheses that have no partner."""
    opened: list[int] = []
    unpaired = set[int]()
    for at, piece in enumerate(pieces):
        if not isinstance(piece, Parenthesis):
            continue
        if piece.is_open:
            opened.append(at)
        elif opened:
            opened.pop()
        else:
            unpaired.add(at)
            lone[")"] = None
    if opened:
        lone["("] = None
    unpaired.update(opened)
    return [piece for at, piece in enumerate(pieces) if at not in unpaired]


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
    return frozenset(WORD.findall(text.casefold()))


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
