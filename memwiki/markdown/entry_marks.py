"""What an entry holds besides its text: type, fields, id, strike-through; and where each stands."""

from __future__ import annotations

import re
from collections.abc import Sequence

from memwiki.markdown.syntax import LIST_MARKER
from memwiki.names import fold

TASK = re.compile(r"\[[ xX]\](?:\s|\Z)")
TASK_LINE = re.compile(rf"[ \t]*{LIST_MARKER}[ \t]*{TASK.pattern}")
TYPE = re.compile(r"\[([^\W\d][\w-]*)\][ \t]+(?=\S)")
FIELD = re.compile(
    r"(?<![ \t])[ \t]*+\[([^\W\d][\w -]{0,40})::[ \t]*+((?:\[\[[^\[\]\n]*\]\]|[^\[\]\n])*+)\]"
)
FIELD_LINE = re.compile(r"[ \t]*[-*+][ \t]+([^\W\d][\w -]{0,40})::[ \t]*(.*)\Z")
ID = re.compile(r"(?:^|[ \t])\^(m-[A-Za-z0-9]+)[ \t]*$", re.MULTILINE)
ID_NAME = re.compile(r"m-[A-Za-z0-9]+")
STRUCK = re.compile(r"~~(.*?)~~(.*)\Z", re.DOTALL)


def field_key(written: str) -> str:
    """A field by the name that it is known by, however it is spelled."""
    return fold(written.strip()).replace(" ", "_")


def field_start(text: str, field: re.Match[str]) -> int:
    """Where a field that was found behind a mask begins in the text: with the blanks before it, but
    not with the code that looks like blanks there."""
    bracket = field.start(1) - 1
    return field.start() + len(text[field.start() : bracket].rstrip(" \t"))


def end_of_list(lines: Sequence[str], at: int) -> int:
    """The line after the lines that are indented more than line `at`."""
    indent = indent_of(lines[at])
    end = at + 1
    while end < len(lines) and lines[end].strip() and indent_of(lines[end]) > indent:
        end += 1
    return end


def indent_of(line: str) -> int:
    """How many blanks begin a line."""
    return len(line) - len(line.lstrip(" \t"))
