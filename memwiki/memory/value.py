"""What a memory is worth by how it is used."""

from __future__ import annotations

from collections.abc import Sequence
from math import log1p

WEIGHTS = (0.3, 0.5, 0.2)


def value_of(
    recalls: int, mean_score: float, days: float, weights: Sequence[float] = WEIGHTS
) -> float:
    """0.3 ln(1 + recalls) + 0.5 mean score + 0.2 / (1 + days since the last recall).

    `days` are those since it was made when it was never recalled; a time to come is today.
    """
    often, well, lately = weights
    return often * log1p(recalls) + well * mean_score + lately / (1 + max(days, 0.0))
