"""Members that come into a JSON text and go again; every other byte stays."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

from memwiki.agents.jsonc import Json, Member, Node, parse

_INDENTED = re.compile(r"^([ \t]+)[\"{\[]", re.MULTILINE)
_COMMENTS = re.compile(r"(?:[ \t]*(?://[^\r\n]*|/\*(?:[^*]|\*(?!/))*\*/))*")
_LEAD = re.compile(r"(?:\r?\n)?[ \t]*\Z")
_LINE_INDENT = re.compile(r"[ \t]*")

KeyPath = tuple[str, ...]


class Put(NamedTuple):
    """A text with a value in it, and the containers that were made for it, outermost first."""

    text: str
    made: tuple[KeyPath, ...] = ()


def put(text: str, path: KeyPath, value: Json, *, is_element: bool = False) -> Put:
    """Set the member at a path, or with `is_element` add to the end of the list there.

    Raises NotJsonError, and LookupError when something on the way is no object or list.
    """
    node, taken = parse(text), 0
    for key in path:
        _require(node.is_object, path[:taken])
        inner = node.get(key)
        if inner is None:
            break
        node, taken = inner, taken + 1
    if taken == len(path) and not is_element:
        return Put(_replaced(text, node, value))
    if taken == len(path):
        _require(isinstance(node.value, list), path)
        return Put(_added(text, node, "", value))
    missing = path[taken:]
    made = tuple(path[:end] for end in range(taken + 1, len(path) + is_element))
    return Put(_added(text, node, missing[0], _nested(missing[1:], value, is_element)), made)


def take_out(text: str, path: KeyPath, is_ours: Callable[[str, Json], bool]) -> str:
    """Without the members or elements of the container at a path for which `is_ours` holds."""
    while True:
        node = _at(parse(text), path)
        for number, member in enumerate(node.members if node else ()):
            if node and is_ours(member.key, member.node.value):
                text = _without(text, node, number)
                break
        else:
            return text


def drop_empty(text: str, made: Sequence[KeyPath]) -> str:
    """Without those of these containers that hold nothing, the innermost first."""
    for path in sorted(made, key=len, reverse=True):
        node = _at(parse(text), path)
        if node and not node.members and _is_bare(text, node):
            text = take_out(text, path[:-1], partial(_is_named, path[-1]))
    return text


def _is_named(name: str, key: str, _value: Json) -> bool:
    return key == name


def _require(is_right: bool, path: KeyPath) -> None:
    if not is_right:
        raise LookupError(f"{'.'.join(path) or 'the whole'} is of another kind")


def _at(node: Node, path: KeyPath) -> Node | None:
    """The value at a path; the elements of a list go by their numbers."""
    found: Node | None = node
    for key in path:
        if found and not found.is_object and key.isdigit() and int(key) < len(found.members):
            found = found.members[int(key)].node
        else:
            found = found.get(key) if found and found.is_object else None
    return found


def _nested(path: KeyPath, value: Json, is_element: bool) -> Json:
    held: Json = [value] if is_element else value
    for key in reversed(path):
        held = {key: held}
    return held


def _is_bare(text: str, node: Node) -> bool:
    return not text[node.start + 1 : node.end - 1].strip()


def _with(text: str, start: int, end: int, new: str) -> str:
    return text[:start] + new + text[end:]


# --- coming in ---


def _added(text: str, node: Node, key: str, value: Json) -> str:
    """A value behind the last one of a container, as the others there are set."""
    head = f"{json.dumps(key, ensure_ascii=False)}: " if key else ""
    last = node.members[-1] if node.members else None
    is_long = "\n" in text[node.start : node.end]
    indent = _indent_in(text, node)
    if last and not is_long:
        new = head + json.dumps(value, ensure_ascii=False)
        return _behind(text, last, f" {new}")
    lead = _newline(text) + indent if is_long else ""
    new = lead + head + _dumped(text, value, indent if is_long else _indent_at(text, node.start))
    if last:
        return _behind(text, last, new)
    at = _line_said(text, node.start + 1)
    return _with(text, at, at, new)


def _replaced(text: str, node: Node, value: Json) -> str:
    if node.value == value:
        return text
    is_long = "\n" in text[node.start : node.end]
    new = (
        _dumped(text, value, _indent_at(text, node.start))
        if is_long
        else json.dumps(value, ensure_ascii=False)
    )
    return _with(text, node.start, node.end, new)


def _behind(text: str, last: Member, new: str) -> str:
    """A text behind the last member and what is said of it on its line; a comma that ends the list
    still ends it."""
    if last.comma >= 0:
        at = _line_said(text, last.comma + 1)
        return _with(text, at, at, f"{new},")
    at = _line_said(text, last.node.end)
    return _with(_with(text, at, at, new), last.node.end, last.node.end, ",")


def _line_said(text: str, at: int) -> int:
    """Behind the comments on the rest of a line."""
    found = _COMMENTS.match(text, at)
    return found.end() if found else at


def _dumped(text: str, value: Json, indent: str) -> str:
    lines = json.dumps(value, indent=_unit(text), ensure_ascii=False).split("\n")
    return (_newline(text) + indent).join(lines)


def _newline(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"


def _unit(text: str) -> str:
    found = _INDENTED.search(text)
    return found[1] if found else "  "


def _indent_at(text: str, at: int) -> str:
    """The indent of the line on which something is."""
    found = _LINE_INDENT.match(text, text.rfind("\n", 0, at) + 1)
    return found[0] if found else ""


def _indent_in(text: str, node: Node) -> str:
    """The indent of what is in a container."""
    for member in node.members:
        indent = _indent_at(text, member.start)
        if text[: member.start].endswith(f"\n{indent}"):
            return indent
    return _indent_at(text, node.start) + _unit(text)


# --- going out ---


def _without(text: str, node: Node, number: int) -> str:
    """Without one member, the line break or blanks before it, and one comma."""
    member, before = node.members[number], node.members[number - 1] if number else None
    lead = _LEAD.search(text, 0, member.start)
    start = lead.start() if lead else member.start
    if member.comma >= 0:
        return text[:start] + text[member.node.end : member.comma] + text[member.comma + 1 :]
    text = _with(text, start, member.node.end, "")
    return _with(text, before.comma, before.comma + 1, "") if before else text
