"""`AsyncWorkspace.upkeep`: keeping memories, each run one plan that is shown, journalled and
undone."""

# Generated from memwiki/workspace/upkeep.py: python docs/generate_aio.py
from __future__ import annotations

from typing import TYPE_CHECKING

from memwiki.aio.face import Face
from memwiki.upkeep.work import may_change_all
from memwiki.workspace.upkeep import UpkeepFacet

if TYPE_CHECKING:
    from memwiki.answers.index import UpkeepState
    from memwiki.answers.proposals import ProposalList
    from memwiki.answers.upkeep import ArchiveList, CompressionGroups, UpkeepReport
    from memwiki.index.projection import Progress
    from memwiki.upkeep.work import WhyLeft


class AsyncUpkeepFacet(Face[UpkeepFacet]):
    """Joins, promotes and retires memories."""

    async def run(
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
        return await self._write(
            lambda it: it.run(dry_run=dry_run, progress=progress, why_left=why_left)
        )

    async def propose(self) -> ProposalList:
        """Put up all upkeep for review, step by step: proposals of what `run` would do and what
        nobody has seen yet.

        Nothing is changed. What would change a file that agents leave alone is left out; what
        supersedes, joins or retires is flagged.
        """
        return await self._write(lambda it: it.propose())

    async def consolidate(
        self, *, dry_run: bool = False, progress: Progress | None = None
    ) -> UpkeepReport:
        """Join, promote, link and relate the entries that wait: at most a batch of them."""
        return await self._write(lambda it: it.consolidate(dry_run=dry_run, progress=progress))

    async def compressible(self) -> CompressionGroups:
        """Entries that hardly anybody recalls, in groups that a summary could stand for."""
        return await self._read(lambda it: it.compressible())

    async def snapshot(self, *, dry_run: bool = False) -> UpkeepReport:
        """Write the core memories to MEMORY_SNAPSHOT.md, from which `init` brings them back."""
        return await self._write(lambda it: it.snapshot(dry_run=dry_run))

    async def retain(self, *, dry_run: bool = False) -> UpkeepReport:
        """Let memories retire as the settings say; UsageError when they say nothing of it.

        Raises ConfigError when the workspace has no archive.
        """
        return await self._write(lambda it: it.retain(dry_run=dry_run))

    async def overflow(self, *, dry_run: bool = False) -> UpkeepReport:
        """Move the least important entries of a memory over its budget to linked pages; they stay
        core."""
        return await self._write(lambda it: it.overflow(dry_run=dry_run))

    async def archived(self, query: str = "", *, limit: int | None = None) -> ArchiveList:
        """What retired, the newest month first; with a query what has all its words."""
        return await self._read(lambda it: it.archived(query, limit=limit))

    async def restore(self, name: str, *, dry_run: bool = False) -> UpkeepReport:
        """Put a retired entry or conversation back where it was.

        Raises NotFoundError when the archive has no such one, AlreadyExistsError when its file is
        there again.
        """
        return await self._write(lambda it: it.restore(name, dry_run=dry_run))

    async def purge(self, older_than: str, *, dry_run: bool = False) -> UpkeepReport:
        """Delete what retired before a day, or longer ago than an age such as `30d` or `2w`."""
        return await self._write(lambda it: it.purge(older_than, dry_run=dry_run))

    async def state(self) -> UpkeepState:
        """What the last run did, and when the next one is due by itself."""
        return await self._read(lambda it: it.state())

    async def seconds_until_run(self) -> float:
        """How long until `run` is due on its own schedule; 0 when it is."""
        return await self._read(lambda it: it.seconds_until_run())

    async def retain_if_due(self) -> UpkeepReport | None:
        """Retire what a configured policy says, when that is due after so many writes; for whoever
        has written, when the answer is out."""
        return await self._write(lambda it: it.retain_if_due())
