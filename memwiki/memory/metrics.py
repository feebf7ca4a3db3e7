"""What memories there are, and how recall does: counts, times and shares."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import ceil

from memwiki.answers.usage import Metrics
from memwiki.files.usage_log import timings_of
from memwiki.memory.listing import EntryFilter, list_entries
from memwiki.sync.live import LiveIndex


def metrics(live: LiveIndex) -> Metrics:
    """The memories in force, and the last recalls of all processes."""
    found = list_entries(live, EntryFilter(), None)
    timings = timings_of(live.context.root)
    times = sorted(each.ms for each in timings)
    return Metrics(
        memories=dict(Counter(each.type for each in found).most_common()),
        average_importance=_mean([each.importance for each in found]),
        never_recalled=_mean([not each.recalls for each in found]),
        recalls=len(times),
        p50_ms=percentile(times, 50),
        p99_ms=percentile(times, 99),
        cache_hit_rate=_mean([each.is_cached for each in timings]),
        fresh=found.fresh,
    )


def percentile(rising: Sequence[float], percent: int) -> float | None:
    """The least of the values that so many percent do not exceed; None of none."""
    return rising[max(ceil(len(rising) * percent / 100), 1) - 1] if rising else None


def _mean(values: Sequence[float]) -> float | None:
    return round(sum(values) / len(values), 4) if values else None
