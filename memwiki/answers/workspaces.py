"""The workspaces that have a name, as answers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple


class NamedWorkspace(NamedTuple):
    """A name and the folder that it means."""

    name: str
    folder: str
    is_there: bool = True  # whether the folder is a workspace now


@dataclass(frozen=True, slots=True)
class WorkspaceList:
    """All names, and the file in which they are."""

    workspaces: tuple[NamedWorkspace, ...]
    file: str

    def __iter__(self) -> Iterator[NamedWorkspace]:
        return iter(self.workspaces)
