"""Scored units -> hits, best first: one for each page, entry or message."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from heapq import nlargest
from itertools import compress
from operator import itemgetter, mul
from typing import NamedTuple

from memwiki.index.cards.lookup import Lookup
from memwiki.index.keyword.backend import Snapshot
from memwiki.index.unit_key import UnitKey, are_of, hit_of, hits_of
from memwiki.recall.conversation import are_related, with_context
from memwiki.recall.filters import Conditions
from memwiki.recall.phrases import holding_phrases
from memwiki.recall.score import Scoring, Uncounted

_FIRST = 256  # units that are put in order at first; nearly always enough
_AT_ONCE = 1_400  # units whose hits are counted together
_RAW = 0.8  # sources rank a little lower than what was made of them


class RankedUnit(NamedTuple):
    """A unit that answers, how well (0..1), and why if that is known already."""

    key: UnitKey
    score: float
    reason: str = ""


class Total(NamedTuple):
    """How many hits there are, or so many and perhaps more."""

    hits: int
    is_exact: bool = True


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

    def top(self, count: int, *, besides: Collection[bytes] = ()) -> list[tuple[UnitKey, float]]:
        """The best units of so many hits with their scores, not as shares of the highest."""
        seen, rows = set(besides), list[tuple[UnitKey, float]]()
        for score, stored in self._in_order():
            hit = hit_of(stored)
            if hit not in seen:
                seen.add(hit)
                rows.append((UnitKey(stored), score))
                if len(rows) == count:
                    break
        return rows

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

    def hit_scores(self) -> Collection[float]:
        """The best score of each hit."""
        best: dict[bytes, float] = {}
        for key, score in zip(self._keys, self._scores, strict=True):
            hit = hit_of(key)
            best[hit] = max(best.get(hit, 0.0), score)
        return best.values()

    def _in_order(self) -> Iterator[tuple[float, bytes]]:
        scores = self._scores
        top = nlargest(_FIRST, scores)
        least = top[-1] if len(top) == _FIRST else 0.0
        rows = list(zip(scores, self._keys, strict=True))
        first = [row for row in rows if row[0] >= least]
        yield from _sorted(first)
        if len(first) < len(rows):
            yield from _sorted([row for row in rows if row[0] < least])


class Collector:
    """The units that answer one question: what is asked of a unit besides its words, and what of
    all those that hold them is worth being looked at."""

    def __init__(
        self,
        snapshot: Snapshot,
        lookup: Lookup,
        terms: Sequence[str],
        sources: Collection[int],
        conditions: Conditions,
        uncounted: Collection[int] = (),
    ) -> None:
        """`uncounted` are pages that no word is rarer or commoner by."""
        self._snapshot, self._lookup = snapshot, lookup
        living = sum(len(lookup.stored_keys(page)) for page in uncounted)
        documents = frozenset(snapshot.documents_of(uncounted) if uncounted else ())
        self._scoring = Scoring(snapshot, terms, Uncounted(living, documents))
        self._sources, self._conditions = sources, conditions

    @property
    def reach(self) -> float:
        """The most that the words of this question could give a unit."""
        return self._scoring.reach

    def holding(self, phrases: Sequence[str]) -> Candidates:
        """All units that hold a term and all words of each phrase."""
        required = holding_phrases(self._snapshot, phrases)
        if required is None or are_related(self._snapshot, self._lookup):
            scores = with_context(self._scoring.every(), self._snapshot, self._lookup)
            return self._candidates(
                scores if required is None else {d: s for d, s in scores.items() if d in required}
            )
        return self._candidates(self._scoring.of(required))

    def best(self, limit: int, named: Collection[int]) -> Candidates:
        """The units that hold a term, as far as they may be among the best `limit` hits besides the
        named pages; of these all."""
        if self._conditions.undated or are_related(self._snapshot, self._lookup):
            return self.holding(())
        wanted = limit + len(named)
        kept = self._snapshot.documents_of(named) if named else ()
        return self._candidates(self._scoring.best(partial(self._least, wanted), kept))

    def count(self, besides: Collection[bytes], most: int | None) -> Total:
        """How many hits hold a term or are among those `besides`, counted up to `most`."""
        hits, known = set(besides), set[int]()
        for documents in self._scoring.holders():
            fresh = list(set(documents) - known) if known else documents
            step = max(1, len(fresh) // _AT_ONCE)  # units of one page are neighbours
            for start in range(step):
                hits |= hits_of(self._passing(self._snapshot.keys(fresh[start::step])))
                if most is not None and len(hits) > most:
                    return Total(most, is_exact=False)
            known.update(fresh)
        return Total(len(hits))

    def _passing(self, keys: list[bytes]) -> Iterable[bytes]:
        return keys if self._conditions.are_none else filter(self._conditions.passes, keys)

    def _least(self, wanted: int, scores: Mapping[int, float]) -> float:
        """A score that so many hits reach at least, 0 when it is not easily said."""
        for most in (2 * wanted + 8, 16 * wanted + 64):
            top = nlargest(most, scores.values())
            low = top[-1] if top else 0.0
            units = {unit: score for unit, score in scores.items() if score >= low}
            found = self._candidates(units).hit_scores()
            if len(found) >= wanted:
                return nlargest(wanted, found)[-1]
            if len(units) == len(scores):
                break
        return 0.0

    def _candidates(self, scored: Mapping[int, float]) -> Candidates:
        keys, scores = self._snapshot.keys(scored), list(scored.values())
        if self._sources:
            factors = (_RAW if is_source else 1 for is_source in are_of(keys, self._sources))
            scores = list(map(mul, scores, factors))
        highest = max(scores, default=0.0) or 1.0
        if not self._conditions.are_none:
            let_through = list(map(self._conditions.passes, keys))
            keys, scores = list(compress(keys, let_through)), list(compress(scores, let_through))
        return Candidates(keys, scores, highest)


def _sorted(rows: list[tuple[float, bytes]]) -> list[tuple[float, bytes]]:
    rows.sort(key=itemgetter(1))
    rows.sort(key=itemgetter(0), reverse=True)
    return rows
