"""The channel of vectors: what means nearly the same as a question, in other words perhaps."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice

from memwiki.index.units import ENTRY_MARK, hit_of, is_message
from memwiki.index.vectors.scan import Nearness
from memwiki.index.vectors.store import VectorStore
from memwiki.models.port import Vector
from memwiki.recall.channels import Scores
from memwiki.recall.filters import Conditions
from memwiki.sync.embedding import VectorIndex

NEAREST = 100  # hits by their vectors, of which all scores are worked out
_ROWS = 4_096  # nearest rows that are looked at for so many hits, where filters leave most out
_OWN, _NEIGHBOUR = 0.55, 0.45  # of a message's cosine: decision 57


class VectorsChannel:
    """Scores what was found, and finds what is near in meaning besides."""

    def __init__(
        self, vectors: VectorIndex, asked: Vector, conditions: Conditions, count: int = NEAREST
    ) -> None:
        self._vectors, self._asked = vectors, asked
        self._conditions, self._count = conditions, count

    def find(self, found: Scores) -> Scores:
        """The cosines of the units found and of the nearest hits; of a message smoothed by those
        that stand around it."""
        with self._vectors.opened() as store:
            near = self._vectors.near(store, self._asked)
            keys = dict.fromkeys([*found, *self._nearest(store, near)])
            known = store.rows_around(keys)
            rows = {key: known[key] for key in keys if key in known}
            numbers = list({number for around in rows.values() for number in around.values()})
            cosines = dict(zip(numbers, near.cosines(numbers), strict=True))
        return {key: _smoothed(key, around, cosines) for key, around in rows.items()}

    def _nearest(self, store: VectorStore, near: Nearness) -> list[bytes]:
        """The nearest unit of each hit that may be shown."""
        hits: dict[bytes, bytes] = {}
        numbers = islice(near.nearest(), _ROWS)
        while part := list(islice(numbers, self._count)):
            order = {number: at for at, number in enumerate(part)}
            for _, key in sorted(store.keys_of(part), key=lambda row: (order[row[0]], row[1])):
                if hit_of(key) not in hits and self._conditions.passes(key):
                    hits[hit_of(key)] = key
            if len(hits) >= self._count:
                break
        return list(hits.values())[: self._count]


def nearest_entries(
    vectors: VectorIndex, asked: Vector, conditions: Conditions, count: int
) -> dict[bytes, float]:
    """The entries that are nearest to a vector, each with its cosine."""
    found = VectorsChannel(vectors, asked, conditions, count).find({})
    return {key: cosine for key, cosine in found.items() if key[-1:] == ENTRY_MARK}


def _smoothed(key: bytes, around: Mapping[int, int], cosines: Mapping[int, float]) -> float:
    """A unit's own cosine; of a message joined with that of the better neighbour, as a word that
    is asked for stands in one of them and what it is about in the other."""
    own = cosines[around[0]]
    if not is_message(key):
        return own
    beside = max((cosines[number] for step, number in around.items() if step), default=0.0)
    return _OWN * own + _NEIGHBOUR * beside


def spread(cosines: Scores) -> dict[bytes, float]:
    """The same from 0 for the least to 1 for the most: models differ in how near all is to all."""
    low, high = min(cosines.values(), default=0.0), max(cosines.values(), default=0.0)
    return {key: (each - low) / ((high - low) or 1.0) for key, each in cosines.items()}
