"""What a move means: which files, to which paths, and whether there is room for them."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from posixpath import basename, dirname

from memwiki.errors import AlreadyExistsError, NotFoundError, OutsideError, TwinError, UsageError
from memwiki.files.ignore import Ignore
from memwiki.files.paths import clash, contain, real_path
from memwiki.files.read import exists, is_folder, is_hidden
from memwiki.index.find import find
from memwiki.markdown.dialects.called import file_stem
from memwiki.names import fold, is_page_name, is_within, require_str, stem_of, without_suffix
from memwiki.nouns import DENDRON, LOGSEQ
from memwiki.pages.moving.relink import MoveContext
from memwiki.pages.page import require_findable
from memwiki.pages.text.names import is_file_name
from memwiki.records import NamedTuple
from memwiki.scope import layers_at
from memwiki.sync.context import Context

_MAX_BYTES = 32_000_000  # what is kept to undo a move holds every file that moved


class Moves(NamedTuple):
    """Files by the path they are to get; `folder` is what was named, as (old/, new/), if it was
    one."""

    paths: Mapping[str, str]
    folder: tuple[str, str] = ("", "")
    attachments: frozenset[str] = frozenset()

    @property
    def title(self) -> str:
        """What is done, in words."""
        old, new = self.folder if self.folder[0] else next(iter(self.paths.items()))
        return f"moved {old} -> {new}"


def moves_of(old: str, new: str, context: MoveContext) -> Moves:
    """The files that are meant and where they go. Raises UsageError when they are there already."""
    require_str("move", old, new)
    if not new.strip():
        raise UsageError("move: no new name", "memwiki move OLD NEW")
    root, own_path = context.root, context.scope.own_path
    for each in (old, new):
        context.scope.require_own(own_path(each))  # whether or not it is there
    path = "" if old.endswith("/") else file_named(old, context)
    if not path:
        return _folder_moves(context, _own_file(old, context), own_path(new))
    is_folder = _is_folder(root, own_path(new))
    new = _as_file(path, new, context)
    target = _location(root, own_path(destination(path, new, is_folder=is_folder)))
    context.scope.require_own(target)
    is_page = context.lookup.card(path) is not None
    attachments = frozenset[str]() if is_page else frozenset({path})
    if path == target:
        raise _is_there(path)
    return Moves({path: target, **_notes_below(path, target, context)}, attachments=attachments)


def _is_there(path: str) -> UsageError:
    return UsageError(
        f"{path}: has this name already; nothing was moved", "give another path or title"
    )


def _notes_below(old: str, new: str, context: MoveContext) -> dict[str, str]:
    """The notes of Dendron's below a note that gets another name: its name begins theirs."""
    before, after = stem_of(old), stem_of(new)
    form = layers_at(old, context.layers).dialect
    is_hierarchy = form.name == DENDRON and is_page_name(old) and before != after
    if not is_hierarchy:
        return {}
    start = f"{without_suffix(old)}."
    paths = (path for path in context.lookup.all_paths() if path.startswith(start) and path != old)
    below = (path for path in paths if "/" not in path[len(start) :])
    return {path: f"{without_suffix(new)}.{path[len(start) :]}" for path in below}


def _as_file(path: str, new: str, context: MoveContext) -> str:
    """The new name of a page as its file has it where Logseq keeps it, unless a path is meant."""
    first = context.scope.own_path(new.partition("/")[0])
    is_path = is_page_name(new) or new.endswith("/") or _is_folder(context.root, first)
    form = layers_at(path, context.layers).dialect
    if form.name != LOGSEQ or is_path or not is_page_name(path):
        return new
    stem = file_stem(new.strip(), form.slash)
    return f"/{dirname(path)}/{stem}.md" if is_file_name(stem) else new


def file_named(name: str, context: MoveContext) -> str:
    """The path of the page that is meant, or of a file that is no page; "" for a folder."""
    context.scope.require_own(context.scope.own_path(name))  # whether or not it is there
    path = _named(_own_file(name, context), context, context.workspace.ignore)
    if path:
        context.scope.require_own(path)
    return path


def _own_file(name: str, context: MoveContext) -> str:
    """A name, or the path of a file or folder of the namespace that it is there."""
    path = context.scope.own_path(name)
    return path if exists(context.root, path) else name


