"""Terms -> scored units: BM25 over weights that were worked out when the unit was written."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import (
    Callable,
    Collection,
    Iterable,
    Iterator,
    KeysView,
    Mapping,
    Sequence,
)
from heapq import nlargest
from itertools import accumulate, chain, groupby
from math import ceil, log
from operator import itemgetter
from types import MappingProxyType

from memwiki.index.keyword.backend import Postings, Snapshot, parts_with
from memwiki.index.units import ENTRY_MARK
from memwiki.records import NamedTuple

_HIGHEST = 255  # weight of a term
_COORDINATION = 12  # hundredths that each term adds by being there, beside its weight
_MARGIN = 1 + 1e-9  # what sums of rounded numbers may differ by, and more
_MAX_BOUND = (1 << 16) - 1  # of two bytes
_FEW_UNITS = 30
_FEW_POSTINGS = 4_000  # what to bound scores takes, whatever is bounded
_MANY = 100  # units: of no more it does not pay to look which may still count
_FIRST = 256  # units, the best so far: what they score with all terms says what others have to
_SPARSE = 6  # times as many documents as units: then each unit is looked for

Least = Callable[[Mapping[int, float]], float]


class _Term(NamedTuple):
    """A term of a question."""

    idf: float  # times its weight in the question
    name: str

    def value(self, weight: int) -> float:
        """What a weight adds to a score."""
        return self.idf * (weight + _COORDINATION)

    @property
    def values(self) -> list[float]:
        """The same of each weight."""
        return [self.idf * (weight + _COORDINATION) for weight in range(256)]


class Said(NamedTuple):
    """What may be said for a word: the terms of that, the term of this, and what it counts."""

    own: tuple[str, ...]
    term: str
    weight: float


class Uncounted(NamedTuple):
    """Units that are left aside when words are counted: how many live, and their documents, with
    some perhaps that were deleted."""

    living: int = 0
    documents: frozenset[int] = frozenset()


_NONE_UNCOUNTED = Uncounted()
_EQUAL: Mapping[str, float] = MappingProxyType({})


class BM25:
    """The scores of one question: weights summed, rare terms counting more, and a little for each
    term that is there at all.

    The terms are added rarest first, and to each unit in the same order, so that a score is the
    same number however it is come by.

    Source: Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond", 2009.
    """

    def __init__(
        self,
        snapshot: Snapshot,
        terms: Iterable[str],
        uncounted: Uncounted = _NONE_UNCOUNTED,
        weights: Mapping[str, float] = _EQUAL,
    ) -> None:
        """`weights` has terms that count otherwise than once."""
        self._snapshot, self._uncounted, self._weights = snapshot, uncounted, weights
        self._asked = list(dict.fromkeys(terms))
        snapshot.prefetch(self._asked)
        self._read: dict[str, list[Postings]] = {}
        found = (term for term in self._asked if snapshot.frequency(term))
        self._terms = sorted((_Term(self._idf(name), name) for name in found), reverse=True)

    @property
    def reach(self) -> float:
        """The most that a unit could score, words that stand nowhere included."""
        return sum(map(self._idf, self._asked)) * (_HIGHEST + _COORDINATION)

    def _idf(self, term: str) -> float:
        every = self._snapshot.unit_count
        # Of one or two units nothing is known to be rare: then the others count as without it.
        units = max(every - self._uncounted.living, min(every, _FEW_UNITS))
        frequency = self._snapshot.frequency(term)
        if frequency and (left_aside := self._uncounted.documents):
            for documents, _ in self._among(term, left_aside):
                frequency -= len(left_aside.intersection(documents))
        return self._weights.get(term, 1.0) * idf(units, frequency)

    def every(self) -> dict[int, float]:
        """The score of each unit that holds a term."""
        total: dict[int, float] = {}
        for term in self._terms:
            self._add(total, term)
        return total

    def ranked(self) -> Iterator[list[int]]:
        """The units that hold a term, best first, those of one score together, as `every` scores
        them."""
        postings = sum(self._snapshot.frequency(term.name) for term in self._terms)
        if postings > max(self._snapshot.unit_count, _FEW_POSTINGS):
            yield from self._by_bounds()
            return
        scores = self.every()  # of few, to bound those of all units takes longer
        best_first = sorted(scores, key=scores.__getitem__, reverse=True)
        yield from (list(alike) for _, alike in groupby(best_first, scores.__getitem__))

    def _by_bounds(self) -> Iterator[list[int]]:
        """The same, and no score is worked out of those that nobody asks for.

        Source: Anh and Moffat, "Pruned query evaluation using pre-computed impacts", 2006: whole
        numbers, here rounded up, say whose scores are worked out next.
        """
        values, rows = [term.values for term in self._terms], self._rows()
        bounds = _Bounds(values, rows)
        scores: dict[int, float] = {}
        for level in range(_HIGHEST, -1, -1):
            for unit in bounds.units_at(level) if level else self._holding(bounds.levels):
                scores[unit] = 0.0
                for row, value in zip(rows, values, strict=True):
                    scores[unit] += value[row[unit]] if row[unit] else 0.0
            low = bounds.most_below(level)
            ripe = [unit for unit, score in scores.items() if score > low]
            ripe.sort(key=scores.__getitem__, reverse=True)
            yield from (list(alike) for _, alike in groupby(ripe, scores.__getitem__))
            for unit in ripe:
                del scores[unit]

    def _rows(self) -> list[bytearray]:
        """The weights of each term by unit, 0 where it does not stand."""
        read = [self._postings(term.name) for term in self._terms]
        count = 1 + max((units[-1] for runs in read for units, _ in runs), default=-1)
        rows = [bytearray(count) for _ in read]
        for row, runs in zip(rows, read, strict=True):
            for units, weights in runs:
                for unit, weight in zip(units, weights, strict=True):
                    row[unit] = weight
        return rows

    def _holding(self, levels: bytes) -> set[int]:
        """The units of level 0 that hold a term."""
        runs = chain.from_iterable(map(self._postings, (term.name for term in self._terms)))
        return {unit for units, _ in runs for unit in units if not levels[unit]}

    def of(self, units: Collection[int]) -> dict[int, float]:
        """The scores of those of these units that hold a term."""
        total = dict.fromkeys(units, 0.0)
        for term in self._terms:
            self._raise(total, term)
        return {unit: score for unit, score in total.items() if score}

    def with_others(self, units: Iterable[int], said: Sequence[Said]) -> dict[int, float]:
        """The scores of those of these units that hold a term or what is `said` for some: of these
        and of what stands for them that which counts more."""
        known, others = {term.name: term for term in self._terms}, {e.term for e in said}
        total = dict.fromkeys(units, 0.0)
        for term in self._terms:
            if term.name not in others:
                self._raise(total, term)
        for own, each in groupby(sorted(said), itemgetter(0)):
            found: dict[int, float] = {}
            for other in each:
                if other.term in known:
                    self._raise_to(found, total.keys(), known[other.term])
            held = dict.fromkeys(found, 0.0)
            for term in filter(None, map(known.get, own)):
                self._raise(held, term)
            for unit, score in found.items():
                total[unit] += max(score - held[unit], 0.0)
        return {unit: score for unit, score in total.items() if score}

    def best(self, least: Least, kept: Collection[int] = ()) -> dict[int, float]:
        """As `every`, without units that cannot matter: whose score is below `least`, unless they
        are `kept`.

        `least` is given scores that may still grow, and says which score is too low: before a term
        that is common those of the best units, with all terms. Where a unit of none of the terms so
        far would be too low, no further one is taken in.

        Source: Turtle and Flood, "Query evaluation: strategies and optimizations", 1995.
        """
        total: dict[int, float] = {}
        low, is_closed = 0.0, False
        for at, rest in enumerate(self._rests()):
            term = self._terms[at]
            is_common = self._snapshot.frequency(term.name) > _MANY
            if is_common and not is_closed and max(total.values(), default=0.0) > rest:
                low = least(self._first(total, at)) or least(total)
                is_closed = low > rest
            if is_closed:
                total = _not_below(low - rest, total, kept)
            (self._raise if is_closed else self._add)(total, term)
        total = _not_below(least(total), total, kept)
        return {unit: score for unit, score in total.items() if score}

    def _first(self, total: dict[int, float], at: int) -> dict[int, float]:
        """The best units so far, of many with all terms from a place on."""
        first = _not_below(min(nlargest(_FIRST, total.values())), total, ())
        for term in self._terms[at:] if len(total) > _MANY else ():
            self._raise(first, term)
        return first

    def holders(self) -> Iterator[Sequence[int]]:
        """The units that hold each term; one that holds two comes twice. First what was read, then
        a part after the other of the commonest of the others."""
        names = [term.name for term in reversed(self._terms)]
        for name in filter(self._read.__contains__, names):
            yield from (documents for documents, _ in self._read[name])
        for name in (each for each in names if each not in self._read):
            for part in self._snapshot.parts:
                yield from (documents for documents, _ in self._snapshot.postings(name, [part]))

    def _rests(self) -> list[float]:
        """The most that each term and all after it can add to a score."""
        highest = self._snapshot.highest
        most = [t.idf * (highest(t.name) + _COORDINATION) * _MARGIN for t in self._terms]
        return list(accumulate(reversed(most)))[::-1]

    def _postings(self, term: str) -> list[Postings]:
        found = self._read.get(term)
        if found is None:
            found = self._read[term] = list(self._snapshot.postings(term))
        return found

    def _among(self, term: str, units: Collection[int]) -> Iterable[Postings]:
        """What holds a term, as far as it is in parts that have any of these units."""
        parts = self._snapshot.parts
        if term in self._read or len(parts_with(units, parts)) == len(parts):
            return self._postings(term)
        return self._snapshot.postings(term, units)

    def _add(self, total: dict[int, float], term: _Term) -> None:
        """Add a term to the units that hold it, and take those in."""
        value = term.values.__getitem__
        for documents, weights in self._postings(term.name):
            held = _weights_of(total.keys(), documents, weights)
            sums = {unit: total[unit] + value(weight) for unit, weight in held}
            total.update(zip(documents, map(value, weights), strict=True))
            total.update(sums)

    def _raise_to(self, found: dict[int, float], units: KeysView[int], term: _Term) -> None:
        """Raise those of these units that hold a term to what it adds."""
        for documents, weights in self._among(term.name, units):
            for unit, weight in _weights_of(units, documents, weights):
                found[unit] = max(term.value(weight), found.get(unit, 0.0))

    def _raise(self, total: dict[int, float], term: _Term) -> None:
        """Add a term to those of these units that hold it."""
        for documents, weights in self._among(term.name, total.keys()):
            for unit, weight in _weights_of(total.keys(), documents, weights):
                total[unit] += term.value(weight)


class _Bounds:
    """A bound of each unit's score, in 256 levels: for each term a number with two bytes a unit is
    added to one that has those of all units, which no step of Python is taken for."""

    def __init__(self, values: Sequence[Sequence[float]], rows: Sequence[bytearray]) -> None:
        highest = (next((w for w in range(_HIGHEST, 0, -1) if w in row), 0) for row in rows)
        most = _MARGIN * sum(value[w] for value, w in zip(values, highest, strict=True))
        self._steps = (_MAX_BOUND - len(rows)) / (most or 1.0)
        bounds, size = 0, 2 * len(rows[0]) if rows else 0
        for value, row in zip(values, rows, strict=True):
            rounded = [0, *(min(ceil(each * self._steps), _MAX_BOUND) for each in value[1:])]
            lanes = bytearray(size)
            lanes[::2] = row.translate(bytes(each & _HIGHEST for each in rounded))
            lanes[1::2] = row.translate(bytes(each >> 8 for each in rounded))
            bounds += int.from_bytes(lanes, "little")
        self.levels = bounds.to_bytes(size, "little")[1::2]

    def units_at(self, level: int) -> Iterator[int]:
        """The units whose bound is of a level."""
        unit = self.levels.find(level)
        while unit >= 0:
            yield unit
            unit = self.levels.find(level, unit + 1)

    def most_below(self, level: int) -> float:
        """What no unit of a lower level scores more than."""
        return (level << 8) / self._steps


def memories_like(
    snapshot: Snapshot, weights: Mapping[str, float], passes: Callable[[bytes], bool], limit: int
) -> list[bytes]:
    """The keys of the memories that share most of the words, best first, of those that pass."""
    found = list[bytes]()
    for alike in BM25(snapshot, weights, weights=weights).ranked():
        entries = (key for key in snapshot.keys(alike) if key[-1:] == ENTRY_MARK)
        found += sorted(filter(passes, entries), reverse=True)
        if len(found) >= limit:
            break
    return found[:limit]


def holding_all(snapshot: Snapshot, terms: Sequence[str]) -> set[int]:
    """The units that hold every one of these terms."""
    snapshot.prefetch(terms)
    frequencies = {term: snapshot.frequency(term) for term in terms}
    found: set[int] | None = None
    for term in sorted(terms, key=frequencies.__getitem__):
        documents = {d for run, _ in snapshot.postings(term, found) for d in run}
        found = documents if found is None else found & documents
        if not found:
            return set()
    return found or set()


def idf(units: int, frequency: int) -> float:
    """How rare a term is; one that stands nowhere is rarest."""
    frequency = min(frequency, units)
    return log(1 + (units - frequency + 0.5) / (frequency + 0.5))


def _weights_of(
    units: KeysView[int], documents: Sequence[int], weights: Sequence[int]
) -> Iterator[tuple[int, int]]:
    """Those of some units that are among the documents, each with its weight."""
    is_sparse = len(units) * _SPARSE < len(documents)  # then not each document is looked at
    for unit in units if is_sparse else units & documents:
        at = bisect_left(documents, unit)
        if at < len(documents) and documents[at] == unit:
            yield unit, weights[at]


def _not_below(low: float, scores: dict[int, float], kept: Collection[int]) -> dict[int, float]:
    """The units that may reach a score, and those that are kept whatever theirs."""
    low *= 2 - _MARGIN
    found = {unit: score for unit, score in scores.items() if score >= low}
    return found | {unit: scores.get(unit, 0.0) for unit in kept}
