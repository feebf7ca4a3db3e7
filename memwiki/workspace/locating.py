"""Which folder is the workspace."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from memwiki.config import find_workspace
from memwiki.errors import NotFoundError, NoWorkspaceError


def located(directory: str | Path | None, environ: Mapping[str, str], *, is_found: bool) -> Path:
    """The root of the workspace around a folder, or exactly that folder."""
    start = Path(directory or ".").absolute()
    root = find_workspace(start, environ) if is_found else start
    if root is None:
        raise NoWorkspaceError(
            f"{start}: no workspace here or above",
            hint=f"memwiki init --adopt {directory or '.'} makes this folder one",
        )
    if not root.is_dir():
        raise NotFoundError(f"{root}: no such folder", hint="give -C an existing folder")
    return root
