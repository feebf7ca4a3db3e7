"""Whether two lines begin a table: the header row, and the row of dashes below it."""

from __future__ import annotations

import re

# The row of dashes; one that begins with `- ` is a list item.
DELIMITER = re.compile(r"(?:-[|:-]|[|:][|: \t-])[|: \t-]*\Z")
_DASHES = re.compile(r":?-+:?\Z")
# Rows times columns from which markdown-it no longer fills up cells that are missing, and ends the
# table.
MAX_CELLS = 0x10000


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
