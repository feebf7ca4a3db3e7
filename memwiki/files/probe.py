"""What lies at one path, for when somebody says that it changed: a few calls instead of a walk."""

from __future__ import annotations

import os
import stat
from enum import Enum
from pathlib import Path
from posixpath import normpath

from memwiki.files.ignore import Ignore
from memwiki.files.why_ignored import why_not_path
from memwiki.names import is_page_name


class PathState(Enum):
    """What a walk of the whole workspace would find at a path."""

    PAGE = "page"
    GONE = "gone"  # no page there, and that is certain
    UNCLEAR = "unclear"  # only a walk can tell


def probe(root: Path, path: str, ignore: Ignore) -> PathState:
    """Look at one path; whatever is not plainly a page, or plainly gone, is unclear.

    Folders, symlinks, other devices and what cannot be read concern more than one path, or may be
    back in a moment.
    """
    if not is_page_name(path) or normpath(path) != path:
        return PathState.UNCLEAR
    if why_not_path(path, ignore):
        return PathState.GONE
    try:
        return _look(root, path)
    except (OSError, ValueError):
        return PathState.UNCLEAR


def is_case_blind(root: Path) -> bool:
    """Whether the file system takes `a.md` and `A.md` for one, so that a path alone proves
    nothing."""
    return any(os.path.lexists(root / name) for name in (".MEMWIKI", "MEMWIKI.TOML"))


def device_of(root: Path) -> int:
    """The device a workspace lies on, 0 when it cannot be seen."""
    try:
        return os.stat(root).st_dev  # noqa: PTH116 - the root may be a link
    except OSError:
        return 0


def _look(root: Path, path: str) -> PathState:
    if not _is_plain_folder(root, path):
        return PathState.UNCLEAR
    try:
        mode = os.lstat(root / path).st_mode
    except FileNotFoundError:
        # Only if the folder is still there: a disk that goes away takes no page out of the index.
        return PathState.GONE if _is_plain_folder(root, path) else PathState.UNCLEAR
    return PathState.PAGE if stat.S_ISREG(mode) else PathState.UNCLEAR


def _is_plain_folder(root: Path, path: str) -> bool:
    """Whether all folders down to a file are real ones that can be listed, on one device."""
    location, device = os.fspath(root), device_of(root)
    for name in path.split("/")[:-1]:
        location = f"{location}/{name}"
        found = os.lstat(location)
        if not stat.S_ISDIR(found.st_mode) or found.st_dev != device:
            return False
    return os.access(location, os.R_OK | os.X_OK)
