"""Jobs of models, as answers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from memwiki.answers.lists import ListAnswer
from memwiki.answers.proposals import ProposalRow


class Brief(NamedTuple):
    """A job for whatever model, as one text; the reply goes to the proposal with this id."""

    id: str
    job: str
    text: str
    portions: int  # of the source that wait, this one too


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


@dataclass(frozen=True, slots=True)
class JobPreview(ListAnswer[OutgoingRequest]):
    """What a job would send."""

    requests: tuple[OutgoingRequest, ...]
    source: str


@dataclass(frozen=True, slots=True)
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


@dataclass(frozen=True, slots=True)
class CurateReport(JobReport):
    """What the curator proposed, and how many entries there were if it were accepted."""

    deleted: int = 0  # that would hold no more
    merged: int = 0  # that would be part of others
    total_before: int = 0
    total_after: int = 0
