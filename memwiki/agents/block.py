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
    found = _block(marks).search(text)
    if found:
        return text[: found.start(2)] + block + text[found.end(2) :]
    if not text:
        return block + newline
    return f"{text}{newline}{block}{newline}" if text.endswith("\n") else f"{text}{newline}{block}"


def without_block(text: str, marks: Marks) -> str:
    """The text as it was before our lines came in."""
    found = _block(marks).search(text)
    if not found:
        return text
    rest = text[found.end() :]
    is_last = not rest and not found[0].endswith("\n")
    if found[1] and (is_last or _ends_line(text[: found.start()])):
        return text[: found.start()] + rest
    return text[: found.start(2)] + rest


def _ends_line(text: str) -> bool:
    return not text or text.endswith("\n")


def has_block(text: str, marks: Marks) -> bool:
    """Whether our lines are there."""
    return bool(_block(marks).search(text))


def _block(marks: Marks) -> re.Pattern[str]:
    begin, end = re.escape(marks.begin), re.escape(marks.end)
    return re.compile(
        rf"(\r?\n)?^({begin}[ \t]*\r?\n(?:.*\r?\n)*?{end}[ \t]*)(?:\r?\n|\Z)", re.MULTILINE
    )
