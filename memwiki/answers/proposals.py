"""Proposals, as answers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from memwiki.answers.edits import Edited
from memwiki.answers.lists import ListAnswer
from memwiki.nouns import Json


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
