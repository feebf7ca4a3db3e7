"""The workspaces that have a name, as answers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from memwiki.answers.packed import ListAnswer


class NamedWorkspace(NamedTuple):
    """A name and the folder that it means."""

    name: str
    folder: str
    is_there: bool = True  # whether the folder is a workspace now


@dataclass(frozen=True, slots=True)
class WorkspaceList(ListAnswer[NamedWorkspace]):
    """All names, and the file in which they are."""

    workspaces: tuple[NamedWorkspace, ...]
    file: str
