"""Terms -> scored units: BM25 over weights that were worked out when the unit was written."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import log

from memwiki.index.keyword.backend import Snapshot

_COORDINATION = 12  # hundredths that each term adds by being there, beside its weight


def score_units(snapshot: Snapshot, terms: Iterable[str]) -> dict[int, float]:
    """The score of each unit that holds a term: weights summed, rare terms counting more, and a
    little for each term that is there at all.

    Source: Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond", 2009.
    """
    total: dict[int, float] = {}
    for idf, term in _by_idf(snapshot, terms):
        table = [idf * (weight + _COORDINATION) for weight in range(256)]
        for documents, weights in snapshot.postings(term):
            _add(total, documents, map(table.__getitem__, weights))
    return total


def holding_all(snapshot: Snapshot, terms: Sequence[str]) -> set[int]:
    """The units that hold every one of these terms."""
    found: set[int] | None = None
    for _, term in _by_idf(snapshot, terms):
        documents = {d for run, _ in snapshot.postings(term) for d in run}
        found = documents if found is None else found & documents
        if not found:
            return set()
    return found if found is not None and all(map(snapshot.frequency, terms)) else set()


def _by_idf(snapshot: Snapshot, terms: Iterable[str]) -> list[tuple[float, str]]:
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
