"""Plans for files below one folder: texts made and changed, files and whole folders deleted or
renamed, with every link that can be kept true."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from posixpath import dirname
from typing import NamedTuple

from memwiki.answers.pages import FolderItem, FolderList, MergedText, TextFile
from memwiki.change.merge import merge, merged_for_review
from memwiki.change.plan import Edit, Plan, edit_of
from memwiki.digest import digest_of
from memwiki.errors import (
    AlreadyExistsError,
    CatalogTextError,
    MemwikiError,
    NotEditableError,
    NotFoundError,
    OutsideError,
    PageTooLongError,
    UnreadableError,
    UnsafePathError,
    UsageError,
)
from memwiki.files.ignore import Ignore, link_target, why_not_path
from memwiki.files.paths import contain
from memwiki.files.read import current_bytes, exists, is_hidden, read, resolve_link, size_of
from memwiki.index.cards.lookup import Lookup
from memwiki.markdown.describe import inner_path, is_journal
from memwiki.markdown.outline import Outlines
from memwiki.markdown.syntax import CATALOG_BEGIN
from memwiki.names import is_page_name, is_within
from memwiki.pages.delete import what_breaks
from memwiki.pages.move import Moves, plan_moves
from memwiki.pages.moved_folder import require_bearable
from memwiki.pages.page import Planned, bytes_within, require_free
from memwiki.pages.relink import context_of
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
    reason = area.context.why_left_alone(path, is_new=is_new)
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


def read_text(area: Area, given: str) -> TextFile:
    """A text file as it is now; UnreadableError when it is no text in UTF-8."""
    path = path_in_area(area, given)
    require_file(area, path)
    data = bytes_within(area.context, path)
    if data is None:
        raise UnreadableError(
            f"{given}: is longer than the {area.context.max_bytes} bytes that are read of a file",
            "split it into files, or raise files.max_bytes",
            path=path,
        )
    try:
        return TextFile(area.relative(path), data.decode(), digest_of(data))
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise UnreadableError(
            f"{given}: line {line} is not valid UTF-8", "convert it to UTF-8", path=path
        ) from error


def create_plan(area: Area, given: str, text: str) -> Plan:
    """A plan for a new file; AlreadyExistsError where something is."""
    path = path_in_area(area, given)
    if exists(area.root, path):
        raise AlreadyExistsError(
            f"{given}: already exists", "write to it, or choose another name", path=path
        )
    require_folder_above(area, path)
    require_free(area.root, path)
    require_changeable(area, path, is_new=True)
    data = _checked(area, path, text)
    op = "create" if is_page_name(path) else "write"
    return Plan((Edit(path, "", data, "created"),), f"created {path}", op)


def write_plan(area: Area, given: str, text: str, base: TextFile) -> Plan:
    """A plan that gives a file another text, where it is as it was read or both changes fit."""
    path = path_in_area(area, given)
    if area.relative(path) != base.path:
        raise UsageError(f"{given}: is based on {base.path}", "read the file that you change")
    require_file(area, path)
    require_changeable(area, path)
    data, before = _checked(area, path, text), base.text.encode()
    op = "update" if is_page_name(path) else "write"
    edit = Edit(path, base.digest, data, "text changed", base=before)
    return Plan((edit,), f"changed text of {path}", op)


def merged_text(area: Area, given: str, text: str, base: TextFile) -> MergedText:
    """A text that was made of a base, with what changed in the file since."""
    file = read_text(area, given)
    sides = base.text.encode(), file.text.encode(), _checked(area, path_in_area(area, given), text)
    made = merge(*sides)
    is_clean = made is not None
    return MergedText(
        (merged_for_review(*sides) if made is None else made).decode(), file, is_clean
    )


def insert_lines(file: TextFile, line: int, text: str) -> str:
    """The text of a file with lines put in behind a line, 0 for the top; it ends with a line end.

    UsageError when the file has no such line.
    """
    lines = file.lines
    if not 0 <= line <= len(lines):
        raise UsageError(f"{file.path}: has no line {line}", f"give a line from 0 to {len(lines)}")
    lines.insert(line, text.rstrip("\n"))
    whole = "\n".join(lines)
    return whole if whole.endswith("\n") else f"{whole}\n"


def _checked(area: Area, path: str, text: str) -> bytes:
    """The bytes of a text; refused where they would make something else of a page."""
    try:
        data = text.encode()
    except UnicodeEncodeError as error:
        line = text.count("\n", 0, error.start) + 1
        message = f"{area.relative(path)}: line {line} of the text is not valid Unicode"
        raise NotEditableError(message, "give it as UTF-8", path=path) from error
    if len(data) > area.context.max_bytes:
        raise PageTooLongError(path, len(data), area.context.max_bytes, "split it into files")
    if is_page_name(path) and makes_catalog(area, path, data):
        raise CatalogTextError(path)
    return data


def delete_plan(area: Area, given: str, lookup: Lookup) -> Planned:
    """A plan that deletes a file, or a folder whole; no copy goes to the archive."""
    path = _there(area, given, "deleted")
    paths = _files(area, path)
    files = [(each, read(area.root, each)) for each in paths]
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
        raise AlreadyExistsError(
            f"{new}: already exists", "choose another name, or rename that one first", path=target
        )
    path = _there(area, given, "renamed")
    if f"{target}/".startswith(f"{path}/"):
        raise UsageError(f"{given}: cannot move into itself", "choose another place")
    paths = _files(area, path)
    if not paths:
        raise NotEditableError(f"{given}: is empty", "delete it instead", path=path)
    require_folder_above(area, target)
    require_free(area.root, target)
    moves = {each: target + each[len(path) :] for each in paths}
    for each in moves.values():
        require_changeable(area, each, is_new=True)
    is_folder = kind_of(area, path) == "folder"
    folder = (f"{path}/", f"{target}/") if is_folder else ("", "")
    kept = frozenset(old for old, after in moves.items() if _is_plain(old, after, lookup))
    context = context_of(area.context, lookup, partial(why_protected, area))
    planned = plan_moves(Moves(moves, folder, kept), context, is_strict=False)
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
        raise UsageError(f"the folder itself cannot be {done}", "name what is in it")
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
