"""What a memory is worth by how it is used, and what age leaves of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import exp, inf, log1p

from memwiki.config.schema import MemoryConfig
from memwiki.facts.category import CORE
from memwiki.names import fold
from memwiki.numbers import named_number

_WEIGHTS = (0.3, 0.5, 0.2)
_RATES = {"event": 0.05, "opinion": 0.03, "fact": 0.01, "relation": 0.005}  # a day
_RATE = 0.01  # of types that nobody lists


def value_of(
    recalls: int, mean_score: float, days: float, weights: Sequence[float] = _WEIGHTS
) -> float:
    """0.3 ln(1 + recalls) + 0.5 mean score + 0.2 / (1 + days since the last recall).

    `days` are those since it was made when it was never recalled; a time to come is today.
    """
    often, well, lately = weights
    return often * log1p(recalls) + well * mean_score + lately / (1 + max(days, 0.0))


def decay_of(
    category: str,
    type_: str,
    importance: float,
    age_days: float,
    recalls: int,
    settings: MemoryConfig,
) -> float:
    """What age leaves, as the settings have it: 1 of core and of what nobody dates.

    Either 2^(-age / half-life), or importance x exp(-rate x age) x (1 + ln(1 + recalls)), where a
    time to come is today.
    """
    if category == CORE or age_days == inf:
        return 1.0
    age = max(age_days, 0.0)
    if settings.decay == "half_life":
        return float(2.0 ** (-age / settings.half_life_days))
    rate = {**_RATES, **rates_of(settings.decay_rates)}.get(fold(type_), _RATE)
    return importance * exp(-rate * age) * (1 + log1p(recalls))


def rates_of(written: tuple[str, ...]) -> Mapping[str, float]:
    """Shares a day by type, as the setting has them."""
    found = filter(None, map(named_number, written))
    return {fold(type_): rate for type_, rate in found}
