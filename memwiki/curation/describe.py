"""A page without a description, in one sentence."""

from __future__ import annotations

from collections.abc import Iterator

from pydantic import BaseModel, ConfigDict, Field

from memwiki.curation.jobs import Job, Shown
from memwiki.proposals.operations import Do
from memwiki.proposals.proposing import SuggestedOperation

MAX_DESCRIPTION = 200  # characters, as catalogs show them


class DescribeReply(BaseModel):
    """The reply: what the page is about; no words where it says too little."""

    model_config = ConfigDict(extra="ignore")

    lines: list[int] = []
    text: str = Field("", max_length=MAX_DESCRIPTION)


def suggested(reply: DescribeReply, shown: Shown) -> Iterator[SuggestedOperation]:
    """One operation on the page."""
    if reply.text.strip():
        cited = tuple(number for number in reply.lines if shown.portion.line(number))
        yield SuggestedOperation(Do.DESCRIBE, {"page": shown.path, "text": reply.text}, cited)


DESCRIBE = Job("describe", DescribeReply, suggested)
