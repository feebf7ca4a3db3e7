"""Models, their jobs, what they propose, and entries that were added, as answers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from memwiki.answers.entries import EntryConflict, EntryView, NearEntry
from memwiki.answers.index import NextStep
from memwiki.answers.lists import ListAnswer
from memwiki.answers.pages import Edited
from memwiki.answers.recall import Recall
from memwiki.answers.workspaces import Setting
from memwiki.nouns import Hit, Json
from memwiki.records import FrozenRecord


class ModelRow(NamedTuple):
    """A model that is set; `problem` says why it would not be asked here."""

    use: str  # chat or embed
    model: str
    where: str  # an address, a file, or "local"
    host: str
    key_env: str
    problem: str = ""


class SpentRow(NamedTuple):
    """What a model was asked in a month for a job; `price` is None where none is set."""

    month: str
    host: str
    model: str
    job: str
    calls: int
    tokens_in: int
    tokens_out: int
    price: float | None = None


class SpentList(ListAnswer[SpentRow]):
    """What was asked of all models by this user, the last month first."""

    spent: tuple[SpentRow, ...]
    month: str
    tokens: int  # of this month, in all workspaces
    tokens_per_month: int
    ledger: str


class ModelsReport(NamedTuple):
    """What is set, and where each setting comes from."""

    config: str  # the user's file
    models: tuple[ModelRow, ...]
    settings: tuple[Setting, ...]  # those that are not as by default
    is_enabled: bool  # by the workspace's own file
    withhold: tuple[str, ...]
    allowed: tuple[str, ...]  # hosts that this workspace may be sent to
    notes: tuple[str, ...] = ()
    next: tuple[NextStep, ...] = ()


class ModelCheck(NamedTuple):
    """What one tiny request told of a model; with a dry run, the request."""

    host: str
    model: str
    url: str
    ms: int = 0
    format: str = ""  # that holds its replies to their form
    width: int = 0  # of its vectors, where it makes some
    context_tokens: int = 0  # as it is set
    read_tokens: int = 0  # of a request as long as that; 0 where it was not measured
    tokens_in: int = 0
    tokens_out: int = 0
    price: float | None = None
    request: str = ""  # all that would be sent, to the byte


class AllowedHosts(NamedTuple):
    """The hosts that a workspace may be sent to."""

    workspace: str
    hosts: tuple[str, ...]


class ForgottenReplies(NamedTuple):
    """What models answered and is not kept any more."""

    replies: int
    bytes: int


class CitedLine(NamedTuple):
    """A line that an operation rests on."""

    line: int  # of the file, 0 of what left it
    quote: str
    id: str = ""  # of the message


class OperationView(NamedTuple):
    """One change that is proposed."""

    n: int
    do: str
    text: str  # the words that it would write, "" for none
    values: Mapping[str, Json]
    evidence: tuple[CitedLine, ...]
    support: float  # share of its words in what it cites, from 0 to 1
    flags: tuple[str, ...]  # why it is never taken with all the rest
    state: str  # open, aside, accepted, rejected or stale
    why: str = ""
    diff: str = ""  # what accepting it would change


class ProposalRow(NamedTuple):
    """A proposal in a list."""

    id: str
    at: str
    job: str
    model: str
    source: str  # a path
    open: int  # operations that are supported and not flagged
    flagged: int
    aside: int
    decided: int
    is_answered: bool = True  # a brief that nobody answered yet is not
    is_dropped: bool = False  # a brief that nobody can answer: its source is gone


class ProposalList(ListAnswer[ProposalRow]):
    """The proposals that wait for somebody, or all that are kept."""

    proposals: tuple[ProposalRow, ...]
    total: int  # at least that many, where files are unread
    notes: tuple[str, ...] = ()
    unread: int = 0  # older files
    fresh: bool = True


class ProposalView(NamedTuple):
    """A proposal with its operations."""

    id: str
    at: str
    job: str
    model: str
    host: str
    source: str
    digest: str
    operations: tuple[OperationView, ...]
    notes: tuple[str, ...] = ()
    is_answered: bool = True
    reasoning: str = ""  # why, or why nothing, where the job asks for it


class SourceLines(ListAnswer[str]):
    """The lines of a source that an operation can cite, each with its number before it."""

    lines: tuple[str, ...]
    source: str


class Reviewed(NamedTuple):
    """What was decided of a proposal, and what that changed."""

    id: str
    accepted: tuple[int, ...]
    rejected: tuple[int, ...]
    stale: tuple[tuple[int, str], ...]  # with why
    open: int
    edited: Edited


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


class AddReport(FrozenRecord):
    """What became of the entries that were to be added."""

    added: tuple[EntryView, ...]
    repeated: tuple[EntryView, ...]  # were there already: nothing was written
    replaced: tuple[EntryView, ...]
    near: tuple[NearEntry, ...]
    conflicts: tuple[EntryConflict, ...]
    superseded: tuple[EntryView, ...]
    edited: Edited
    # What waits for review: that an added entry ends another one, or what becomes of it and one
    # that is near, where a model was to be asked.
    proposals: tuple[ProposalRow, ...] = ()
    briefs: tuple[Brief, ...] = ()
    requests: tuple[OutgoingRequest, ...] = ()
