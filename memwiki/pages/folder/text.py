"""Text files made and changed: each a plan, based on the bytes that were read."""

from __future__ import annotations

from memwiki.answers.pages import TextFile
from memwiki.change.plan import Edit, Plan
from memwiki.digest import digest_of
from memwiki.errors import (
    AlreadyExistsError,
    CatalogTextError,
    NotEditableError,
    PageTooLongError,
    UnreadableError,
    UsageError,
)
from memwiki.files.read import exists
from memwiki.names import is_page_name
from memwiki.pages.folder.area import (
    Area,
    makes_catalog,
    path_in_area,
    require_changeable,
    require_file,
    require_folder_above,
)
from memwiki.pages.page import bytes_within, require_free


def read_text(area: Area, given: str) -> TextFile:
    """A text file as it is now; UnreadableError when it is no text in UTF-8."""
    path = path_in_area(area, given)
    require_file(area, path)
    data = bytes_within(area.context, path)
    if data is None:
        raise UnreadableError(
            f"{given}: is longer than the {area.context.max_bytes} bytes that are read of a file",
            hint="split it into files, or raise files.max_bytes",
            path=path,
        )
    try:
        return TextFile(area.relative(path), data.decode(), digest_of(data))
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise UnreadableError(
            f"{given}: line {line} is not valid UTF-8", hint="convert it to UTF-8", path=path
        ) from error


def create_plan(area: Area, given: str, text: str) -> Plan:
    """A plan for a new file; AlreadyExistsError where something is."""
    path = path_in_area(area, given)
    if exists(area.root, path):
        raise AlreadyExistsError(
            f"{given}: already exists", hint="write to it, or choose another name", path=path
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
        raise UsageError(f"{given}: is based on {base.path}", hint="read the file that you change")
    require_file(area, path)
    require_changeable(area, path)
    data, before = _checked(area, path, text), base.text.encode()
    op = "update" if is_page_name(path) else "write"
    edit = Edit(path, base.digest, data, "text changed", base=before)
    return Plan((edit,), f"changed text of {path}", op)


def inserted(file: TextFile, line: int, text: str) -> str:
    """The text of a file with lines put in behind a line, 0 for the top; it ends with a line end.

    UsageError when the file has no such line.
    """
    lines = file.lines
    if not 0 <= line <= len(lines):
        raise UsageError(
            f"{file.path}: has no line {line}", hint=f"give a line from 0 to {len(lines)}"
        )
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
        raise NotEditableError(message, hint="give it as UTF-8", path=path) from error
    if len(data) > area.context.max_bytes:
        hint = "split it into files"
        raise PageTooLongError(path, len(data), area.context.max_bytes, hint=hint)
    if is_page_name(path) and makes_catalog(area, path, data):
        raise CatalogTextError(path)
    return data
