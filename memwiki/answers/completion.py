"""What the shell offers for a half-typed name, as an answer."""

from __future__ import annotations

from typing import NamedTuple


class Completion(NamedTuple):
    value: str  # ends in `/` when more has to follow
    note: str = ""


class CompletionList(NamedTuple):
    completions: tuple[Completion, ...]


class CompletionScript(NamedTuple):
    """What a shell reads at its start to complete our commands."""

    shell: str
    script: str
