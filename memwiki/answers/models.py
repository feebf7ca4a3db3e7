"""Models: what is set, what is allowed, what was asked."""

from __future__ import annotations

from typing import NamedTuple

from memwiki.answers.index import NextStep
from memwiki.answers.lists import ListAnswer
from memwiki.answers.workspaces import Setting


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
