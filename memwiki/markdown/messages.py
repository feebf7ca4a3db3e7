"""Messages of session pages: a level-3 heading and the text below it."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import NamedTuple

from memwiki.markdown.blocks import without_blank_edges
from memwiki.markdown.message_text import EXACT, exact_text, is_fenced, plain_text
from memwiki.markdown.scanner import Structure, scan
from memwiki.nouns import Message

_FIELD = re.compile(r"(?<![ \t])[ \t]*+\[([^\W\d][\w -]{0,40})::[ \t]*+([^\[\]\n]*+)\]")
_ID = re.compile(r"(?<![ \t])[ \t]++\^(s-[A-Za-z0-9-]+)\Z")
_TIME = re.compile(r"(\d{4}-\d\d-\d\d(?:(?:T| )\d\d:\d\d\S*)?)(?:[ \t]+|\Z)")
_WRITTEN = re.compile(r"### \d{4}-\d\d-\d\dT\d\d:\d\d\S* \S(?:.*[ \t])?\^s-[A-Za-z0-9-]+[ \t]*\Z")
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


def session_structure(lines: list[str], start: int) -> Structure:
    """The structure of a session: what a message leaves open ends with it.

    The heading that memwiki writes begins a message wherever it stands, since no text that
    memwiki writes has such a line.
    """
    heads = [i for i in range(start, len(lines)) if is_written_head(lines[i])]
    if not heads:
        return scan(lines, start)
    bounds = [start, *heads, len(lines)]
    parts = [(scan(lines[at:end]), at) for at, end in pairwise(bounds) if at < end]
    return Structure(
        tuple(
            each._replace(line=each.line + at, line_end=each.line_end + at)
            for part, at in parts
            for each in part.headings
        ),
        tuple((a + at, b + at) for part, at in parts for a, b in part.code),
        tuple((a + at, b + at) for part, at in parts for a, b in part.html),
        tuple((a + at, b + at) for part, at in parts for a, b in part.items),
        all(part.is_certain for part, _ in parts),
    )


def is_written_head(line: str) -> bool:
    """Whether a line is the heading of a message as memwiki writes it."""
    return line.startswith("### ") and _WRITTEN.match(line) is not None


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
    start, end = without_blank_edges(lines, start, end)
    fields, inner = head.fields, lines[start:end]
    if fields.get("form") == EXACT and is_fenced(inner):
        fields = {name: value for name, value in fields.items() if name != "form"}
        start, text = start + 1, exact_text(inner[1:-1])
    else:
        text = plain_text(inner)
    last = max(end, first + 1)
    return Message(head.role, text, first + 1, last, head.time, head.id, fields, start + 1)
