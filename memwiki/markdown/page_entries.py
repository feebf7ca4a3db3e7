"""The entries of a page that is looked over: all of them, or the one on a line."""

from __future__ import annotations

from bisect import bisect_right
from types import MappingProxyType

from memwiki.markdown.entries import ReadEntries, read_entries
from memwiki.markdown.outline import Outline
from memwiki.markdown.stretches import Held
from memwiki.model import Entry

_DEFAULT_TYPES = {"learning": "lesson", "daily": "event"}


def entries_of(page: Outline, title: str = "", held: Held = MappingProxyType({})) -> ReadEntries:
    """All entries of a page; of stretches that a store holds, none."""
    return read_entries(
        page.lines, page.start, page.structure, page.sections, default_type(page), title, held
    )


def default_type(page: Outline) -> str:
    """What an entry is when neither it nor a heading says so."""
    return _DEFAULT_TYPES.get(page.type_by_place(), "fact")


def entry_at(page: Outline, line: int) -> Entry | None:
    """The entry that has a line (from 1), None where there is none; of items only its own is
    read."""
    structure = page.structure
    if lines := item_lines(page, line):
        structure = structure._replace(items=(lines,))
    read = read_entries(page.lines, page.start, structure, page.sections, default_type(page))
    return next((e for e in read.entries if e.line_start <= line <= e.line_end), None)


def is_item(page: Outline, entry: Entry) -> bool:
    """Whether an entry is a list item, and not a heading with the prose below it."""
    at = _item_before(page, entry.line_start)
    return at >= 0 and page.structure.items[at][0] == entry.line_start - 1


def item_lines(page: Outline, line: int) -> tuple[int, int] | None:
    """The lines, from 0 and half-open, of the top-level item that has a line (from 1)."""
    at = _item_before(page, line)
    return page.structure.items[at] if at >= 0 and line <= page.structure.items[at][1] else None


def _item_before(page: Outline, line: int) -> int:
    """The place of the last item that begins on a line or above it, -1 where there is none."""
    return bisect_right(page.structure.items, (line - 1, len(page.lines))) - 1
