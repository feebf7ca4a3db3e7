"""JSON as programs write it, with comments, and members that come into it and go again.

Every other byte stays."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from typing import NamedTuple

from memwiki.adapter_api import Json

_BLANK = re.compile(r"(?:[ \t\r\n]+|//[^\n]*|/\*(?:[^*]|\*(?!/))*\*/)*")
_STRING = re.compile(r'"(?:[^"\\\x00-\x1f]|\\.)*"')
_WORD = re.compile(r"[-+.\w]+")
_MAX_DEPTH = 100
_PAIRS = {"{": "}", "[": "]"}
_INDENTED = re.compile(r"^([ \t]+)[\"{\[]", re.MULTILINE)
_COMMENTS = re.compile(r"(?:[ \t]*(?://[^\r\n]*|/\*(?:[^*]|\*(?!/))*\*/))*")
_LEAD = re.compile(r"(?:\r?\n)?[ \t]*\Z")
_LINE_INDENT = re.compile(r"[ \t]*")
KeyPath = tuple[str, ...]


class NotJsonError(ValueError):
    """A text is no JSON, even with comments; says at which line, from 1."""

    def __init__(self, text: str, at: int, what: str) -> None:
        super().__init__(f"line {text.count(chr(10), 0, at) + 1}: {what}")


class JsonNode(NamedTuple):
    """A value and where it is: offsets in the text, half-open."""

    start: int
    end: int
    value: Json
    members: tuple[JsonMember, ...] = ()  # of an object or a list

    @property
    def is_object(self) -> bool:
        """Whether it has members with names."""
        return isinstance(self.value, dict)

    def get(self, key: str) -> JsonNode | None:
        """The value of a member."""
        return next((each.node for each in self.members if each.key == key), None)


class JsonMember(NamedTuple):
    """A member of an object, or an element of a list, which has no key."""

    key: str
    start: int
    node: JsonNode
    comma: int  # where the comma behind it is, -1 for none


@lru_cache(maxsize=8)  # an installation asks some twenty times of the same few texts
def parse(text: str) -> JsonNode:
    """The value of a whole text, to be read only. Raises NotJsonError."""
    reader = _Reader(text)
    node = reader.value(reader.blank(0), 0)
    end = reader.blank(node.end)
    if end != len(text):
        raise NotJsonError(text, end, "something follows the value")
    return node


class _Reader:
    def __init__(self, text: str) -> None:
        self.text = text

    def blank(self, at: int) -> int:
        """Behind blanks and comments."""
        found = _BLANK.match(self.text, at)
        return found.end() if found else at

    def value(self, at: int, depth: int) -> JsonNode:
        mark = self.text[at : at + 1]
        if mark not in _PAIRS or not mark:
            return self._scalar(at)
        if depth > _MAX_DEPTH:
            raise NotJsonError(self.text, at, f"more than {_MAX_DEPTH} levels")
        members, end = self._members(at + 1, _PAIRS[mark], depth)
        if mark == "[":
            return JsonNode(at, end, [each.node.value for each in members], members)
        value = {each.key: each.node.value for each in members}
        if len(value) != len(members):
            raise NotJsonError(self.text, at, "an object names a member twice")
        return JsonNode(at, end, value, members)

    def _members(self, at: int, closing: str, depth: int) -> tuple[tuple[JsonMember, ...], int]:
        members: list[JsonMember] = []
        while True:
            at = self.blank(at)
            if self.text[at : at + 1] == closing:
                return tuple(members), at + 1
            if members and members[-1].comma < 0:
                raise NotJsonError(self.text, at, f"a comma or {closing} is missing")
            member = self._member(at, closing, depth)
            members.append(member)
            at = member.node.end if member.comma < 0 else member.comma + 1

    def _member(self, at: int, closing: str, depth: int) -> JsonMember:
        key, start = "", at
        if closing == "}":
            key, at = self._string(at)
            at = self.blank(at)
            if self.text[at : at + 1] != ":":
                raise NotJsonError(self.text, at, "a colon is missing")
            at = self.blank(at + 1)
        node = self.value(at, depth + 1)
        behind = self.blank(node.end)
        return JsonMember(key, start, node, behind if self.text[behind : behind + 1] == "," else -1)

    def _string(self, at: int) -> tuple[str, int]:
        found = _STRING.match(self.text, at)
        if not found:
            raise NotJsonError(self.text, at, "a name in quotation marks is missing")
        return str(self._loaded(found[0], at)), found.end()

    def _scalar(self, at: int) -> JsonNode:
        found = _STRING.match(self.text, at) or _WORD.match(self.text, at)
        if not found:
            raise NotJsonError(self.text, at, "a value is missing")
        return JsonNode(at, found.end(), self._loaded(found[0], at))

    def _loaded(self, token: str, at: int) -> Json:
        try:
            value: Json = json.loads(token, parse_constant=int)  # no NaN
        except ValueError:
            raise NotJsonError(self.text, at, f"{token[:20]} is no value") from None
        return value


class JsonPut(NamedTuple):
    """A text with a value in it, and the containers that were made for it, outermost first."""

    text: str
    made: tuple[KeyPath, ...] = ()


def put(text: str, path: KeyPath, value: Json, *, is_element: bool = False) -> JsonPut:
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
        return JsonPut(_replace_value(text, node, value))
    if taken == len(path):
        _require(isinstance(node.value, list), path)
        return JsonPut(_add_value(text, node, "", value))
    missing = path[taken:]
    made = tuple(path[:end] for end in range(taken + 1, len(path) + is_element))
    return JsonPut(
        _add_value(text, node, missing[0], _nested(missing[1:], value, is_element)), made
    )


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
        is_bare = node and not text[node.start + 1 : node.end - 1].strip()
        if node and not node.members and is_bare:
            text = take_out(text, path[:-1], partial(_is_named, path[-1]))
    return text


def _is_named(name: str, key: str, _value: Json) -> bool:
    return key == name


def _require(is_right: bool, path: KeyPath) -> None:
    if not is_right:
        raise LookupError(f"{'.'.join(path) or 'the whole'} is of another kind")


def _at(node: JsonNode, path: KeyPath) -> JsonNode | None:
    """The value at a path; the elements of a list go by their numbers."""
    found: JsonNode | None = node
    for key in path:
        if found and not found.is_object and key.isdigit() and int(key) < len(found.members):
            found = found.members[int(key)].node
        else:
            found = found.get(key) if found and found.is_object else None
    return found


def _nested(path: KeyPath, value: Json, is_element: bool) -> Json:
    nested: Json = [value] if is_element else value
    for key in reversed(path):
        nested = {key: nested}
    return nested


def _with(text: str, start: int, end: int, new: str) -> str:
    return text[:start] + new + text[end:]


# --- coming in ---


def _add_value(text: str, node: JsonNode, key: str, value: Json) -> str:
    """A value behind the last one of a container, as the others there are set."""
    head = f"{json.dumps(key, ensure_ascii=False)}: " if key else ""
    is_long = "\n" in text[node.start : node.end]
    if node.members and not is_long:
        return _behind(text, node.members[-1], f" {head}{json.dumps(value, ensure_ascii=False)}")
    indent = _indent_in(text, node) if is_long else _indent_at(text, node.start)
    lead = _newline(text) + indent if is_long else ""
    new = lead + head + _dumped(text, value, indent)
    if node.members:
        return _behind(text, node.members[-1], new)
    at = _line_said(text, node.start + 1)
    return _with(text, at, at, new)


def _replace_value(text: str, node: JsonNode, value: Json) -> str:
    if node.value == value:
        return text
    new = json.dumps(value, ensure_ascii=False)
    if "\n" in text[node.start : node.end]:
        new = _dumped(text, value, _indent_at(text, node.start))
    return _with(text, node.start, node.end, new)


def _behind(text: str, last: JsonMember, new: str) -> str:
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


def _indent_in(text: str, node: JsonNode) -> str:
    """The indent of what is in a container."""
    for member in node.members:
        indent = _indent_at(text, member.start)
        if text[: member.start].endswith(f"\n{indent}"):
            return indent
    return _indent_at(text, node.start) + _unit(text)


# --- going out ---


def _without(text: str, node: JsonNode, number: int) -> str:
    """Without one member, the line break or blanks before it, and one comma."""
    member, before = node.members[number], node.members[number - 1] if number else None
    lead = _LEAD.search(text, 0, member.start)
    start = lead.start() if lead else member.start
    if member.comma >= 0:
        return text[:start] + text[member.node.end : member.comma] + text[member.comma + 1 :]
    text = _with(text, start, member.node.end, "")
    return _with(text, before.comma, before.comma + 1, "") if before else text
