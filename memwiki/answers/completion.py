"""What the shell offers for a half-typed name, as an answer."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple


class Completion(NamedTuple):
    value: str  # ends in `/` when more has to follow
    note: str = ""


@dataclass(frozen=True, slots=True)
class CompletionList:
    completions: tuple[Completion, ...]

    def __iter__(self) -> Iterator[Completion]:
        return iter(self.completions)


class CompletionScript(NamedTuple):
    """What a shell reads at its start to complete our commands."""

    shell: str
    script: str
