"""Why a file in the folder is not a page, one path at a time."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from memwiki.errors import MemwikiError
from memwiki.files.ignore import Ignore, load_ignore, why_not_folder, why_not_name
from memwiki.files.read import resolve_link
from memwiki.names import is_encodable, is_page_name


def why_ignored(root: Path | str, path: str, *, ignore: Ignore | None = None) -> str:
    """Say why the file at a workspace-relative path is not a page; "" when it is one."""
    rules = load_ignore(root) if ignore is None else ignore
    return why_not_path(path, rules) or _why_not_file(Path(root), path, rules)


def why_not_path(path: str, rules: Ignore) -> str:
    """Judge a path by its names alone."""
    *folders, name = path.split("/")
    for depth, folder in enumerate(folders, 1):
        excluded = rules.why("/".join(folders[:depth]) + "/") if rules.can_prune else ""
        if reason := why_not_folder(folder) or excluded:
            return reason
    if not is_encodable(path):
        return "its name is not valid UTF-8"
    return why_not_name(name) or rules.why(path)


def _why_not_file(root: Path, path: str, rules: Ignore) -> str:
    """Judge what lies at a path."""
    location = root / path
    for folder in reversed(Path(path).parents[:-1]):
        if (root / folder).is_symlink():
            return f"its folder {folder.as_posix()} is a symlink"
    try:
        mode = location.lstat().st_mode
    except OSError as error:
        return f"it cannot be read ({error.strerror})"
    if stat.S_ISLNK(mode) and (reason := why_not_link(root, path, rules)):
        return reason
    if stat.S_ISDIR(mode):
        return "it is a folder"
    if not stat.S_ISLNK(mode) and not stat.S_ISREG(mode):
        return "it is not a regular file"
    return "" if is_page_name(path) else "it is not a markdown file"


def link_target(root: Path | str, link: str) -> str:
    """Give the workspace-relative path a symlink leads to; "" when it leads out or nowhere."""
    try:
        return resolve_link(root, link).relative_to(Path(root).resolve()).as_posix()
    except (MemwikiError, OSError):
        return ""


def why_not_link(root: Path | str, link: str, rules: Ignore) -> str:
    """Say why a symlink is not taken in: what it leads to is outside, hidden or found by itself."""
    target = link_target(root, link)
    if not target:
        return "it is a symlink that leads out of the workspace"
    if reason := why_not_path(target, rules):
        return f"it is a symlink to {target}, and {reason}"
    try:
        mode = os.stat(Path(root, target)).st_mode  # noqa: PTH116 - follows nothing any more
    except OSError:
        return "it is a broken symlink"
    if not stat.S_ISREG(mode):
        return f"it is a symlink to {target}, which is a folder"
    return f"it is the same file as {target}" if is_page_name(target) else ""
