"""The entries of a page that is looked over: all of them, or the one on a line."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from operator import attrgetter
from types import MappingProxyType

from memwiki.markdown.entries import ReadEntries, item_entry, read_entries, section_entries
from memwiki.markdown.outline import Outline, PageKind
from memwiki.markdown.stretches import HeldPage, KnownStretches, SameRun
from memwiki.markdown.structure import MAX_TITLE
from memwiki.markdown.syntax import item_at, written_end
from memwiki.names import shared_ends
from memwiki.nouns import Entry, Section, Span
from memwiki.records import NamedTuple
from memwiki.text import span_at


def entries_of(
    page: Outline,
    title: str = "",
    known: KnownStretches = MappingProxyType({}),
    before: HeldPage | None = None,
) -> ReadEntries:
    """All entries of a page; of stretches that a store holds, none. What it was `before` lets
    those be found without a look at their lines."""
    same = _same_runs(page, title, before) if before else {}
    return read_entries(page.entry_reading, page.structure, title, known, same)


def _same_runs(page: Outline, title: str, before: HeldPage) -> Mapping[int, SameRun]:
    """The stretches whose lines stand above all that differs, or below it."""
    old = before.page or page
    was, now = old.entry_reading, page.entry_reading
    context = old.title[:MAX_TITLE], was.default_type, was.defined
    if context != (title, now.default_type, now.defined):
        return {}
    head, tail = shared_ends(old.lines, page.lines)
    stop, grown = len(old.lines) - tail, len(page.lines) - len(old.lines)
    same = dict[int, SameRun]()
    for first, count, digest in before.runs:
        if first + count <= head or first >= stop:
            section = section_at(old, first + 1)
            at = first if first + count <= head else first + grown
            same[at] = SameRun(digest, count, section.trail if section else ())
    return same


def entry_at(page: Outline, line: int) -> Entry | None:
    """The entry that has a line (from 1), None where there is none; no other is read."""
    lines, section = item_lines(page, line), section_at(page, line)
    whole = whole_section_at(page, line)
    if whole:
        found = list(section_entries([whole], page.entry_reading))
    elif lines:
        found = item_entry(item_at(page.lines, *lines), section, page.entry_reading)
    else:
        return None
    return next((each for each in found if each.line_start <= line <= each.line_end), None)


def is_item(page: Outline, entry: Entry) -> bool:
    """Whether an entry is a list item, and not a heading with the prose below it."""
    return whole_section_at(page, entry.line_start) is None


def item_lines(page: Outline, line: int) -> Span | None:
    """The lines, from 0 and half-open, of the top-level item that has a line (from 1)."""
    return span_at(page.structure.items, line - 1)


def lines_of_entry(page: Outline, line: int) -> Span | None:
    """The lines, from 0 and half-open, of the item or the section that may be an entry."""
    whole = whole_section_at(page, line)
    return (whole.line_start - 1, whole.line_end) if whole else item_lines(page, line)


def section_at(page: Outline, line: int) -> Section | None:
    """The innermost section that has a line (from 1), of those that no item holds."""
    sections = page.entry_reading.sections
    at = bisect_right(sections, line, key=attrgetter("line_start")) - 1
    return sections[at] if at >= 0 else None


def whole_section_at(page: Outline, line: int) -> Section | None:
    """The section that has a line (from 1), when it is an entry itself."""
    whole = page.entry_reading.whole
    at = bisect_right(whole, line, key=attrgetter("line_start")) - 1
    return whole[at] if at >= 0 and line <= whole[at].line_end else None


class EntryPlaces(NamedTuple):
    """What entries outside of some lines are read by: the same, and they read the same."""

    items: Sequence[Span]
    whole: Sequence[Span]  # sections that are entries
    defined: frozenset[str]
    kind: PageKind

    def is_left_by(self, before: EntryPlaces, start: int) -> bool:
        """Whether these are the places `before`, after lines at `start` went.

        What is left of their section may have become an entry; not one that takes others in.
        """
        gained = set(self.whole).difference(before.whole)
        was = self._replace(whole=[each for each in self.whole if each not in gained])
        is_prose = all(each[0] < start and not self._has_item(each) for each in gained)
        return was == before and is_prose

    def _has_item(self, section: Span) -> bool:
        at = bisect_left(self.items, section)
        return at < len(self.items) and self.items[at][0] < section[1]


def places_outside(page: Outline, start: int, stop: int, stop_after: int) -> EntryPlaces:
    """Where entries outside of some lines (from 0, half-open) are when these end elsewhere."""
    reading, grown = page.entry_reading, stop_after - stop
    whole = [(each.line_start - 1, each.line_end) for each in reading.whole]
    items, kind = _outside(page, page.structure.items, start, stop, grown), page.kind
    return EntryPlaces(
        items,
        _outside(page, whole, start, stop, grown),
        reading.defined,
        kind if items else PageKind.COLLECTING,
    )


def _outside(
    page: Outline, places: Sequence[Span], start: int, stop: int, grown: int
) -> list[Span]:
    above = list(places[: bisect_left(places, (start, 0))])
    # The last two: one of them may be what is left of the section of the lines.
    above[-2:] = [(first, written_end(page.lines, first, end)) for first, end in above[-2:]]
    below = places[bisect_left(places, (max(start, stop), 0)) :]
    return [*above, *([(a + grown, b + grown) for a, b in below] if grown else below)]
