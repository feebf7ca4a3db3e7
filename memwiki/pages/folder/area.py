"""The part of a workspace below one folder: its paths, what lies there, and which of it may be
changed."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from posixpath import dirname
from typing import NamedTuple

from memwiki.answers.pages import FolderItem, FolderList
from memwiki.errors import (
    MemwikiError,
    NotEditableError,
    NotFoundError,
    OutsideError,
    UnreadableError,
    UnsafePathError,
    UsageError,
)
from memwiki.files.ignore import Ignore, link_target, why_not_path
from memwiki.files.paths import contain
from memwiki.files.read import current_bytes, is_hidden, resolve_link, size_of
from memwiki.markdown.describe import inner_path, is_journal
from memwiki.markdown.outline import Outlines
from memwiki.markdown.syntax import CATALOG_BEGIN
from memwiki.names import is_page_name, is_within
from memwiki.protected import why_left_alone
from memwiki.scope import Scope
from memwiki.sync.context import Context

_MAX_PATH_BYTES = 4000  # bytes of a path; a longer one is no path anywhere
OWN_FOLDER = "memories"  # where any text may be written, even if the area is the whole workspace
_DEPTH = 2


class Area(NamedTuple):
    """A folder of a workspace, "" for all of it, with what says which of its paths are closed."""

    context: Context
    scope: Scope
    ignore: Ignore
    folder: str

    @property
    def root(self) -> Path:
        """The workspace."""
        return self.context.root

    def relative(self, path: str) -> str:
        """A path of the workspace as it is called here."""
        return path[len(self.folder) :].lstrip("/")


def area_of(context: Context, folder: str) -> Area:
    """The area below a folder, which need not be there yet; "." is the workspace or namespace."""
    scope, ignore = context.scope(), context.ignore()
    named = scope.base if folder in (".", "") else scope.own_path(folder)
    path = _real(context.root, contain(context.root, named), folder) if named else ""
    area = Area(context, scope, ignore, path)
    if path and (reason := why_closed(area, path)):
        raise OutsideError(folder, reason)
    return area


def path_in_area(area: Area, given: str) -> str:
    """The path in the workspace that one from outside means in the area; UnsafePathError for one
    that leads out of it or at something that is not shown."""
    if len(given) > _MAX_PATH_BYTES:
        raise OutsideError(f"{given[:40]}...", "is too long")
    if given.startswith("/"):
        raise OutsideError(given, "is an absolute path")
    if set(given.split("/")) <= {"", "."}:
        return area.folder
    try:
        path = contain(area.root, f"{area.folder}/{given}" if area.folder else given)
    except OutsideError as error:
        raise OutsideError(given, error.reason) from error
    if not is_within(path, area.folder):
        raise OutsideError(given, "leads out of the folder")
    path = _real(area.root, path, given)
    if not is_within(path, area.folder):
        raise OutsideError(given, "leads out of the folder through a symlink")
    if path != area.folder and (reason := why_closed(area, path)):
        raise UnsafePathError(f"{given}: {reason}", "choose another name", path=path)
    return path


def path_here(area: Area, path: str) -> str:
    """A path of the workspace as it is called in the area; OutsideError for one outside of it."""
    if not is_within(path, area.folder):
        raise OutsideError(path, "is outside of what is shown")
    return area.relative(path)


def _real(root: Path, path: str, given: str) -> str:
    """A path with the links on its way followed."""
    try:
        return resolve_link(root, path).relative_to(root.resolve()).as_posix()
    except OSError as error:
        raise OutsideError(given, "is too long") from error


def why_closed(area: Area, path: str) -> str:
    """Say why what is at a path is neither shown nor changed; "" when it is."""
    if any(part.startswith(".") for part in path.split("/")):
        return "is hidden"
    if area.context.is_public and is_journal(path, area.context.layers):
        return "is the journal, which may name what is private"
    if not area.scope.owns(f"{path}/x"):  # the folder of the namespaces, too
        return "belongs to a namespace"
    reason = why_not_path(path, area.ignore) or area.ignore.why(f"{path}/")
    return f"is left out: {reason}" if reason else ""


def require_changeable(area: Area, path: str, *, is_new: bool = False) -> None:
    """Refuse to change what only people and memwiki itself write."""
    if reason := why_not_changed(area, path, is_new=is_new):
        raise NotEditableError(
            f"{area.relative(path)}: is read-only here: {reason}",
            "write to another file",
            path=path,
        )


def why_protected(area: Area, path: str, *, is_new: bool = False) -> str:
    """Why only people and memwiki itself write a file, in the area or not; "" when others may."""
    layers, has_catalogs = area.context.layers, area.context.config.catalog.enabled
    reason = why_left_alone(path, layers, has_catalogs=has_catalogs, is_new=is_new)
    return f"it {reason}" if reason else ""


def why_not_changed(area: Area, path: str, *, is_new: bool = False) -> str:
    """Why a file is read-only here; "" when it is not."""
    if reason := why_protected(area, path, is_new=is_new):
        return reason
    if not is_page_name(path) and _is_loose(area, inner_path(path, area.context.layers)):
        return "it is not a markdown file"
    if is_new or not is_page_name(path):
        return ""
    data = current_bytes(area.root, path) or b""
    return "it is generated" if makes_catalog(area, path, data) else ""


def _is_loose(area: Area, inner: str) -> bool:
    """Whether a file lies in the workspace at large, of which the area is all."""
    is_whole = area.folder == area.scope.base
    return is_whole and not is_within(inner, OWN_FOLDER)


def makes_catalog(area: Area, path: str, data: bytes) -> bool:
    """Whether a page of these bytes would be generated text, which is not a page."""
    if CATALOG_BEGIN.encode() not in data or len(data) > area.context.max_bytes:
        return False
    return Outlines(area.context.layers)(path, data.decode("utf-8", "replace"), "").is_catalog


def kind_of(area: Area, path: str) -> str:
    """What is at a path: "file", "folder", "other", or "" for nothing that is seen."""
    if area.context.is_public and is_hidden(area.root, path):
        return ""
    try:
        mode = os.lstat(area.root / path).st_mode
    except (OSError, ValueError):
        return ""
    if stat.S_ISDIR(mode):
        return "folder"
    return "file" if stat.S_ISREG(mode) else "other"


def require_file(area: Area, path: str) -> None:
    """Refuse what is no file."""
    kind = kind_of(area, path)
    if not kind:
        raise no_such(area, path)
    if kind != "file":
        what = "is a folder" if kind == "folder" else "is not a regular file"
        raise UnreadableError(
            f"{area.relative(path)}: {what}", "give the path of a text file", path=path
        )


def no_such(area: Area, path: str) -> NotFoundError:
    """What is said of a path at which there is nothing."""
    shown = area.relative(path) or area.folder
    return NotFoundError(f"{shown}: no such file or folder", "list the folder", path=path)


def require_folder_above(area: Area, path: str) -> None:
    """Refuse a path below a file."""
    above = dirname(path)
    while above:
        if kind_of(area, above) in ("file", "other"):
            raise UsageError(
                f"{area.relative(path)}: {area.relative(above)} is a file, not a folder",
                "choose another path",
                path=above,
            )
        above = dirname(above)


def list_folder(area: Area, given: str) -> FolderList:
    """A folder with what is in it, two levels deep; what is hidden or left out is not shown."""
    path = path_in_area(area, given)
    kind = kind_of(area, path)
    if kind not in ("folder", "") or (not kind and path != area.folder):
        raise (
            no_such(area, path)
            if not kind
            else UsageError(f"{given}: is not a folder", "read it as a file", path=path)
        )
    size = size_of(area.root, path) if kind else 0
    return FolderList(area.relative(path), size, tuple(_items(area, path, path, 1)))


def _items(area: Area, top: str, folder: str, depth: int) -> Iterator[FolderItem]:
    for name in _names(area.root / folder):
        path = f"{folder}/{name}".lstrip("/")
        real = link_target(area.root, path) if (area.root / path).is_symlink() else path
        is_inside = real and is_within(real, area.folder) and not why_closed(area, real)
        kind = kind_of(area, real) if is_inside and not why_closed(area, path) else ""
        if kind not in ("file", "folder"):
            continue
        with suppress(OSError, MemwikiError):
            size = size_of(area.root, real)
            yield FolderItem(path[len(top) :].lstrip("/"), size, kind == "folder")
            if kind == "folder" and depth < _DEPTH:
                yield from _items(area, top, path, depth + 1)


def _names(folder: Path) -> list[str]:
    try:
        return sorted(each.name for each in folder.iterdir())
    except OSError:
        return []


def files_below(area: Area, folder: str) -> list[str]:
    """Every file below a folder; NotEditableError where something is that is neither shown nor
    could come back."""
    found, waiting = list[str](), [folder]
    while waiting:
        above = waiting.pop()
        for name in _names(area.root / above):
            path = f"{above}/{name}"
            kind = kind_of(area, path)
            if not kind:
                continue
            if reason := why_closed(area, path) or ("is no regular file" * (kind == "other")):
                raise NotEditableError(
                    f"{area.relative(folder)}: holds {area.relative(path)}, which {reason}",
                    "a person has to see to that file first",
                    path=path,
                )
            (waiting if kind == "folder" else found).append(path)
    return sorted(found)
