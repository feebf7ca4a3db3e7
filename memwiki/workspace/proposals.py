"""`Workspace.proposals`: what a model or an agent proposes, reviewed before it is true."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from memwiki.nouns import Json
from memwiki.numbers import limit_of
from memwiki.sync.reading import Facing, rebuilding_at_once

if TYPE_CHECKING:
    from memwiki.answers.curation import ProposalList, ProposalView, Reviewed, SourceLines
    from memwiki.proposals.acceptance import UpkeepSteps


class ProposalsFacet(Facing):
    """Proposals by id, their operations by number; what changes pages shows it with `dry_run`."""

    def list(self, *, all: bool = False, limit: int | None = None) -> ProposalList:
        """The proposals that wait for somebody, or all that are kept, the newest first."""
        from memwiki.proposals.review import list_proposals

        return list_proposals(self.live, is_all=all, limit=limit_of(limit))

    @rebuilding_at_once
    def get(self, id: str) -> ProposalView:
        """A proposal, with what accepting each of its operations would change.

        Raises NotFoundError, and UnreadableError for a file that holds no proposal.
        """
        from memwiki.proposals.review import show_proposal

        return show_proposal(self.live, id, self._upkeep())

    @rebuilding_at_once
    def decide(
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
        from memwiki.proposals.review import decide

        return decide(self.live, id, accept, reject, dry_run=dry_run, upkeep=self._upkeep())

    def _upkeep(self) -> UpkeepSteps:
        """The steps of upkeep, of which none is looked for before one is asked about."""
        from memwiki.workspace.upkeep import upkeep_steps

        return upkeep_steps(self.live)

    @rebuilding_at_once
    def reopen(self, id: str, operations: Sequence[int]) -> ProposalView:
        """Let operations that were decided be decided anew, as after an undo, each by its number;
        "all" does not take them, and stale ones among them stay so.

        Raises NotFoundError for a number that there is not, UsageError for one that waits.
        """
        from memwiki.proposals.review import reopen_operations, show_proposal

        return show_proposal(self.live, reopen_operations(self.live, id, operations).id)

    @rebuilding_at_once
    def edit(self, id: str, n: int, text: str) -> ProposalView:
        """Put an operation into other words, which need no line that supports them.

        Raises UsageError for an operation without words, and for words that cannot be written.
        """
        from memwiki.proposals.review import reword_operation, show_proposal

        return show_proposal(self.live, reword_operation(self.live, id, n, text).id)

    @rebuilding_at_once
    def propose(
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
        from memwiki.proposals.proposing import propose
        from memwiki.proposals.review import show_proposal

        return show_proposal(
            self.live, propose(self.live, operations, source, job=job, model=model).id
        )

    @rebuilding_at_once
    def lines(self, source: str) -> SourceLines:
        """The lines of a session or page that an operation can cite, counted from 1.

        What is private, a secret or written by a model is left out. Raises NotFoundError.
        """
        from memwiki.answers.curation import SourceLines
        from memwiki.proposals.numbering import number_lines, source_named

        found = source_named(self.live.public(), source)
        return SourceLines(tuple(number_lines(found.lines).split("\n")), found.path)
