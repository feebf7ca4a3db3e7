"""Moving and deleting pages: what is meant, where it goes, and the plan carried out."""

from __future__ import annotations

import os
from os.path import lexists
from pathlib import Path

from memwiki.answers.edits import Edited
from memwiki.change.plan import Plan
from memwiki.errors import AlreadyExistsError, NotFoundError, TwinError, UsageError
from memwiki.files.paths import clash, contain, real_path
from memwiki.files.read import read
from memwiki.markdown.outline import Outlines
from memwiki.names import fold
from memwiki.pages.moving.delete import plan_delete, shelf_of
from memwiki.pages.moving.destination import destination
from memwiki.pages.moving.move import Desk, Moves, plan_move
from memwiki.pages.places import require_findable
from memwiki.sync.context import Context
from memwiki.sync.live import LiveIndex
from memwiki.sync.reading import Reading, reading
from memwiki.workspace.beside import companions
from memwiki.workspace.changing import carry_out

_MAX_BYTES = 32_000_000  # what is kept to undo a move holds every file that moved


def move(live: LiveIndex, old: str, new: str, *, keep_alias: bool, dry_run: bool) -> Edited:
    """Move a page, a file or a folder, and write the links anew that led there."""
    with reading(live) as view:
        moves = _moves(view, old, new)
        if not moves.paths:
            return carry_out(live, Plan((), f"{old}: is there already", "move"), dry_run=dry_run)
        _require_free(live.context.root, moves)
        ignore = live.context.ignore()
        for path in moves.paths.values():
            require_findable(path, ignore)
        planned = plan_move(moves, _desk(view), keep_alias=keep_alias)
    return carry_out(live, planned.plan, dry_run=dry_run, notes=planned.notes)


def delete(live: LiveIndex, name: str, *, is_final: bool, dry_run: bool) -> Edited:
    """Delete a page or file: into the archive where there is one, for good with `is_final`."""
    with reading(live) as view:
        path = _file(view, name)
        if not path:
            raise UsageError(f"{name}: is a folder", hint="delete its pages one by one")
        if (live.context.root / path).is_symlink():
            hint = "remove the link itself, as with rm; what it leads to stays"
            raise UsageError(f"{path}: is a symlink, and undo would bring back a file", hint=hint)
        archive = "" if is_final else live.context.layers.archive
        shelf = shelf_of(path, archive, lambda place: lexists(live.context.root / place))
        planned = plan_delete(path, shelf, _desk(view), is_final=is_final)
    return carry_out(live, planned.plan, dry_run=dry_run, notes=planned.notes)


def _desk(view: Reading) -> Desk:
    layers, limit = view.context.layers, view.context.max_bytes
    return Desk(
        view.lookup,
        layers,
        Outlines(layers),
        lambda path: read(view.context.root, path)[0],
        lambda path: read(view.context.root, path, limit + 1)[0],
        limit,
        companions(view),
    )


def _moves(view: Reading, old: str, new: str) -> Moves:
    if not new.strip():
        raise UsageError("move: no new name", hint="memwiki move OLD NEW")
    path = "" if old.endswith("/") else _file(view, old)
    if not path:
        return _folder_moves(view.context, old, new)
    target = _place(
        view.context.root, destination(path, new, is_folder=_is_folder(view.context.root, new))
    )
    is_page = view.lookup.card(path) is not None
    attachments = frozenset[str]() if is_page else frozenset({path})
    return Moves({path: target} if path != target else {}, attachments=attachments)


def _file(view: Reading, old: str) -> str:
    """The path of the page that is meant, or of a file that is no page; "" for a folder."""
    if os.path.isfile(view.context.root / old):  # noqa: PTH113 - what names no file is no error
        return contain(view.context.root, old)
    is_folder = _is_folder(view.context.root, old)
    try:
        path = view.find(old, is_only=True)
    except NotFoundError:
        if is_folder:
            return ""
        raise
    # A folder answers to its name with its README, but that is not what is meant here.
    return "" if is_folder and path.startswith(f"{old.strip('/')}/") else path


def _is_folder(root: Path, name: str) -> bool:
    return bool(name.strip("/.")) and os.path.isdir(root / name.strip("/"))  # noqa: PTH112 - as above


def _place(root: Path, path: str) -> str:
    """Where something may go: links among the folders are followed, as the index follows them."""
    return real_path(root, contain(root, path))


def _folder_moves(context: Context, old: str, new: str) -> Moves:
    """Every file below a folder; what is ignored stays where it is."""
    before, after = (f"{_place(context.root, name.rstrip('/'))}/" for name in (old, new))
    if not (context.root / before).is_dir():
        raise NotFoundError(f"{old}: no such folder", hint="memwiki list", path=old)
    if after.startswith(before):
        raise UsageError(f"{old}: cannot move into itself", hint="choose another place")
    seen = context.walk()
    attachments = [path for path in seen.attachments if path.startswith(before)]
    paths = [path for path in seen.files if path.startswith(before)] + attachments
    if not paths:
        raise NotFoundError(f"{old}: holds no page", hint="memwiki list", path=old)
    _require_bearable(context.root, before, paths)
    moved = {path: after + path[len(before) :] for path in paths} if before != after else {}
    return Moves(moved, (before, after), frozenset(attachments))


def _require_bearable(root: Path, folder: str, paths: list[str]) -> None:
    size = sum((root / path).stat().st_size for path in paths)
    if size > _MAX_BYTES:
        raise UsageError(
            f"{folder}: holds {size // 1_000_000} MB, more than a move that can be undone may hold",
            hint="move its large files by hand first, or the folder part by part",
        )


def _require_free(root: Path, moves: Moves) -> None:
    """Refuse to copy what a symlink leads to, and to overwrite; another spelling of the same name is the same file on some disks."""
    _require_no_twin(root, *next(iter(moves.paths.items())))
    for old, new in moves.paths.items():
        if (root / old).is_symlink():
            hint = "move the file that it leads to"
            raise UsageError(f"{old}: is a symlink, and would become a file", hint=hint)
        place = root / new
        is_itself = fold(old) == fold(new) and (not place.exists() or place.samefile(root / old))
        if not is_itself and (place.exists() or place.is_symlink()):
            raise AlreadyExistsError(
                f"{new}: exists already",
                hint="choose another name, or move that one first",
                path=new,
            )


def _require_no_twin(root: Path, old: str, new: str) -> None:
    """Refuse a name that some disks take for that of another file or folder."""
    twin = clash(root, new)
    if twin and twin != new and not f"{old}/".startswith(f"{twin.rstrip('/')}/"):
        raise TwinError(new, twin)
