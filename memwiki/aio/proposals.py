"""`AsyncWorkspace.proposals`: what a model or an agent proposes, reviewed before it is true."""

# Generated from memwiki/workspace/proposals.py: python docs/generate_aio.py
from __future__ import annotations

from typing import TYPE_CHECKING

from memwiki.aio.face import Face
from memwiki.workspace.proposals import ProposalsFacet

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from memwiki.answers.proposals import ProposalList, ProposalView, Reviewed, SourceLines
    from memwiki.nouns import Json


class AsyncProposalsFacet(Face[ProposalsFacet]):
    """Proposals by id, their operations by number; what changes pages shows it with `dry_run`."""

    async def list(self, *, all: bool = False, limit: int | None = None) -> ProposalList:
        """The proposals that wait for somebody, or all that are kept, the newest first."""
        return await self._write(lambda it: it.list(all=all, limit=limit))

    async def get(self, id: str) -> ProposalView:
        """A proposal, with what accepting each of its operations would change.

        Raises NotFoundError, and UnreadableError for a file that holds no proposal.
        """
        return await self._write(lambda it: it.get(id))

    async def decide(
        self,
        id: str,
        *,
        accept: Sequence[int] | str = (),
        reject: Sequence[int] | str = (),
        dry_run: bool = False,
    ) -> Reviewed:
        """Accept some operations as one change, and reject others, each by its number from 1.

        "all" accepts what is supported and not flagged, and rejects all that is undecided. What
        rests on words that changed meanwhile becomes stale. Raises NotFoundError for a number that
        there is not, UsageError for one that was decided already.
        """
        return await self._write(
            lambda it: it.decide(id, accept=accept, reject=reject, dry_run=dry_run)
        )

    async def reopen(self, id: str, operations: Sequence[int]) -> ProposalView:
        """Let operations that were decided be decided anew, as after an undo, each by its number;
        "all" does not take them.

        Raises NotFoundError for a number that there is not, UsageError for one that is undecided.
        """
        return await self._write(lambda it: it.reopen(id, operations))

    async def edit(self, id: str, n: int, text: str) -> ProposalView:
        """Put an operation into other words, which need no line that supports them.

        Raises UsageError for an operation without words, and for words that cannot be written.
        """
        return await self._write(lambda it: it.edit(id, n, text))

    async def propose(
        self,
        operations: Sequence[Mapping[str, Json]],
        *,
        source: str = "",
        job: str = "",
        model: str = "",
    ) -> ProposalView:
        """Keep operations for review: each says what to `do`, its values, and the `lines` of the
        source that it cites, counted from 1 as `proposals.lines` gives them.

        Nothing is written into a page. Raises UsageError for what is no operation.
        """
        return await self._write(
            lambda it: it.propose(operations, source=source, job=job, model=model)
        )

    async def lines(self, source: str) -> SourceLines:
        """The lines of a session or page that an operation can cite, counted from 1.

        What is private, a secret or written by a model is left out. Raises NotFoundError.
        """
        return await self._write(lambda it: it.lines(source))
