"""The parameters of a command of the memory tool, and the texts of its answers, byte for byte."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from posixpath import normpath
from typing import NamedTuple

from memwiki.adapter_api import FolderList, MemoryToolError

ROOT = "/memories"
MAX_LINES = 999_999
_WIDTH = 6
_AROUND = 2  # lines before and behind a change that are shown
_UNITS = "BKMG"


class ToolPath(NamedTuple):
    """A path as it was given, and as it is called in the folder; "" is the folder itself."""

    given: str
    path: str


def path_in(command: Mapping[str, object], name: str) -> ToolPath:
    """A path below /memories."""
    given = text_in(command, name)
    below = given.removeprefix(ROOT)
    if below == given or not (below.startswith("/") or not below):
        raise MemoryToolError(f"Path must start with {ROOT}, got: {given}")
    whole = normpath(f"{ROOT}/{below.lstrip('/')}")
    if whole != ROOT and not whole.startswith(f"{ROOT}/"):
        raise MemoryToolError(escapes(given))
    return ToolPath(given, whole[len(ROOT) + 1 :])


def escapes(given: str) -> str:
    """What is said of a path that leads out."""
    return f"Path {given} would escape {ROOT} directory"


def text_in(command: Mapping[str, object], name: str) -> str:
    """A text that has to be there."""
    value = _value_in(command, name)
    if not isinstance(value, str):
        raise MemoryToolError(f"Invalid `{name}` parameter: it should be text.")
    return value


def _value_in(command: Mapping[str, object], name: str) -> object:
    value = command.get(name)
    if value is None:
        raise MemoryToolError(f"Missing parameter: `{name}`.")
    return value


def content_in(command: Mapping[str, object], name: str, most_bytes: int) -> str:
    """A text that is to be written."""
    text = text_in(command, name)
    size = len(text.encode("utf-8", "surrogatepass"))
    if size > most_bytes:
        raise MemoryToolError(
            f"Invalid `{name}` parameter: it has {size} bytes, more than {most_bytes}. "
            "Write it in parts."
        )
    return text


def number_in(command: Mapping[str, object], name: str) -> int:
    """A whole number that has to be there."""
    value = _value_in(command, name)
    if not isinstance(value, int) or isinstance(value, bool):
        raise MemoryToolError(f"Invalid `{name}` parameter: it should be a whole number.")
    return value


def range_in(command: Mapping[str, object]) -> tuple[int, int] | None:
    """The lines that are asked for, as (first, last); None for all, -1 is the end."""
    value = command.get("view_range")
    if not (isinstance(value, list | tuple) and len(value) == 2):
        return None
    first, last = value
    if not (type(first) is int and type(last) is int):
        raise MemoryToolError("Invalid `view_range` parameter: it should be two whole numbers.")
    return max(first, 1), last


def folder_text(path: str, found: FolderList) -> str:
    """A folder as it is shown."""
    head = (
        f"Here're the files and directories up to 2 levels deep in {path}, excluding hidden items:"
    )
    rows = [f"{size_text(found.size_bytes)}\t{path}"]
    for item in found.items:
        slash = "/" * item.is_folder
        rows.append(f"{size_text(item.size_bytes)}\t{path}/{item.path}{slash}")
    return "\n".join([head, *rows])


def size_text(size: int) -> str:
    """A number of bytes as it is shown: 0B, 18B, 4K, 1.5K."""
    if not size:
        return "0B"
    power = min((size.bit_length() - 1) // 10, len(_UNITS) - 1)
    whole, rest = divmod(size, 1024**power)
    return f"{whole}{_UNITS[power]}" if not rest else f"{size / 1024**power:.1f}{_UNITS[power]}"


def file_text(path: str, lines: Sequence[str], first: int) -> str:
    """Lines of a file as they are shown, of which the first one has this number."""
    head = f"Here's the content of {path} with line numbers:\n"
    return head + "\n".join(numbered(lines, first))


def numbered(lines: Sequence[str], first: int) -> Iterator[str]:
    """Lines with their numbers."""
    for number, line in enumerate(lines, first):
        yield f"{number:>{_WIDTH}}\t{line}"


def edited_text(text: str, at: int) -> str:
    """What is said of a change, with the lines around the place where it begins."""
    lines, changed = text.split("\n"), text.count("\n", 0, at)
    first = max(0, changed - _AROUND)
    shown = lines[first : changed + _AROUND + 1]
    head = (
        "The memory file has been edited. "
        "Here is the snippet showing the change (with line numbers):"
    )
    return "\n".join([head, *numbered(shown, first + 1)])


def lines_with(text: str, part: str) -> Iterator[int]:
    """The line of each place where a part begins, also where it overlaps itself."""
    line, done, at = 1, 0, text.find(part)
    while at != -1:
        line += text.count("\n", done, at)
        done = at
        yield line
        at = text.find(part, at + 1)
