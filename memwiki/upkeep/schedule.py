"""When which upkeep is due."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from memwiki.answers.upkeep import UpkeepRun
from memwiki.config import Config

WHOLE, CONSOLIDATE, RETAIN = "upkeep", "consolidate", "retain"
RETAIN_HOURS = 12.0  # at least between two looks at retention after writes
_AFTER_ERROR_S = 600.0
_HOUR_S = 3600.0


def seconds_until_upkeep(config: Config, runs: Iterable[UpkeepRun], now_ns: int) -> float:
    """How long until the whole upkeep is due; 0 when it is. It waits for `interval_hours` after a
    run, and ten minutes after one that failed."""
    last = next((run for run in runs if run.op == WHOLE), None)
    if last is None:
        return 0.0
    wait = _AFTER_ERROR_S if last.error else config.consolidation.interval_hours * _HOUR_S
    return _left(last, wait, now_ns)


def seconds_until_retention(runs: Iterable[UpkeepRun], now_ns: int) -> float:
    """How long until retention is looked at again after a write, at the earliest."""
    last = next((run for run in runs if run.op in (WHOLE, RETAIN)), None)
    if last is None:
        return 0.0
    return _left(last, _AFTER_ERROR_S if last.error else RETAIN_HOURS * _HOUR_S, now_ns)


def _left(last: UpkeepRun, wait_s: float, now_ns: int) -> float:
    """The rest of a time to wait; a run that lies ahead, by another clock, is no reason to."""
    passed = now_ns / 1e9 - datetime.fromisoformat(last.at).timestamp()
    return max(wait_s - passed, 0.0) if passed >= 0 else 0.0


def writes_wanted(config: Config) -> int:
    """After how many writes retention is looked at."""
    named = (each.check_interval for each in config.retention.values() if each.policy != "none")
    return min(named, default=100)
