"""Plans for files below one folder: texts made and changed, files and whole folders deleted or
renamed, with every link that can be kept true."""

from __future__ import annotations

from functools import partial

from memwiki.answers.pages import MergedText, TextFile
from memwiki.change.merge import merge, merged_for_review
from memwiki.change.plan import Edit, Plan, edit_of
from memwiki.digest import digest_of
from memwiki.errors import (
    AlreadyExistsError,
    CatalogTextError,
    NotEditableError,
    PageTooLongError,
    UnreadableError,
    UsageError,
)
from memwiki.files.read import exists, read
from memwiki.index.cards.lookup import Lookup
from memwiki.names import is_page_name
from memwiki.pages.folder.area import (
    Area,
    files_below,
    kind_of,
    makes_catalog,
    no_such,
    path_in_area,
    require_changeable,
    require_file,
    require_folder_above,
    why_protected,
)
from memwiki.pages.moving.aim import Moves, require_bearable
from memwiki.pages.moving.delete import what_breaks
from memwiki.pages.moving.move import moved
from memwiki.pages.moving.relink import context_of
from memwiki.pages.page import Planned, bytes_within, require_free


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


def inserted(file: TextFile, line: int, text: str) -> str:
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
