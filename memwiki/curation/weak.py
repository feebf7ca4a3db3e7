"""Entries that hardly matter: which of them nobody needs any more."""

from __future__ import annotations

from collections.abc import Iterator

from pydantic import Field

from memwiki.curation.entry_lines import entry_at
from memwiki.curation.jobs import Job, ReasonedReply, Shown
from memwiki.proposals.operations import MAX_OPERATIONS, Do
from memwiki.proposals.proposing import SuggestedOperation


class WeakReply(ReasonedReply):
    """The reply: the lines that are to retire, and why."""

    retire: list[int] = Field(max_length=MAX_OPERATIONS)


def suggested(reply: WeakReply, shown: Shown) -> Iterator[SuggestedOperation]:
    """An operation an entry."""
    for number in dict.fromkeys(reply.retire):
        if entry := entry_at(shown, number):
            yield SuggestedOperation(Do.RETIRE, {"entry": entry.id}, (number,))


WEAK = Job("weak", WeakReply, suggested)
