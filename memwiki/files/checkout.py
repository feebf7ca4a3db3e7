"""The git checkout around a folder, seen without running git."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from memwiki.errors import MemwikiError
from memwiki.files.read import is_folder, read

# Names in the folder of git that stand there while it, or a person in the middle of it, is at work.
_AT_WORK = {
    "index.lock": "git is at work",
    "MERGE_HEAD": "a merge is in progress",
    "rebase-merge": "a rebase is in progress",
}
# Git holds its lock for seconds; one older than this was left behind by a git that was killed.
_STALE_LOCK_NS = 600 * 10**9


def git_folder(root: Path) -> Path | None:
    """Where git keeps what it knows of the checkout around a folder; None without git."""
    for folder in (root, *root.parents):
        location = folder / ".git"
        if is_folder(location):
            return location
        if os.path.isfile(location):  # noqa: PTH113 - as is_folder; a worktree names its place
            mark, colon, name = _small_file(folder, ".git").partition("gitdir: ")
            return folder / name if colon and name and not mark and "\0" not in name else None
    return None


def git_head(root: Path) -> str:
    """Which commit the checkout around a folder is at, "" without git."""
    location = git_folder(root)
    return _head_of(location) if location else ""


def git_at_work(location: Path, now_ns: int) -> str:
    """What git is in the middle of, given its folder; "" when its files are whole."""
    for name, what in _AT_WORK.items():
        with suppress(OSError, ValueError):
            found = os.lstat(location / name)
            if name != "index.lock" or now_ns - found.st_mtime_ns < _STALE_LOCK_NS:
                return what
    return ""


def _head_of(location: Path) -> str:
    head = _small_file(location, "HEAD")
    with suppress(OSError, ValueError):  # every move of HEAD is noted there: checkout, pull, reset
        log = (location / "logs" / "HEAD").stat()
        return f"{head} {log.st_size} {log.st_mtime_ns}"
    return head


def _small_file(root: Path, path: str) -> str:
    try:
        return read(root, path, max_bytes=4096).decode("utf-8", "replace").strip()
    except MemwikiError:
        return ""
