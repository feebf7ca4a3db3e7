"""What a check found, as an answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from memwiki.answers.edits import Edited
from memwiki.answers.packed import ListAnswer
from memwiki.model import Problem


class Counts(NamedTuple):
    """How many problems of each severity."""

    error: int = 0
    warning: int = 0
    info: int = 0


@dataclass(frozen=True, slots=True)
class CheckReport(ListAnswer[Problem]):
    """The problems that are left, and with `--fix` what was changed.

    Of a check they are `Problems`, which are made when they are walked.
    """

    problems: Sequence[Problem]
    counts: Counts
    pages: int  # checked
    known: int = 0  # left out because the baseline holds them
    ignored: int = 0  # left out because the setting check.ignore names their code
    fixed: Edited | None = None
    fresh: bool = True
    reason: str = ""
