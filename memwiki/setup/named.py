"""Which folder is the workspace: the one that a path is in, or one with a name."""

from __future__ import annotations

import os
from codecs import BOM_UTF8
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from memwiki.answers.workspaces import NamedWorkspace, WorkspaceList
from memwiki.change.outside import OutsideEdit, apply_outside, bytes_at
from memwiki.config import environment, find_workspace, is_workspace, workspaces_from
from memwiki.config.locations import user_file
from memwiki.config.named import (
    named_folder,
    with_workspace,
    without_workspace,
    workspaces_in,
)
from memwiki.errors import (
    ConfigError,
    NotFoundError,
    NoWorkspaceError,
    UnreadableError,
    current_folder_gone,
)


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


def workspaces(environ: Mapping[str, str] | None = None) -> WorkspaceList:
    """All names, sorted."""
    file = _file(environ)
    known = workspaces_in(_text(file), str(file))
    return WorkspaceList(tuple(_named(name, known) for name in sorted(known)), str(file))


def folder_of(name: str, environ: Mapping[str, str] | None = None) -> Path:
    """The root of the workspace of a name; NotFoundError where there is no such name or folder."""
    file = _file(environ)
    folder = named_folder(name, workspaces_in(_text(file), str(file)))
    if not folder.is_dir():
        raise NotFoundError(
            f"workspace {name}: {folder} is not there",
            "memwiki workspaces remove {}, then add it anew",
            name,
        )
    return folder


def add(
    name: str, directory: str | Path | None = None, environ: Mapping[str, str] | None = None
) -> NamedWorkspace:
    """Give the workspace around a folder a name."""
    given = environment() if environ is None else environ
    # The one here, not the one that the environment names.
    root = located(directory or Path.cwd(), given, is_found=True).resolve()
    change_user_file(environ, lambda text, source: with_workspace(text, name, str(root), source))
    return NamedWorkspace(name, str(root))


def remove(name: str, environ: Mapping[str, str] | None = None) -> NamedWorkspace:
    """Forget a name; no file of the workspace is touched."""
    file = _file(environ)
    known = workspaces_in(_text(file), str(file))
    change_user_file(environ, lambda text, source: without_workspace(text, name, source))
    left = workspaces_in(_text(file), str(file))
    return next(_named(each, known) for each in known if each not in left)


def _named(name: str, known: Mapping[str, str]) -> NamedWorkspace:
    try:
        folder = named_folder(name, known)
    except ConfigError:  # of one name; the others are to be seen
        return NamedWorkspace(name, known[name], is_there=False)
    return NamedWorkspace(name, str(folder), is_workspace(folder))


def change_user_file(environ: Mapping[str, str] | None, change: Callable[[str, str], str]) -> None:
    """Change the text of the user's own settings, whose file is given as the second argument."""
    file = _file(environ)
    before = bytes_at(file)
    mark = BOM_UTF8 if (before or b"").startswith(BOM_UTF8) else b""
    after = mark + change(_decoded(before, file), str(file)).encode()
    apply_outside([OutsideEdit(file, before, after)], [file])


def _file(environ: Mapping[str, str] | None) -> Path:
    return user_file(environment() if environ is None else environ)


def _text(file: Path) -> str:
    return _decoded(bytes_at(file), file)


def _decoded(data: bytes | None, file: Path) -> str:
    try:
        return (data or b"").decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ConfigError.at(file, "is not UTF-8", "make it a text file in UTF-8") from error
