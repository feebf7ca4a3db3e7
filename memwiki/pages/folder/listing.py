"""What lies below a folder: two levels of it to be shown, all of it to be moved or deleted."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from memwiki.answers.pages import FolderItem, FolderList
from memwiki.errors import MemwikiError, NotEditableError, UsageError
from memwiki.files.ignore import link_target
from memwiki.files.read import size_of
from memwiki.names import is_within
from memwiki.pages.folder.area import (
    Area,
    kind_of,
    no_such,
    path_in_area,
    why_closed,
)

_DEPTH = 2


def list_folder(area: Area, given: str) -> FolderList:
    """A folder with what is in it, two levels deep; what is hidden or left out is not shown."""
    path = path_in_area(area, given)
    kind = kind_of(area, path)
    if kind not in ("folder", "") or (not kind and path != area.folder):
        raise (
            no_such(area, path)
            if not kind
            else UsageError(f"{given}: is not a folder", hint="read it as a file", path=path)
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
        return sorted(os.listdir(folder))  # noqa: PTH208 - names alone
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
                    hint="a person has to see to that file first",
                    path=path,
                )
            (waiting if kind == "folder" else found).append(path)
    return sorted(found)
