"""The parameters of a command, as an agent gave them; pure."""

from __future__ import annotations

from collections.abc import Mapping
from posixpath import normpath
from typing import NamedTuple

from memwiki.errors import MemoryToolError

ROOT = "/memories"


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
    value = command.get(name)
    if value is None:
        raise MemoryToolError(f"Missing parameter: `{name}`.")
    if not isinstance(value, str):
        raise MemoryToolError(f"Invalid `{name}` parameter: it should be text.")
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
    value = command.get(name)
    if value is None:
        raise MemoryToolError(f"Missing parameter: `{name}`.")
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
