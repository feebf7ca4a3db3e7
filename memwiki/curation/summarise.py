"""What a conversation was about, in at most five sentences."""

from __future__ import annotations

from collections.abc import Iterator

from pydantic import BaseModel, ConfigDict, Field

from memwiki.curation.jobs import Job, Shown
from memwiki.nouns import Json
from memwiki.proposals.operations import Do
from memwiki.proposals.proposing import SuggestedOperation

MAX_SENTENCES = 5


class CitedSentence(BaseModel):
    """A sentence, and the lines that say it."""

    model_config = ConfigDict(extra="ignore")

    lines: list[int]
    text: str


class SummariseReply(BaseModel):
    """The reply: one to five sentences."""

    model_config = ConfigDict(extra="ignore")

    sentences: list[CitedSentence] = Field(min_length=1, max_length=MAX_SENTENCES)


def suggested(reply: SummariseReply, shown: Shown) -> Iterator[SuggestedOperation]:
    """One operation, that rests on all the lines that its sentences cite."""
    numbers = (number for sentence in reply.sentences for number in sentence.lines)
    cited = tuple(number for number in dict.fromkeys(numbers) if shown.portion.line(number))
    sentences: Json = [each.text for each in reply.sentences]
    values = {"session": shown.session, "sentences": sentences}
    yield SuggestedOperation(Do.SUMMARISE, values, cited)


SUMMARISE = Job("summarise", SummariseReply, suggested, is_whole=True)
