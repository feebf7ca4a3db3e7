"""Which folder is the workspace, and which files in it are meant."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from memwiki.config import find_workspace, is_workspace, workspaces_from
from memwiki.errors import NotFoundError, NoWorkspaceError, UnreadableError, current_folder_gone


def located(directory: str | Path | None, environ: Mapping[str, str], *, is_found: bool) -> Path:
    """The root of the workspace around a folder, or exactly that folder.

    The environment may name one for the current folder, but not for a folder that is named.
    """
    start = _start(directory)
    if not is_found:
        return start
    if directory is not None:
        return _around(start, environ)
    root = find_workspace(start, environ)
    if root is None:
        raise _no_workspace(start)
    return root


def require_workspace(directory: str | None) -> None:
    """Refuse a folder that has neither settings nor been adopted."""
    folder = _start(directory)
    if not is_workspace(folder):
        raise NoWorkspaceError(f"{folder}: not a workspace", _way_to_one(folder))


def _around(start: Path, environ: Mapping[str, str]) -> Path:
    found, stray = workspaces_from(start, environ)
    if not found:
        raise _no_workspace(start, stray)
    return found[0]


def _no_workspace(start: Path, stray: Sequence[Path] = ()) -> NoWorkspaceError:
    what, hint = "no workspace here or above", _way_to_one(start)
    if stray:
        what += f", but for {stray[0]}, your home folder, or another person's"
        from shlex import quote

        hint += f"; memwiki --here -C {quote(str(stray[0]))} uses that one"
    return NoWorkspaceError(f"{start}: {what}", hint)


def _start(directory: str | Path | None) -> Path:
    try:
        start = Path(directory or ".").absolute()
    except FileNotFoundError as error:
        raise current_folder_gone() from error
    try:
        is_there = start.is_dir()
    except (OSError, ValueError):  # a name that no folder can have
        is_there = False
    if not is_there:
        raise NotFoundError(f"{directory}: no such folder", "give -C an existing folder")
    if not os.access(start, os.R_OK | os.X_OK):
        raise UnreadableError.at(start, "cannot be read", "check who may read the folder")
    return start


def _way_to_one(folder: Path) -> str:
    from shlex import quote  # not where nothing is wrong

    return f"memwiki init --adopt {quote(str(folder))} makes this folder one"
