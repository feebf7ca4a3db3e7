"""Jobs of models, as answers."""

from __future__ import annotations

from typing import NamedTuple

from memwiki.answers.edits import Edited
from memwiki.answers.lists import ListAnswer
from memwiki.answers.proposals import ProposalRow
from memwiki.answers.recall import Recall
from memwiki.nouns import Hit


class Brief(NamedTuple):
    """A job for whatever model, as one text; the reply goes to the proposal with this id."""

    id: str
    job: str
    text: str
    portions: int  # of the source that wait, this one too
    prompt_chars: int = 0  # of the text, before what is stored


class OutgoingRequest(NamedTuple):
    """A request as it would be sent, to the byte."""

    host: str
    url: str
    model: str
    bytes: int
    tokens_in: int  # by our estimate
    tokens_out: int  # at most
    price: float | None
    body: str


class JobPreview(ListAnswer[OutgoingRequest]):
    """What a job would send."""

    requests: tuple[OutgoingRequest, ...]
    source: str


class JobReport(ListAnswer[ProposalRow]):
    """What a job proposed."""

    proposals: tuple[ProposalRow, ...]
    source: str
    portions: int  # that waited
    calls: int  # that reached a model
    tokens_in: int
    tokens_out: int
    error: str = ""  # why the rest of the portions still waits
    hint: str = ""
    notes: tuple[str, ...] = ()
    should_store: bool | None = None  # whether a task told anything that lasts; None of no task
    reasoning: str = ""  # why, or why not


class Citation(NamedTuple):
    """Lines of a page or a conversation that say a sentence."""

    path: str
    line_start: int
    line_end: int
    id: str = ""  # of the message


class AnswerSentence(NamedTuple):
    """A sentence that the lines it cites support."""

    text: str
    citations: tuple[Citation, ...]
    support: float
    flags: tuple[str, ...] = ()


class DroppedSentence(NamedTuple):
    """A sentence that is no part of an answer, and why."""

    text: str
    why: str


class AskAnswer(ListAnswer[AnswerSentence]):
    """A question answered from what recall found; without a model the passages alone, and the job
    for any other one."""

    sentences: tuple[AnswerSentence, ...]
    dropped: tuple[DroppedSentence, ...]
    found: Recall
    is_answered: bool = False  # by a model, or whoever took the brief
    model: str = ""  # as far as it has a name
    kept_back: tuple[str, ...] = ()  # passages that no model may be shown: path and why
    brief: str = ""
    calls: int = 0  # that reached a model
    tokens_in: int = 0
    tokens_out: int = 0
    error: str = ""  # why no model answered
    hint: str = ""

    @property
    def hits(self) -> tuple[Hit, ...]:
        """What recall found."""
        return self.found.hits

    @property
    def fresh(self) -> bool:
        """Whether the index matched the files."""
        return self.found.fresh

    @property
    def reason(self) -> str:
        """Why it did not."""
        return self.found.reason


class KeptSource(NamedTuple):
    """A source in raw/, as it came."""

    source: str  # the path of its bytes
    text: str  # of the page whose lines are cited, the same where the source is one
    page: str  # about it
    title: str
    sha256: str
    edited: Edited
    proposals: tuple[ProposalRow, ...] = ()  # what was proposed of it
    notes: tuple[str, ...] = ()
    is_whole: bool = True  # whether nothing of it waits because a model failed


class IngestReport(ListAnswer[KeptSource]):
    """What became of the sources that were given."""

    sources: tuple[KeptSource, ...]
    failed: tuple[str, ...] = ()  # of which, and why


class CurateReport(JobReport):
    """What the curator proposed, and how many entries there were if it were accepted."""

    deleted: int = 0  # that would hold no more
    merged: int = 0  # that would be part of others
    total_before: int = 0
    total_after: int = 0
