"""Whether anything of a task that ended is worth remembering, and what."""

from __future__ import annotations

from collections.abc import Iterator

from pydantic import Field

from memwiki.curation.extract import MAX_FACTS, ExtractedFact, suggested_facts
from memwiki.curation.jobs import Job, ReasonedReply, Shown
from memwiki.proposals.proposing import SuggestedOperation


class WorthwhileReply(ReasonedReply):
    """The reply: whether, why, and the facts."""

    should_store: bool
    facts: list[ExtractedFact] = Field([], max_length=MAX_FACTS)


def suggested(reply: WorthwhileReply, shown: Shown) -> Iterator[SuggestedOperation]:
    """The facts, where anything is to be stored: some models list what they advise against."""
    if reply.should_store:
        yield from suggested_facts(reply.facts, shown)


WORTHWHILE = Job("worthwhile", WorthwhileReply, suggested, shows_known=True)
