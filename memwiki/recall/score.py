"""Terms -> scored units: BM25 over weights that were worked out when the unit was written."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import repeat
from math import log

from memwiki.index.backend import Snapshot

_COVERAGE = 0.5  # of a score is lost by a unit that holds next to nothing of the question


def score_units(snapshot: Snapshot, terms: Iterable[str]) -> dict[int, float]:
    """The score of each unit that holds a term: weights summed, rare terms counting more, then
    coverage rewarded.

    Source: Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond", 2009.
    """
    total: dict[int, float] = {}
    covered: dict[int, float] = {}
    rows = _by_rarity(snapshot, terms)
    for rarity, term in rows:
        table = [rarity * weight for weight in range(256)]
        for documents, weights in snapshot.postings(term):
            _add(total, documents, map(table.__getitem__, weights))
            if len(rows) > 1:
                _add(covered, documents, repeat(rarity))
    if len(rows) < 2:
        return total
    share = _COVERAGE / sum(rarity for rarity, _ in rows)
    least = 1 - _COVERAGE
    return {d: score * (least + share * covered[d]) for d, score in total.items()}


def holding_all(snapshot: Snapshot, terms: Sequence[str]) -> set[int]:
    """The units that hold every one of these terms."""
    found: set[int] | None = None
    for _, term in _by_rarity(snapshot, terms):
        documents = {d for run, _ in snapshot.postings(term) for d in run}
        found = documents if found is None else found & documents
        if not found:
            return set()
    return found if found is not None and all(map(snapshot.frequency, terms)) else set()


def _by_rarity(snapshot: Snapshot, terms: Iterable[str]) -> list[tuple[float, str]]:
    count, rows = snapshot.unit_count, []
    for term in terms:
        frequency = min(snapshot.frequency(term), count)
        if frequency:
            rows.append((log(1 + (count - frequency + 0.5) / (frequency + 0.5)), term))
    return sorted(rows, reverse=True)


def _add(sums: dict[int, float], documents: Sequence[int], values: Iterable[float]) -> None:
    if not sums:
        sums.update(zip(documents, values, strict=False))
        return
    get = sums.get
    for document, value in zip(documents, values, strict=False):
        sums[document] = get(document, 0.0) + value
