"""The tools that agents are offered, as an answer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from memwiki.model import Json


@dataclass(frozen=True, slots=True)
class ToolDefinitions:
    """The tools of a profile, each in the shape that an API takes."""

    profile: str
    format: str
    tools: tuple[Mapping[str, Json], ...]

    def __iter__(self) -> Iterator[Mapping[str, Json]]:
        return iter(self.tools)
