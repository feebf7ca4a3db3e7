"""Scored units -> hits, best first: one for each page, entry or message."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from heapq import nlargest

from memwiki.index.keyword.backend import Snapshot
from memwiki.index.projection import PAGE_BYTES, hit_of

_FIRST = 256  # units that are put in order at first; nearly always enough


class Candidates:
    """The units that may answer. `admits` is asked about each key that comes up."""

    def __init__(
        self,
        snapshot: Snapshot,
        scores: Mapping[int, float],
        admits: Callable[[bytes], bool] | None = None,
    ) -> None:
        self._snapshot, self._scores, self.admits = snapshot, scores, admits
        self.highest = max(scores.values(), default=0.0) or 1.0

    def best(self) -> Iterator[tuple[bytes, float]]:
        """The best admitted unit of each hit with its score."""
        seen: set[bytes] = set()
        for key, score in self.units():
            hit = hit_of(key)
            if hit not in seen:
                seen.add(hit)
                yield key, score

    def units(self) -> Iterator[tuple[bytes, float]]:
        """All admitted units, best first; equal scores go by key, so that an answer does not depend
        on the order of commits."""
        for document, key in self._in_order():
            if self.admits is None or self.admits(key):
                yield key, self._scores[document] / self.highest

    def best_of(self, pages: set[bytes]) -> Iterator[tuple[bytes, float]]:
        """The best block of each of these pages, as far as it was scored, with its score."""
        best: dict[bytes, tuple[float, bytes]] = {}
        for document, key in zip(self._scores, self._snapshot.keys(self._scores), strict=True):
            page = key[:PAGE_BYTES]
            if page in pages and not key[-1] and (self.admits is None or self.admits(key)):
                best[page] = max(best.get(page, (0.0, key)), (self._scores[document], key))
        return ((key, score / self.highest) for score, key in best.values())

    def hits(self) -> set[bytes]:
        """All hits that are admitted."""
        keys = self._snapshot.keys(self._scores)
        if self.admits is None:
            return {key if key[-1] else key[:PAGE_BYTES] for key in keys}
        return {hit_of(key) for key in keys if self.admits(key)}

    def _in_order(self) -> Iterator[tuple[int, bytes]]:
        scores = self._scores
        top = nlargest(_FIRST, scores.values())
        least = top[-1] if len(top) == _FIRST else 0.0
        first = [document for document, score in scores.items() if score >= least]
        yield from self._sorted(first)
        if len(first) < len(scores):
            yield from self._sorted([d for d, score in scores.items() if score < least])

    def _sorted(self, documents: list[int]) -> list[tuple[int, bytes]]:
        rows = list(zip(documents, self._snapshot.keys(documents), strict=True))
        rows.sort(key=lambda row: row[1])
        rows.sort(key=lambda row: self._scores[row[0]], reverse=True)
        return rows
