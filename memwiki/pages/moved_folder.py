"""A folder that is to move or go: whether it may, and what of it stays."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator
from contextlib import suppress
from pathlib import Path
from posixpath import basename, dirname

from memwiki.config.programs import FOLDERS_OF_OTHERS
from memwiki.errors import UsageError
from memwiki.files.read import is_hidden

_MAX_BYTES = 32_000_000  # what is kept to undo a move holds every file that moved
_WHOLE = {".git": "git repository", **dict.fromkeys(FOLDERS_OF_OTHERS, "vault")}
_MAX_SHOWN = 20


def require_bearable(root: Path, folder: str, paths: list[str]) -> None:
    """Refuse to move more than can be kept to undo it."""
    size = sum((root / path).stat().st_size for path in paths)
    if size > _MAX_BYTES:
        raise UsageError(
            f"{folder}: holds {size // 1_000_000} MB, more than a move that can be undone may hold",
            "move its large files by hand first, or the folder part by part",
        )


def what_stays(root: Path, folder: str, paths: Collection[str]) -> Iterator[str]:
    """What is said of all in a folder, given with a `/`, that is not among the paths which move.

    Raises UsageError where a repository or vault would be torn from what makes it one.
    """
    above = _folders(folder, paths)
    entries = [each for path in sorted(above) for each in _entries(root, path)]
    for path in entries:
        if what := _WHOLE.get(basename(path)):
            raise UsageError(
                f"{dirname(path)}/: is a {what} of its own, and {basename(path)} would not move",
                "move the folder with mv; memwiki check then names the links that broke",
            )
    moved = {*paths, *above}
    left = [path for path in entries if path not in moved and not is_hidden(root, path)]
    more = f" and {len(left) - _MAX_SHOWN} more" if len(left) > _MAX_SHOWN else ""
    if left:
        names = f"{', '.join(left[:_MAX_SHOWN])}{more}"
        yield f"left where they are, as they are outside the workspace: {names}"


def _folders(folder: str, paths: Collection[str]) -> set[str]:
    """The folders in which something moves, from this one down."""
    top = folder.rstrip("/")
    found = {top}
    for path in paths:
        above = dirname(path)
        while above not in found:
            found.add(above)
            above = dirname(above)
    return found


def _entries(root: Path, folder: str) -> list[str]:
    """The files, symlinks and folders that are not empty directly in a folder."""
    with os.scandir(root / folder) as found:
        return sorted(f"{folder}/{each.name}" for each in found if not _is_empty(each))


def _is_empty(entry: os.DirEntry[str]) -> bool:
    """Whether it is a folder in which nothing is; one that is closed to us may hold something."""
    with suppress(OSError):
        return entry.is_dir(follow_symlinks=False) and not any(Path(entry).iterdir())
    return False
