"""Scored units -> hits, best first: one for each page, entry or message."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from heapq import nlargest
from itertools import compress
from operator import itemgetter, mul
from typing import NamedTuple

from memwiki.index.cards.lookup import Lookup
from memwiki.index.keyword.backend import Snapshot
from memwiki.index.unit_key import UnitKey, are_of, hits_of
from memwiki.recall.conversation import with_context
from memwiki.recall.filters import Conditions
from memwiki.recall.phrases import holding_phrases
from memwiki.recall.score import score_units

_FIRST = 256  # units that are put in order at first; nearly always enough
_RAW = 0.8  # sources rank a little lower than what was made of them


class RankedUnit(NamedTuple):
    """A unit that answers, how well (0..1), and why if that is known already."""

    key: UnitKey
    score: float
    reason: str = ""


class Candidates:
    """The units that may answer: their keys as they are stored, and beside each its score."""

    def __init__(self, keys: Sequence[bytes], scores: Sequence[float], highest: float) -> None:
        self._keys, self._scores, self._highest = keys, scores, highest

    def best(self, *, besides: Collection[bytes] = ()) -> Iterator[RankedUnit]:
        """The best unit of each hit but those `besides`."""
        seen = set(besides)
        for row in self.units():
            hit = row.key.hit
            if hit not in seen:
                seen.add(hit)
                yield row

    def units(self) -> Iterator[RankedUnit]:
        """All units, best first; equal scores go by key, so that an answer does not depend on the
        order of commits."""
        for score, key in self._in_order():
            yield RankedUnit(UnitKey(key), score / self._highest)

    def best_of(self, pages: Iterable[int]) -> dict[int, RankedUnit]:
        """The best block of each of these pages, as far as it was scored."""
        rows = zip(self._scores, self._keys, strict=True)
        best: dict[int, tuple[float, UnitKey]] = {}
        for score, stored in compress(rows, are_of(self._keys, pages)):
            key = UnitKey(stored)
            if key.is_block:
                best[key.page] = max(best.get(key.page, (0.0, key)), (score, key))
        return {page: RankedUnit(key, score / self._highest) for page, (score, key) in best.items()}

    def hits(self) -> set[bytes]:
        """All hits."""
        return hits_of(self._keys)

    def _in_order(self) -> Iterator[tuple[float, bytes]]:
        scores = self._scores
        top = nlargest(_FIRST, scores)
        least = top[-1] if len(top) == _FIRST else 0.0
        rows = list(zip(scores, self._keys, strict=True))
        first = [row for row in rows if row[0] >= least]
        yield from _sorted(first)
        if len(first) < len(rows):
            yield from _sorted([row for row in rows if row[0] < least])


def candidates(
    snapshot: Snapshot,
    lookup: Lookup,
    terms: Sequence[str],
    phrases: Sequence[str],
    sources: Collection[int],
    conditions: Conditions,
) -> Candidates:
    """The units that hold a term and all words of each phrase, and that the conditions let through;
    `sources` are the pages that rank a little lower."""
    scored = with_context(score_units(snapshot, terms), snapshot, lookup)
    required = holding_phrases(snapshot, phrases)
    if required is not None:
        scored = {document: score for document, score in scored.items() if document in required}
    keys, scores = snapshot.keys(scored), list(scored.values())
    if sources:
        factors = (_RAW if is_source else 1 for is_source in are_of(keys, sources))
        scores = list(map(mul, scores, factors))
    highest = max(scores, default=0.0) or 1.0
    if not conditions.are_none:
        let_through = list(map(conditions.passes, keys))
        keys, scores = list(compress(keys, let_through)), list(compress(scores, let_through))
    return Candidates(keys, scores, highest)


def _sorted(rows: list[tuple[float, bytes]]) -> list[tuple[float, bytes]]:
    rows.sort(key=itemgetter(1))
    rows.sort(key=itemgetter(0), reverse=True)
    return rows
