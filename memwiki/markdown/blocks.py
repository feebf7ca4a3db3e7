"""Blocks that lines are parts of: HTML, tables, items of lists."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from memwiki.markdown.syntax import LIST_MARKER

_ATTRIBUTE = (
    r"(?:\s+[a-zA-Z_:][a-zA-Z0-9:._-]*(?:\s*=\s*(?:[^\"'=<>`\x00-\x20]+|'[^']*'|\"[^\"]*\"))?)"
)
TAG = re.compile(
    rf"(?:<[A-Za-z][A-Za-z0-9\-]*{_ATTRIBUTE}*\s*/?>|</[A-Za-z][A-Za-z0-9\-]*\s*>)\s*\Z"
)
# Source: CommonMark 0.31.2, HTML blocks: kind 6, and the kinds 1 to 5 that end with a mark.
_BLOCK_NAMES_TEXT = """
    address article aside base basefont blockquote body caption center col colgroup dd details
    dialog dir div dl dt fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6
    head header hr html iframe legend li link main menu menuitem nav noframes ol optgroup option p
    param search section summary table tbody td tfoot th thead title tr track ul
"""
_BLOCK_NAMES = frozenset(_BLOCK_NAMES_TEXT.split())
_BLOCK_NAME = re.compile(r"</?([A-Za-z][A-Za-z0-9]*)(?=\s|/?>|\Z)")
_RAW_NAMES = frozenset({"script", "pre", "style", "textarea"})
_RAW_NAME = re.compile(r"<([A-Za-z]+)(?=\s|>|\Z)")
BLANK_LINE = re.compile(r"\Z")
_RAW_END = re.compile(r"</(?:script|pre|style|textarea)>", re.IGNORECASE)
_MARKED_ENDS = {
    "<!--": re.compile(r"-->"),
    "<?": re.compile(r"\?>"),
    "<![CDATA[": re.compile(r"\]\]>"),
    "<!": re.compile(r">"),
}
# The row of dashes; one that begins with `- ` is a list item.
DELIMITER = re.compile(r"(?:-[|:-]|[|:][|: \t-])[|: \t-]*\Z")
_DASHES = re.compile(r":?-+:?\Z")
# Rows times columns from which markdown-it no longer fills up cells that are missing, and ends the
# table.
MAX_CELLS = 0x10000
_MARKER = re.compile(rf"[ \t]*{LIST_MARKER}([ \t]*)")


def end_of_html(text: str) -> re.Pattern[str] | None:
    """What ends the block of HTML that begins with this text, unless it is a lone tag."""
    if (raw := _RAW_NAME.match(text)) and raw[1].lower() in _RAW_NAMES:
        return _RAW_END
    for mark, end in _MARKED_ENDS.items():
        if text.startswith(mark) and (
            mark != "<!" or (text[2:3].isascii() and text[2:3].isalpha())
        ):
            return end
    if (name := _BLOCK_NAME.match(text)) and name[1].lower() in _BLOCK_NAMES:
        return BLANK_LINE
    return None


def columns_of(header: str, delimiter: str) -> int:
    """How many columns the table has that these two lines, without indentation, begin; 0 if
    none."""
    if "|" not in header or not DELIMITER.match(delimiter):
        return 0
    marks = [mark.strip(" \t") for mark in delimiter.split("|")]
    inner = [mark for i, mark in enumerate(marks) if mark or 0 < i < len(marks) - 1]
    if not all(map(_DASHES.match, inner)) or _cells(header) != len(inner):
        return 0
    return len(inner)


def _cells(header: str) -> int:
    """The cells of a header row; a pipe after a backslash parts none."""
    text = header.strip()
    parts = text.replace("\\|", "  ").split("|")
    count = len(parts) - (parts[0] == "")
    return count - (count > 0 and parts[-1] == "")


def written_end(lines: Sequence[str], first: int, end: int) -> int:
    """The line after the last one from `first` on that is not blank; `first` when all are."""
    while end > first and not lines[end - 1].strip():
        end -= 1
    return end


def without_blank_edges(lines: Sequence[str], start: int, end: int) -> tuple[int, int]:
    """The range of lines without blank ones at its edges."""
    end = written_end(lines, start, end)
    return next((i for i in range(start, end) if lines[i].strip()), end), end


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
