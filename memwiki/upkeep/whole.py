"""All upkeep as one run: its parts, in their order."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from memwiki.answers.entries import UpkeepStep
from memwiki.change.plan import Plan
from memwiki.index.projection import Progress
from memwiki.memory.page_edits import PageEdits
from memwiki.sync.live import LiveIndex
from memwiki.upkeep.batch import judged_batch
from memwiki.upkeep.consolidate import consolidated
from memwiki.upkeep.put_away import overflowed
from memwiki.upkeep.retire import compressed, retired
from memwiki.upkeep.snapshot import snapshotted
from memwiki.upkeep.work import Done, Part, UpkeepWork, WhyLeft


def whole_upkeep(
    live: LiveIndex,
    repairs: Callable[[LiveIndex, Progress | None], Plan],
    why_left: WhyLeft,
    progress: Progress | None = None,
) -> list[Part]:
    """The parts of a run of everything; `repairs` plans what `check --fix` repairs."""
    fixing = partial(_repaired, repairs(live, progress))
    joining = consolidation(live, why_left, progress)
    parts: list[Part] = [fixing, joining, retired, compressed, overflowed]
    return [*parts, snapshotted] if live.context.config.memory.has_snapshot else parts


def consolidation(live: LiveIndex, why_left: WhyLeft, progress: Progress | None) -> Part:
    """The part that joins, promotes, links and relates a batch of the entries that wait."""
    return partial(consolidated, judged_batch(live, progress, why_left))


def _repaired(plan: Plan, work: UpkeepWork, pages: PageEdits) -> Done:
    edits = (e for e in plan.edits if work.takes_file("fixed", e.path, e.reason))
    taken = pages.take(plan._replace(edits=tuple(edits)))
    steps = (UpkeepStep("fixed", e.path, 0, "", "", e.path, e.reason) for e in taken)
    return Done(tuple(steps))
