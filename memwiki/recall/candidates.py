"""Units that may answer, how well each does, and the channels that find them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from heapq import nlargest
from operator import itemgetter
from typing import Protocol, TypeAlias

from memwiki.index.units import UnitKey, hit_of, hits_of
from memwiki.records import NamedTuple

LOOKED_AT = 50  # best hits by their words, of which all scores are worked out
_FIRST = 256  # units that are put in order at first; nearly always enough
Scores: TypeAlias = Mapping[bytes, float]  # of units, by their keys as they are stored


class Channel(Protocol):
    """One way to find what may answer a question: by words, by names, along the graph ..."""

    def find(self, found: Scores) -> Scores:
        """The units of this channel with their scores, given what the channels before it found.

        A channel that only changes what others found, as a conversation does, gives all of it.
        """


class RankedUnit(NamedTuple):
    """A unit that answers, how well (0..1), and why if that is known already."""

    key: UnitKey
    score: float
    reason: str = ""


class HitCount(NamedTuple):
    """How many hits there are, or so many and perhaps more."""

    hits: int
    is_exact: bool = True


class Candidates(dict[bytes, float]):
    """The units that hold the words of a question, with their scores; `highest` is the best of all,
    also of those that may not be shown."""

    def __init__(self, scores: Scores, highest: float) -> None:
        super().__init__(scores)
        self.highest = highest

    def best(self, *, besides: Collection[bytes] = (), reach: float = 0) -> Iterator[RankedUnit]:
        """The best unit of each hit but those `besides`, its score as a share of `reach`."""
        seen = set(besides)
        for row in self.units(reach):
            hit = row.key.hit
            if hit not in seen:
                seen.add(hit)
                yield row

    def units(self, reach: float = 0) -> Iterator[RankedUnit]:
        """All units, best first; equal scores go by key, so that an answer does not depend on the
        order of commits."""
        for key, score in self._in_order():
            yield RankedUnit(UnitKey(key), score / (reach or self.highest))

    def hits(self) -> set[bytes]:
        """All hits."""
        return hits_of(self)

    def hit_scores(self) -> Collection[float]:
        """The best score of each hit."""
        best: dict[bytes, float] = {}
        for key, score in self.items():
            hit = hit_of(key)
            best[hit] = max(best.get(hit, 0.0), score)
        return best.values()

    def _in_order(self) -> Iterator[tuple[bytes, float]]:
        top = nlargest(_FIRST, self.values())
        least = top[-1] if len(top) == _FIRST else 0.0
        first = [row for row in self.items() if row[1] >= least]
        yield from _sorted(first)
        if len(first) < len(self):
            yield from _sorted([row for row in self.items() if row[1] < least])


def _sorted(rows: list[tuple[bytes, float]]) -> list[tuple[bytes, float]]:
    rows.sort()
    rows.sort(key=itemgetter(1), reverse=True)
    return rows
