"""Lines of ours at the end of a text file, between two marks; every other byte stays."""

from __future__ import annotations

import re
from typing import NamedTuple


class Marks(NamedTuple):
    """The lines around what is ours."""

    begin: str
    end: str


HASH = Marks("# memwiki: begin", "# memwiki: end")
HTML = Marks("<!-- memwiki: begin -->", "<!-- memwiki: end -->")


def with_block(text: str, marks: Marks, lines: str) -> str:
    """The text with our lines, in their old place or behind a blank line at the end.

    A text that ends without a line break still does.
    """
    newline = "\r\n" if "\r\n" in text else "\n"
    block = newline.join([marks.begin, *lines.splitlines(), marks.end])
    if found := _found(text, marks):
        return text[: found.start] + block + text[found.stop :]
    if not text:
        return block + newline
    return f"{text}{newline}{block}{newline}" if text.endswith("\n") else f"{text}{newline}{block}"


def without_block(text: str, marks: Marks) -> str:
    """The text as it was before our lines came in."""
    found = _found(text, marks)
    if not found:
        return text
    rest = text[found.line_end :]
    is_last = found.stop == len(text)
    if found.lead < found.start and (is_last or _ends_line(text[: found.lead])):
        return text[: found.lead] + rest
    return text[: found.start] + rest


def _ends_line(text: str) -> bool:
    return not text or text.endswith("\n")


def has_block(text: str, marks: Marks) -> bool:
    """Whether our lines are there."""
    return _found(text, marks) is not None


class _Block(NamedTuple):
    lead: int  # where the line break before it begins
    start: int
    stop: int
    line_end: int  # behind the line break that follows


def _found(text: str, marks: Marks) -> _Block | None:
    """The first block, looked for in one walk: a file may hold any number of marks. One without
    its other half is passed over."""
    begin, end = re.escape(marks.begin), re.escape(marks.end)
    line = re.compile(
        rf"(?P<lead>\r?\n)?^(?:(?P<begin>{begin}[ \t]*)(?=\r?\n)|(?P<end>{end}[ \t]*)(?:\r?\n|\Z))",
        re.MULTILINE,
    )
    first: re.Match[str] | None = None
    for found in line.finditer(text):
        if found["begin"]:
            first = found
        elif first:
            return _Block(first.start(), first.start("begin"), found.end("end"), found.end())
    return None
