"""The jobs over one entry: in other words, or beside one that says nearly the same."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum

from pydantic import BaseModel, model_validator

from memwiki.curation.jobs import Job, ReasonedReply, Shown
from memwiki.nouns import Json
from memwiki.proposals.operations import Do
from memwiki.proposals.proposing import SuggestedOperation


class InstructReply(BaseModel):
    """The reply: the new words."""

    text: str


def suggested_instruct(reply: InstructReply, shown: Shown) -> Iterator[SuggestedOperation]:
    """The new words of the one entry that is known, if it is there still."""
    numbers = range(shown.portion.first, shown.portion.first + len(shown.portion.lines))
    for entry in filter(None, shown.known):
        values = {"entry": entry.id, "text": reply.text}
        yield SuggestedOperation(Do.UPDATE, {**values}, tuple(numbers))


INSTRUCT = Job("instruct", InstructReply, suggested_instruct, is_whole=True)


class NearAction(StrEnum):
    """What is to become of both."""

    REPLACE = "replace"
    MERGE = "merge"
    KEEP_BOTH = "keep_both"


class NearReply(ReasonedReply):
    """The reply: what, why, and with `merge` the words."""

    action: NearAction
    text: str = ""

    @model_validator(mode="after")
    def _has_words(self) -> NearReply:
        if self.action is NearAction.MERGE and not self.text.strip():
            raise ValueError("merge needs a text")
        return self


def suggested_near(reply: NearReply, shown: Shown) -> Iterator[SuggestedOperation]:
    """One operation on both, if both are there still; none where both stay."""
    known, new = shown.known
    if not (known and new):
        return
    if reply.action is NearAction.REPLACE:
        ending: dict[str, Json] = {"entry": known.id, "successor": new.id, "text": new.text}
        yield SuggestedOperation(Do.SUPERSEDE, ending, (2,))
    elif reply.action is NearAction.MERGE:
        joining: dict[str, Json] = {"entries": [known.id, new.id], "text": reply.text}
        yield SuggestedOperation(Do.JOIN, joining, (1, 2))


NEAR = Job("near", NearReply, suggested_near, is_whole=True)
