"""Whether meaning counts for one question, what means nearly the same in other words (the channel
of vectors), and how both are joined."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING

from memwiki.answers.recall import VectorUse
from memwiki.errors import ModelError
from memwiki.index.units import ENTRY_MARK, hit_of, is_message
from memwiki.options import FusionMethod, RecallOptions, VectorsMode
from memwiki.recall.channels import AnswerIndex, RankedUnit, Scores, best_by_hit
from memwiki.recall.filters import Conditions
from memwiki.recall.fusion import ScoredPassage

if TYPE_CHECKING:
    from memwiki.index.vectors.store import Nearness, VectorStore
    from memwiki.models.port import Vector
    from memwiki.sync.embedding import VectorIndex

NEAREST = 100  # hits by their vectors, of which all scores are worked out
_ROWS = 4_096  # nearest rows that are looked at for so many hits, where filters leave most out
_OWN, _NEIGHBOUR = 0.55, 0.45  # of a message's cosine: decision 14


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


# The best score of words from which a model is not loaded for one question, and below which meaning
# counts for more: decision 14.
_WEAK = 0.35
_WORDLESS = 0.12
_WEIGHT, _MAX_WEIGHT = 0.05, 0.2
_RRF_K = 60  # Cormack, Clarke, Buettcher, "Reciprocal Rank Fusion outperforms Condorcet", 2009
_WORDS, _MEANING = 0.7, 0.3  # of scores that are shares of the best


class Meaning:
    """Asks the model for a question, where one is set and words do not do."""

    def __init__(
        self, index: AnswerIndex, question: str, options: RecallOptions, conditions: Conditions
    ) -> None:
        self._question, self._options = question, options
        self._conditions = conditions
        is_off = options.vectors is VectorsMode.OFF
        self._vectors = None if is_off else index.vectors
        self._reason = ""
        self._shares: dict[bytes, float] = {}  # by hit
        self._best = 0.0  # of the scores of words

    @property
    def is_alone(self) -> bool:
        """Whether words do not count."""
        return self._vectors is not None and self._options.vectors is VectorsMode.ONLY

    @property
    def is_bonus(self) -> bool:
        """Whether it adds something to the total of each hit by itself."""
        return not self.is_alone and self._options.fusion is FusionMethod.BONUS

    @property
    def use(self) -> VectorUse | None:
        """What is said of it; None where no model is set, or it was not wanted."""
        vectors = self._vectors
        if vectors is None:
            return None
        used, name = bool(self._shares), vectors.model.name
        return VectorUse(used, name, vectors.covered(), self._reason)

    def find(self, first: Sequence[RankedUnit]) -> Scores:
        """How near units are, from 0 to 1: those that words found, and others."""
        if self._vectors is None:
            return {}
        self._best = max((row.score for row in first), default=0.0)
        is_needless = not self.is_alone and self._do_words(self._vectors)
        self._reason = "words answer" if is_needless else self._vectors.why_none()
        asked = None if self._reason else self._question_vector(self._vectors)
        if asked is None:
            return {}

        count = NEAREST if self._best < _WORDLESS else NEAREST // 2
        channel = VectorsChannel(self._vectors, asked, self._conditions, count)
        cosines = channel.find({row.key: row.score for row in first})
        shares = cosines if self.is_alone else spread(cosines)
        self._shares = best_by_hit(shares)
        return shares

    def _do_words(self, vectors: VectorIndex) -> bool:
        """Whether they found enough, or so much that no model is loaded for more."""
        early = self._options.early_return
        is_cold = not (vectors.model.is_loaded or vectors.may_load)
        is_enough = bool(early) and self._best >= (early or 0.0)
        return is_enough or (is_cold and self._best >= _WEAK)

    def _question_vector(self, vectors: VectorIndex) -> Vector | None:
        try:
            return vectors.question(self._question)
        except ModelError as error:
            self._reason = error.message
            return None

    # --- joining ---

    def joined(self, scored: Sequence[ScoredPassage]) -> list[ScoredPassage]:
        """Passages with what meaning adds to their totals."""
        if not self._shares:
            return list(scored)
        shares = [self.share(each.passage.key.hit) for each in scored]
        totals = self._totals([each.total for each in scored], shares)
        return [
            each._replace(total=total, scores={**each.scores, "vectors": share})
            for each, total, share in zip(scored, totals, shares, strict=True)
        ]

    def _totals(self, words: Sequence[float], shares: Sequence[float]) -> Sequence[float]:
        if self.is_alone:
            return shares
        if self._options.fusion is FusionMethod.RRF:
            one, other = _by_rank(words), _by_rank(shares)
            return [(a + b) / 2 for a, b in zip(one, other, strict=True)]
        if self._options.fusion is FusionMethod.WEIGHTED:
            best = max(words, default=0.0) or 1.0
            return [_WORDS * a / best + _MEANING * b for a, b in zip(words, shares, strict=True)]
        weight = weight_of(self._best)
        return [a + weight * b for a, b in zip(words, shares, strict=True)]

    def share(self, hit: bytes) -> float:
        """How near a hit is, 0 where that is not known."""
        return self._shares.get(hit, 0.0)

    def added(self, hit: bytes) -> float:
        """What it adds to the total of a hit as a bonus."""
        return weight_of(self._best) * self.share(hit)


def weight_of(best: float) -> float:
    """What meaning adds at most, by the best score of words: more where they found nearly
    nothing."""
    lack = max(1 - best / _WORDLESS, 0.0)
    return _WEIGHT + (_MAX_WEIGHT - _WEIGHT) * lack


def _by_rank(scores: Sequence[float]) -> Sequence[float]:
    """The reciprocal ranks, 1 for the best, 0 for what has no score."""
    order = sorted((i for i, each in enumerate(scores) if each), key=lambda i: -scores[i])
    found = [0.0] * len(scores)
    for rank, i in enumerate(order):
        found[i] = _RRF_K / (_RRF_K + rank)
    return found
