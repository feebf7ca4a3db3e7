"""Files and whole folders deleted or renamed, with every link that can be kept true."""

from __future__ import annotations

from functools import partial

from memwiki.change.plan import Plan, edit_of
from memwiki.errors import AlreadyExistsError, NotEditableError, UsageError
from memwiki.files.read import exists, read
from memwiki.index.cards.lookup import Lookup
from memwiki.names import is_page_name
from memwiki.pages.folder.area import (
    Area,
    kind_of,
    no_such,
    path_in_area,
    require_changeable,
    require_folder_above,
    why_protected,
)
from memwiki.pages.folder.listing import files_below
from memwiki.pages.moving.aim import Moves, require_bearable
from memwiki.pages.moving.delete import what_breaks
from memwiki.pages.moving.move import moved
from memwiki.pages.moving.relink import context_of
from memwiki.pages.page import Planned, require_free


def delete_plan(area: Area, given: str, lookup: Lookup) -> Planned:
    """A plan that deletes a file, or a folder whole; no copy goes to the archive."""
    path = _there(area, given, "deleted")
    paths = _files(area, path)
    files = [(each, read(area.root, each)[0]) for each in paths]
    edits = tuple(edit_of(each, data, None, "deleted") for each, data in files)
    broken = what_breaks(paths, context_of(area.context, lookup))
    is_folder = kind_of(area, path) == "folder"
    details = (f"files: {len(paths)}",) if is_folder else ()
    if broken.links:
        details = (*details, f"broken links: {len(broken.links)}")
    title = f"deleted {path}/" if is_folder else f"deleted {path}"
    plan = Plan(edits, title, "delete", details, leaves=path if is_folder else "")
    return Planned(plan, broken.notes)


def rename_plan(area: Area, given: str, new: str, lookup: Lookup) -> Planned:
    """A plan that gives a file or folder another path; a link that cannot be kept true is noted."""
    target = path_in_area(area, new)
    if exists(area.root, target):
        hint = "choose another name, or rename that one first"
        raise AlreadyExistsError(f"{new}: already exists", hint=hint, path=target)
    path = _there(area, given, "renamed")
    if f"{target}/".startswith(f"{path}/"):
        raise UsageError(f"{given}: cannot move into itself", hint="choose another place")
    paths = _files(area, path)
    if not paths:
        raise NotEditableError(f"{given}: is empty", hint="delete it instead", path=path)
    require_folder_above(area, target)
    require_free(area.root, target)
    moves = {each: target + each[len(path) :] for each in paths}
    for each in moves.values():
        require_changeable(area, each, is_new=True)
    is_folder = kind_of(area, path) == "folder"
    folder = (f"{path}/", f"{target}/") if is_folder else ("", "")
    kept = frozenset(old for old, after in moves.items() if _is_plain(old, after, lookup))
    context = context_of(area.context, lookup, partial(why_protected, area))
    planned = moved(Moves(moves, folder, kept), context, is_strict=False)
    # Whoever renames by a tool whose texts are fixed is not told: the journal is.
    plan = planned.plan._replace(details=(*planned.plan.details, *planned.notes))
    return planned._replace(plan=plan)


def _is_plain(old: str, new: str, lookup: Lookup) -> bool:
    """Whether a file is no page, or becomes none."""
    return lookup.card(old) is None or not is_page_name(new)


def _there(area: Area, given: str, done: str) -> str:
    """Where a file or folder is that is to be moved or deleted."""
    path = path_in_area(area, given)
    if path == area.folder:
        raise UsageError(f"the folder itself cannot be {done}", hint="name what is in it")
    kind = kind_of(area, path)
    if not kind:
        raise no_such(area, path)
    if kind == "other":
        raise NotEditableError(f"{given}: is not a regular file", path=path)
    return path


def _files(area: Area, path: str) -> list[str]:
    """The files at a path or below it, each of which may be changed."""
    paths = files_below(area, path) if kind_of(area, path) == "folder" else [path]
    for each in paths:
        require_changeable(area, each)
    require_bearable(area.root, area.relative(path), paths)
    return paths
