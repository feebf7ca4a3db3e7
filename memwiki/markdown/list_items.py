"""A top-level list item and the text that belongs to it."""

from __future__ import annotations

import re
from typing import NamedTuple

from memwiki.markdown.syntax import LIST_MARKER

_MARKER = re.compile(rf"[ \t]*{LIST_MARKER}([ \t]*)")


class ListItem(NamedTuple):
    """A list item: its text without the marker, dedented; lines 0-based, half-open."""

    text: str
    line: int
    line_end: int


def item_at(lines: list[str], first: int, end: int) -> ListItem:
    """The item on these lines."""
    return ListItem(_text([line.expandtabs(4) for line in lines[first:end]]), first, end)


def _text(lines: list[str]) -> str:
    """The text below the marker's end; lazy lines stand further left and stay as they are."""
    match = _MARKER.match(lines[0])
    column = match.end() if match else 0
    if match and len(match[1]) > 4:
        column = match.start(1) + 1
    rest = (line[min(column, len(line) - len(line.lstrip(" "))) :].rstrip() for line in lines[1:])
    return "\n".join([lines[0][column:].strip(), *rest]).strip()
