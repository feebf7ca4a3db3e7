"""Messages of session pages: a level-3 heading and the text below it."""

from __future__ import annotations

import re
from typing import NamedTuple

from memwiki.markdown.scanner import Structure
from memwiki.model import Message

_FIELD = re.compile(r"(?<![ \t])[ \t]*+\[([^\W\d][\w -]{0,40})::[ \t]*+([^\[\]\n]*+)\]")
_ID = re.compile(r"(?<![ \t])[ \t]++\^(s-[A-Za-z0-9-]+)\Z")
_TIME = re.compile(r"(\d{4}-\d\d-\d\d(?:(?:T| )\d\d:\d\d\S*)?)(?:[ \t]+|\Z)")
_ESCAPED_HEADING = re.compile(r"^( {0,3})\\(?=#{1,6}(?:[ \t]|$))", re.MULTILINE)
_ROLES = frozenset({"user", "assistant", "system", "tool"})


class _Head(NamedTuple):
    role: str
    time: str
    id: str
    fields: dict[str, str]

    @property
    def is_sure(self) -> bool:
        """Whether this heading is a message's beyond doubt."""
        return bool(self.id or (self.time and self.role) or self.role.lower() in _ROLES)


def read_messages(lines: list[str], structure: Structure) -> tuple[Message, ...]:
    """The messages of a session; none when its headings look like ordinary prose."""
    heads = [
        (heading, _read_head(heading.title) if heading.level == 3 else None)
        for heading in structure.headings
        if heading.level <= 3
    ]
    if not any(head and head.is_sure for _, head in heads):
        return ()
    ends = [heading.line for heading, _ in heads[1:]] + [len(lines)]
    return tuple(
        _message(lines, heading.line, heading.line_end, end, head)
        for (heading, head), end in zip(heads, ends, strict=True)
        if head
    )


def _read_head(title: str) -> _Head:
    id_, time = "", ""
    if match := _ID.search(title):
        id_, title = match[1], title[: match.start()]
    fields = {m[1].strip().lower(): m[2].strip() for m in _FIELD.finditer(title)}
    title = _FIELD.sub("", title)
    if match := _TIME.match(title):
        time, title = match[1], title[match.end() :]
    return _Head(title.strip(), time, id_, fields)


def _message(lines: list[str], first: int, start: int, end: int, head: _Head) -> Message:
    while end > start and not lines[end - 1].strip():
        end -= 1
    text = _ESCAPED_HEADING.sub(r"\1", "\n".join(lines[start:end]).strip("\n"))
    return Message(head.role, text, first + 1, end, head.time, head.id, head.fields)
