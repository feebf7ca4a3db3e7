"""The page of a session: its messages with the bytes that hold them, and how a new one begins."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property
from itertools import pairwise

from memwiki.errors import NotEditableError
from memwiki.markdown.edit.fields import set_field
from memwiki.markdown.fields import is_private
from memwiki.markdown.messages import read_messages
from memwiki.markdown.outline import Outline, PageKind, outline_of
from memwiki.model import Layers, Message

_NUMBERED = re.compile(rb"^### .*\^s-(\d{1,9})[ \t\r]*$", re.MULTILINE)
_BORDER = 3  # headings of this level and above end a message
SUMMARY = "Summary"


class SessionPage:
    """A session's page that is looked over."""

    def __init__(self, path: str, data: bytes, layers: Layers) -> None:
        self.outline = outline_of(path, data, layers)
        if self.outline.is_catalog or self.outline.kind is not PageKind.SESSION:
            raise NotEditableError(
                f"{path}: is not the page of a session",
                hint="its front matter needs `type: session`",
                path=path,
            )
        self.data = data

    @cached_property
    def messages(self) -> tuple[Message, ...]:
        """Its messages, in order."""
        return read_messages(self.outline.lines, self.outline.structure)

    @cached_property
    def _ends(self) -> dict[int, int]:
        """The line, from 0, that follows what a heading begins, by the line of the heading."""
        headings = self.outline.structure.headings
        lines = [each.line for each in headings if each.level <= _BORDER]
        return dict(pairwise([*lines, len(self.outline.lines)]))

    def span(self, message: Message) -> tuple[int, int]:
        """The offsets of all that a message takes up, with the blank lines below it."""
        first = message.line_start - 1
        return self.outline.starts[first], self.outline.starts[self._ends[first]]

    def written(self, message: Message) -> str:
        """A message as it stands, without the blank lines below it."""
        start, _ = self.span(message)
        return self.outline.text[start : self.outline.end_of(message.line_end - 1)] + "\n"

    @property
    def ids(self) -> frozenset[str]:
        """The ids of its messages."""
        return frozenset(each.id for each in self.messages if each.id)


def new_page(path: str, started: str, participants: Sequence[str], layers: Layers) -> bytes:
    """The page of a session in which nothing was said yet."""
    text = f"---\ntype: session\nstarted: {started}\n---\n"
    page = outline_of(path, text.encode(), layers)
    return (set_field(page, "participants", participants) if participants else page).data


def archive_page(page: Outline) -> bytes:
    """The page of what leaves a session, before anything left it."""
    started = page.fields.text("started")
    lines = ["---", "type: session", *([f"started: {started}"] if started else [])]
    return "\n".join([*lines, "---", ""]).encode()


def as_private_as(page: Outline, origin: Outline) -> Outline:
    """A page that takes messages of another one, private where that one is."""
    if not is_private(origin.front.fields) or is_private(page.front.fields):
        return page
    return set_field(page, "private", "true")


def last_number(data: bytes) -> int:
    """The highest number that an id on a page has, 0 when there is none; the page is not parsed."""
    return max(map(int, _NUMBERED.findall(data)), default=0)
