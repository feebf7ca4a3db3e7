"""What the last run of upkeep did, and when the next one is due."""

from __future__ import annotations

from memwiki.answers.upkeep import UpkeepState
from memwiki.clock import iso_of
from memwiki.sync.context import Context
from memwiki.upkeep.runs import runs_of
from memwiki.upkeep.schedule import seconds_until_retention, seconds_until_upkeep

_NOW = "now"


def state_of(context: Context) -> UpkeepState:
    """The last run, and when the next one is due by itself; "" where nothing happens so."""
    runs, waits = list(runs_of(context.root)), list[float]()
    if context.config.memory.is_for_agents:
        waits.append(seconds_until_upkeep(context.config, runs, context.clock()))
    if context.config.is_retaining:
        waits.append(seconds_until_retention(runs, context.clock()))
    due = ""
    if waits:
        left_ns = int(min(waits) * 1e9)
        due = iso_of(context.clock() + left_ns) if left_ns else _NOW
    return UpkeepState(next(iter(runs), None), due)
