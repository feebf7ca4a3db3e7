"""What marks a text as private: a field in brackets, or one that is a line of its own."""

from __future__ import annotations

import re

from memwiki.markdown.fields import is_private

KEY = re.compile(r"private[ \t\r\0]*::", re.IGNORECASE)
# Without its closing bracket it is one, too: what a slip of the pen left open is not shown.
_IN_BRACKETS = re.compile(
    r"\[[ \t]*private[ \t]*::((?:\[\[[^\[\]\n]*\]\]|[^\[\]\n])*+)(\]?)"
    r"|\([ \t]*private[ \t]*::([^()\n]*+)(\)?)",
    re.IGNORECASE,
)
_PROPERTY = re.compile(
    r"[ \t]*+(?:(?:[-*+]|\d{1,9}[.)]|\[[ xX]\]|\[![^\]\n]*\][-+]?)[ \t]++|>[ \t]*+)*+"
    r"(private)[ \t]*::[ \t]*+(.*)",
    re.IGNORECASE,
)
_TARGET = re.compile(
    r"(\[[^\[\]\n]*\])(\((?:<[^<>\n]*>|[^\s()<>]+)(?:[ \t]+\"[^\"\n]*\")?[ \t]*\))"
)


def has_mark(line: str, masked: str, below: str = "") -> bool:
    """Whether a line is marked; `masked` has its code blanked, `below` is the next line."""
    return is_written(line, _TARGET.sub(lambda link: link[1] + " " * len(link[2]), masked), below)


def is_written(line: str, masked: str, below: str = "") -> bool:
    """Whether a mark is written there at all, be it in the target of a link."""
    return is_property(line, masked, below) or any(
        _is_yes(line, found) for found in _IN_BRACKETS.finditer(masked)
    )


def is_property(line: str, masked: str, below: str = "") -> bool:
    """Whether all of a line is the mark; an empty one may have its value indented below it."""
    found = _PROPERTY.match(line)
    if not found or masked[found.start(1) : found.end(1)] != found[1]:
        return False
    value = found[2].strip()
    return is_private({"private": value}) or (not value and _indent(below) > _indent(line))


def _is_yes(line: str, mark: re.Match[str]) -> bool:
    at = 1 if mark[2] is not None else 3
    value = line[mark.start(at) : mark.end(at)].strip()
    return is_private({"private": value}) or not (value or mark[at + 1])


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" \t")) if line.strip() else -1
