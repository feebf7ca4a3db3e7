"""JSON as people write it, with comments and trailing commas: each value and where it is."""

from __future__ import annotations

import json
import re
from typing import NamedTuple, TypeAlias, Union

Json: TypeAlias = Union[str, int, float, bool, "list[Json]", "dict[str, Json]", None]

_BLANK = re.compile(r"(?:[ \t\r\n]+|//[^\n]*|/\*(?:[^*]|\*(?!/))*\*/)*")
_STRING = re.compile(r'"(?:[^"\\\x00-\x1f]|\\.)*"')
_WORD = re.compile(r"[-+.\w]+")
_MOST_DEPTH = 100
_PAIRS = {"{": "}", "[": "]"}


class NotJsonError(ValueError):
    """A text is no JSON, even with comments; says at which line, from 1."""

    def __init__(self, text: str, at: int, what: str) -> None:
        super().__init__(f"line {text.count(chr(10), 0, at) + 1}: {what}")


class Node(NamedTuple):
    """A value and where it is: offsets in the text, half-open."""

    start: int
    end: int
    value: Json
    members: tuple[Member, ...] = ()  # of an object or a list

    @property
    def is_object(self) -> bool:
        """Whether it has members with names."""
        return isinstance(self.value, dict)

    def get(self, key: str) -> Node | None:
        """The value of a member."""
        return next((each.node for each in self.members if each.key == key), None)


class Member(NamedTuple):
    """A member of an object, or an element of a list, which has no key."""

    key: str
    start: int
    node: Node
    comma: int  # where the comma behind it is, -1 for none


def parse(text: str) -> Node:
    """The value of a whole text. Raises NotJsonError."""
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

    def value(self, at: int, depth: int) -> Node:
        mark = self.text[at : at + 1]
        if mark not in _PAIRS or not mark:
            return self._scalar(at)
        if depth > _MOST_DEPTH:
            raise NotJsonError(self.text, at, f"more than {_MOST_DEPTH} levels")
        members, end = self._members(at + 1, _PAIRS[mark], depth)
        if mark == "[":
            return Node(at, end, [each.node.value for each in members], members)
        value = {each.key: each.node.value for each in members}
        if len(value) != len(members):
            raise NotJsonError(self.text, at, "an object names a member twice")
        return Node(at, end, value, members)

    def _members(self, at: int, closing: str, depth: int) -> tuple[tuple[Member, ...], int]:
        members: list[Member] = []
        while True:
            at = self.blank(at)
            if self.text[at : at + 1] == closing:
                return tuple(members), at + 1
            if members and members[-1].comma < 0:
                raise NotJsonError(self.text, at, f"a comma or {closing} is missing")
            member = self._member(at, closing, depth)
            members.append(member)
            at = member.node.end if member.comma < 0 else member.comma + 1

    def _member(self, at: int, closing: str, depth: int) -> Member:
        key, start = "", at
        if closing == "}":
            key, at = self._string(at)
            at = self.blank(at)
            if self.text[at : at + 1] != ":":
                raise NotJsonError(self.text, at, "a colon is missing")
            at = self.blank(at + 1)
        node = self.value(at, depth + 1)
        behind = self.blank(node.end)
        return Member(key, start, node, behind if self.text[behind : behind + 1] == "," else -1)

    def _string(self, at: int) -> tuple[str, int]:
        found = _STRING.match(self.text, at)
        if not found:
            raise NotJsonError(self.text, at, "a name in quotation marks is missing")
        return str(self._loaded(found[0], at)), found.end()

    def _scalar(self, at: int) -> Node:
        found = _STRING.match(self.text, at) or _WORD.match(self.text, at)
        if not found:
            raise NotJsonError(self.text, at, "a value is missing")
        return Node(at, found.end(), self._loaded(found[0], at))

    def _loaded(self, token: str, at: int) -> Json:
        try:
            value: Json = json.loads(token, parse_constant=_refused)
        except ValueError:
            raise NotJsonError(self.text, at, f"{token[:20]} is no value") from None
        return value


def _refused(word: str) -> Json:
    raise ValueError(word)
