"""Terms -> scored units: BM25 over weights that were worked out when the unit was written."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import log
from typing import NamedTuple

from memwiki.index.backend import Snapshot


class Scores(NamedTuple):
    """The score of each unit that holds a term, and the score that nothing can pass."""

    by_document: dict[int, float]
    highest: float


def score_units(snapshot: Snapshot, terms: Iterable[str]) -> Scores:
    """Sum the weights of the terms in each unit, rare terms counting more, then reward coverage.

    Source: Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond", 2009.
    """
    total: dict[int, float] = {}
    covered: dict[int, float] = {}
    mass = 0.0
    for rarity, term in _by_rarity(snapshot, terms):
        mass += rarity
        table = [rarity * weight for weight in range(256)]
        for documents, weights in snapshot.postings(term):
            _add(total, documents, map(table.__getitem__, weights))
            _add(covered, documents, [rarity] * len(documents))
    if not mass:
        return Scores({}, 0.0)
    scale = 1 / mass
    return Scores(
        {d: score * (0.5 + 0.5 * covered[d] * scale) for d, score in total.items()}, mass * 255
    )


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
        sums.update(zip(documents, values, strict=True))
        return
    get = sums.get
    for document, value in zip(documents, values, strict=True):
        sums[document] = get(document, 0.0) + value
