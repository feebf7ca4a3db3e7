"""What became of a folder that was made a workspace, as an answer."""

from __future__ import annotations

from typing import NamedTuple


class InitReport(NamedTuple):
    workspace: str
    created: tuple[str, ...]
    adopted: bool
    git: bool
    notes: tuple[str, ...] = ()  # what the person may want to set first
