"""One entry in other words, as somebody says they are to be."""

from __future__ import annotations

from collections.abc import Iterator

from pydantic import BaseModel, ConfigDict

from memwiki.curation.jobs import Job, Shown
from memwiki.proposals.operations import Do
from memwiki.proposals.proposing import SuggestedOperation


class InstructReply(BaseModel):
    """The reply: the new words."""

    model_config = ConfigDict(extra="ignore")

    text: str


def suggested(reply: InstructReply, shown: Shown) -> Iterator[SuggestedOperation]:
    """The new words of the one entry that is known, if it is there still."""
    numbers = range(shown.portion.first, shown.portion.first + len(shown.portion.lines))
    for entry in filter(None, shown.known):
        values = {"entry": entry.id, "text": reply.text}
        yield SuggestedOperation(Do.UPDATE, {**values}, tuple(numbers))


INSTRUCT = Job("instruct", InstructReply, suggested, is_whole=True)
