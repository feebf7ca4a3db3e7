"""`Workspace.upkeep`: keeping memories, each run one plan that is shown, journalled and undone."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from memwiki.answers.curation import ProposalList
from memwiki.answers.entries import ArchiveList, CompressionGroups, UpkeepReport
from memwiki.answers.index import UpkeepState
from memwiki.index.projection import Progress
from memwiki.numbers import limit_of
from memwiki.sync.live import LiveIndex
from memwiki.sync.reading import Facing, rebuilding_verbs
from memwiki.upkeep.archive import archive_list, purge, restore, write_snapshot
from memwiki.upkeep.put_away import put_overflow_away
from memwiki.upkeep.retire import compression_groups, require_rules, retire_entries
from memwiki.upkeep.runs import (
    CONSOLIDATE,
    RETAIN,
    WHOLE,
    is_retention_due,
    seconds_until_run,
    state_of,
)
from memwiki.upkeep.work import WhyLeft, execute_noted, may_change_all

if TYPE_CHECKING:
    from memwiki.upkeep.offered import UpkeepOffer


def upkeep_steps(live: LiveIndex) -> UpkeepOffer:
    """The steps of upkeep, each to be taken by itself."""
    from memwiki.check.run import repairs
    from memwiki.upkeep.consolidate import whole_upkeep
    from memwiki.upkeep.offered import UpkeepOffer

    return UpkeepOffer(live, partial(whole_upkeep, live, repairs))


@rebuilding_verbs
class UpkeepFacet(Facing):
    """Joins, promotes and retires memories."""

    def run(
        self,
        *,
        dry_run: bool = False,
        progress: Progress | None = None,
        why_left: WhyLeft = may_change_all,
    ) -> UpkeepReport:
        """All upkeep as one change: what `check --fix` repairs, consolidation, retention, overflow,
        and the snapshot where it is on.

        Steps that would change a file of which `why_left` says why it stays as it is, are left out,
        and a note names the file.
        """
        from memwiki.check.run import repairs
        from memwiki.upkeep.consolidate import whole_upkeep

        parts = partial(whole_upkeep, self.live, repairs, why_left, progress)
        return execute_noted(self.live, WHOLE, parts, dry_run=dry_run, why_left=why_left)

    def propose(self) -> ProposalList:
        """Put up all upkeep for review, step by step: proposals of what `run` would do and what
        nobody has seen yet.

        Nothing is changed. What would change a file that agents leave alone is left out; what
        supersedes, joins or retires is flagged.
        """
        return upkeep_steps(self.live).put_up()

    def consolidate(
        self, *, dry_run: bool = False, progress: Progress | None = None
    ) -> UpkeepReport:
        """Join, promote, link and relate the entries that wait: at most a batch of them."""
        from memwiki.upkeep.consolidate import consolidation

        parts = partial(consolidation, self.live, may_change_all, progress)
        return execute_noted(self.live, CONSOLIDATE, lambda: [parts()], dry_run=dry_run)

    def compressible(self) -> CompressionGroups:
        """Entries that hardly anybody recalls, in groups that a summary could stand for."""
        return compression_groups(self.live)

    def snapshot(self, *, dry_run: bool = False) -> UpkeepReport:
        """Write the core memories to MEMORY_SNAPSHOT.md, from which `init` brings them back."""
        return execute_noted(self.live, "snapshot", lambda: [write_snapshot], dry_run=dry_run)

    def retain(self, *, dry_run: bool = False) -> UpkeepReport:
        """Let memories retire as the settings say; UsageError when they say nothing of it.

        Raises ConfigError when the workspace has no archive.
        """
        require_rules(self.live.context.config)
        return self._retained(dry_run=dry_run)

    def _retained(self, *, dry_run: bool) -> UpkeepReport:
        return execute_noted(self.live, RETAIN, lambda: [retire_entries], dry_run=dry_run)

    def overflow(self, *, dry_run: bool = False) -> UpkeepReport:
        """Move the least important entries of a memory over its budget to linked pages; they stay
        core."""
        return execute_noted(self.live, "overflow", lambda: [put_overflow_away], dry_run=dry_run)

    def archived(self, query: str = "", *, limit: int | None = None) -> ArchiveList:
        """What retired, the newest month first; with a query what has all its words."""
        return archive_list(self.live, query, limit_of(limit))

    def restore(self, name: str, *, dry_run: bool = False) -> UpkeepReport:
        """Put a retired entry or conversation back where it was.

        Raises NotFoundError when the archive has no such one, AlreadyExistsError when its file is
        there again.
        """
        return restore(self.live, name, dry_run=dry_run)

    def purge(self, older_than: str, *, dry_run: bool = False) -> UpkeepReport:
        """Delete what retired before a day, or longer ago than an age such as `30d` or `2w`."""
        return purge(self.live, older_than, dry_run=dry_run)

    def state(self) -> UpkeepState:
        """What the last run did, and when the next one is due by itself."""
        return state_of(self.live.context)

    def seconds_until_run(self) -> float:
        """How long until `run` is due on its own schedule; 0 when it is."""
        return seconds_until_run(self.live.context)

    def retain_if_due(self) -> UpkeepReport | None:
        """Retire what a configured policy says, when that is due after so many writes; for whoever
        has written, when the answer is out."""
        return self._retained(dry_run=False) if is_retention_due(self.live.context) else None
