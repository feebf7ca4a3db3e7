"""Whether meaning counts for one question, and how it is joined to what words say."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from memwiki.answers.recall import VectorUse
from memwiki.errors import ModelError
from memwiki.index.units import hit_of
from memwiki.options import FusionMethod, RecallOptions, VectorsMode
from memwiki.recall.channels import AnswerIndex, RankedUnit, Scores
from memwiki.recall.filters import Conditions
from memwiki.recall.fusion import ScoredPassage

if TYPE_CHECKING:
    from memwiki.models.port import Vector
    from memwiki.sync.embedding import VectorIndex

# The best score of words from which a model is not loaded for one question, and below which meaning
# counts for more: decision 57.
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
        self._reason = self._why_not(self._vectors)
        asked = None if self._reason else self._asked(self._vectors)
        if asked is None:
            return {}
        from memwiki.recall.vectors import NEAREST, VectorsChannel, spread  # few have vectors

        count = NEAREST if self._best < _WORDLESS else NEAREST // 2
        channel = VectorsChannel(self._vectors, asked, self._conditions, count)
        cosines = channel.find({row.key: row.score for row in first})
        shares = cosines if self.is_alone else spread(cosines)
        for key, share in shares.items():
            hit = hit_of(key)
            self._shares[hit] = max(self._shares.get(hit, 0.0), share)
        return shares

    def _why_not(self, vectors: VectorIndex) -> str:
        is_needless = not self.is_alone and self._do_words(vectors)
        return "words answer" if is_needless else vectors.why_none()

    def _do_words(self, vectors: VectorIndex) -> bool:
        """Whether they found enough, or so much that no model is loaded for more."""
        early = self._options.early_return
        is_cold = not (vectors.model.is_loaded or vectors.may_load)
        is_enough = bool(early) and self._best >= (early or 0.0)
        return is_enough or (is_cold and self._best >= _WEAK)

    def _asked(self, vectors: VectorIndex) -> Vector | None:
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
