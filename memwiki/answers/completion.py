"""What the shell offers for a half-typed name, as an answer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from memwiki.answers.lists import ListAnswer


class Completion(NamedTuple):
    value: str  # ends in `/` when more has to follow
    note: str = ""


@dataclass(frozen=True, slots=True)
class CompletionList(ListAnswer[Completion]):
    completions: tuple[Completion, ...]


class CompletionScript(NamedTuple):
    """What a shell reads at its start to complete our commands."""

    shell: str
    script: str
