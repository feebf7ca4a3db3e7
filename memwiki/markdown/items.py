"""Top-level list items and the lines that belong to each."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from memwiki.markdown.scanner import Structure

_MARKER = re.compile(r" {0,3}([-+*]|\d{1,9}[.)])(?:([ \t]+)(?=\S)|[ \t]*\Z)")
_RULE = re.compile(r" {0,3}(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})\Z")
_INTERRUPTS = re.compile(r" {0,3}(?:#{1,6}(?:[ \t]|\Z)|>|`{3}|~{3}|</?[a-z]+[ \t/>]|<!--)")


@dataclass(frozen=True, slots=True)
class Item:
    """A list item: its text without the marker, dedented; lines 0-based, half-open."""

    text: str
    line: int
    line_end: int


def top_items(lines: list[str], start: int, structure: Structure) -> Iterator[Item]:
    """The items of all lists that are not inside another item."""
    skipped = _skipped(structure)
    i = start
    while i < len(lines):
        match = _MARKER.match(lines[i])
        if not match or _RULE.match(lines[i]):
            i = skipped.get(i, i + 1)
            continue
        end = _item_end(lines, i, _content_column(match), skipped)
        yield Item(_item_text(lines[i:end], _content_column(match)), i, end)
        i = end


def _skipped(structure: Structure) -> dict[int, int]:
    """First line of each code, HTML and heading range, with the line after it."""
    skipped = dict([*structure.code, *structure.html])
    skipped.update((heading.line, heading.line_end) for heading in structure.headings)
    return skipped


def _content_column(match: re.Match[str]) -> int:
    gap = len(match[2].expandtabs(4)) if match[2] else 1
    width = match.end(1)
    return width + (gap if gap <= 4 else 1)


def _item_end(lines: list[str], first: int, column: int, skipped: dict[int, int]) -> int:
    """The line after the item: its last line that is indented, or goes on without a blank line."""
    end, i, is_blank = first + 1, first + 1, False
    while i < len(lines):
        line = lines[i].expandtabs(4)
        text = line.lstrip(" ")
        indent = len(line) - len(text)
        if not text:
            is_blank = True
        elif indent >= column:
            if i in skipped:
                i = end = skipped[i]
                continue
            is_blank, end = False, i + 1
        elif is_blank or i in skipped or _starts_block(line):
            break
        else:
            end = i + 1
        i += 1
    return end


def _starts_block(line: str) -> bool:
    return bool(_MARKER.match(line) or _RULE.match(line) or _INTERRUPTS.match(line))


def _item_text(lines: list[str], column: int) -> str:
    first = lines[0].expandtabs(4)[column:].strip()
    rest = []
    for raw in lines[1:]:
        line = raw.expandtabs(4)
        rest.append(line[min(column, len(line) - len(line.lstrip(" "))) :].rstrip())
    return "\n".join([first, *rest]).strip()