def _named(name: str, context: MoveContext, ignore: Callable[[], Ignore]) -> str:
    root, inside = context.root, _inside(context.root, name)
    if is_within(inside, context.layers.namespaces):
        context.scope.require_own(inside)  # whether or not it is there
    is_file = os.path.isfile(root / inside)  # noqa: PTH113 - what names no file is no error
    if is_file and not is_hidden(root, inside):
        return inside
    is_folder = _is_folder(root, inside)
    try:
        path = find(name, context.lookup, context.scope, root, ignore, is_only=True)
    except NotFoundError:
        if is_folder:
            return ""
        raise
    # A folder answers to its name with its README, but that is not what is meant here.
    return "" if is_folder and path.startswith(f"{name.strip('/')}/") else path


def _inside(root: Path, name: str) -> str:
    """A name as a path of the workspace; "" for what lies elsewhere, which is not looked at."""
    with suppress(OutsideError):
        return contain(root, name)
    return ""


def destination(old: str, new: str, *, is_folder: bool) -> str:
    """The path a file gets; `is_folder` says that there is a folder called `new`.

    What has a suffix is a path, so that any path can be given; only a bare name stays in the
    folder.
    """
    if is_folder or new.endswith("/") or basename(new) in (".", ".."):
        return f"{new.strip('/')}/{basename(old)}".lstrip("/")
    suffix = old[len(without_suffix(old)) :]  # "" for a file that is no page
    is_whole = is_page_name(new) if suffix else "." in basename(new)
    path = new if is_whole else f"{new}{suffix}"
    is_name = "/" not in new and not is_whole
    return f"{dirname(old)}/{path}".lstrip("/") if is_name else path.lstrip("/")


def _is_folder(root: Path, name: str) -> bool:
    folder = name.strip("/")
    is_there = bool(name.strip("/.")) and is_folder(root / folder)
    return is_there and not is_hidden(root, folder)


def _location(root: Path, path: str) -> str:
    """Where something may go: links among the folders are followed, as the index follows them."""
    return real_path(root, contain(root, path))


def _folder_moves(context: MoveContext, old: str, new: str) -> Moves:
    """Every file below a folder; what is ignored stays where it is."""
    root, workspace = context.root, context.workspace
    before, after = (f"{_location(root, name.rstrip('/'))}/" for name in (old, new))
    for folder in (before, after):
        context.scope.require_own(folder)
    if not (root / before).is_dir() or is_hidden(root, before):
        raise NotFoundError.at(old, "no such folder", "memwiki list")
    if after == before:
        raise _is_there(before)
    if after.startswith(before):
        raise UsageError(f"{old}: cannot move into itself", "choose another place")
    seen = workspace.walk()
    attachments = [path for path in seen.attachments if path.startswith(before)]
    pages = [path for path in seen.files if path.startswith(before)]
    paths = [path for path in pages if not is_hidden(root, path)] + attachments
    if not paths:
        raise NotFoundError.at(old, "contains no page", "memwiki list")
    require_bearable(root, before, paths)
    moved = {path: after + path[len(before) :] for path in paths}
    return Moves(moved, (before, after), frozenset(attachments))


def require_bearable(root: Path, folder: str, paths: list[str]) -> None:
    """Refuse to move more than can be kept to undo it."""
    size = sum((root / path).stat().st_size for path in paths)
    if size > _MAX_BYTES:
        raise UsageError(
            f"{folder}: holds {size // 1_000_000} MB, more than a move that can be undone may hold",
            "move its large files by hand first, or the folder part by part",
        )


def require_room(moves: Moves, workspace: Context) -> None:
    """Refuse to copy what a symlink leads to, to overwrite, and to move where nothing would be
    found."""
    root = workspace.root
    first, target = next(iter(moves.paths.items()))
    twin = clash(root, target)  # which some disks take for the same
    if twin and twin != target and not f"{first}/".startswith(f"{twin.rstrip('/')}/"):
        raise TwinError(target, twin)
    for old, new in moves.paths.items():
        _require_free(root, old, new)
    ignore = workspace.ignore()
    for new in moves.paths.values():
        require_findable(new, ignore)


def _require_free(root: Path, old: str, new: str) -> None:
    """Refuse a place that is taken; another spelling of the same name is the same file on some
    disks."""
    if (root / old).is_symlink():
        raise UsageError(
            f"{old}: is a symlink, and would become a file", "move the file that it leads to"
        )
    location = root / new
    if is_hidden(root, new):
        return  # which is told when it is carried out
    is_itself = fold(old) == fold(new) and (not location.exists() or location.samefile(root / old))
    if not is_itself and (location.exists() or location.is_symlink()):
        raise AlreadyExistsError.at(
            new, "already exists", "choose another name, or move that one first"
        )
