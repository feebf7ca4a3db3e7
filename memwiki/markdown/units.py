"""Pages cut into units of search: blocks of neighbouring sections, entries, messages; and the
entries of a page that is looked over: all of them, or the one on a line."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import accumulate, pairwise
from operator import add, attrgetter
from types import MappingProxyType
from typing import TypeAlias

from memwiki.dates import in_words
from memwiki.digest import part_digest, unit_digest
from memwiki.markdown.describe import is_type_alone
from memwiki.markdown.entries import ReadEntries, item_entry, read_entries, section_entries
from memwiki.markdown.outline import Outline, PageKind
from memwiki.markdown.stretches import HeldPage, KnownStretches, SameRun, line_ranges
from memwiki.markdown.structure import MAX_TITLE
from memwiki.markdown.syntax import item_at, without_blank_edges, written_end
from memwiki.nouns import Entry, Message, Section, Sections, Span, Stretch, Unit, UnitKind
from memwiki.records import NamedTuple
from memwiki.sequences import shared_ends
from memwiki.text import span_at

TARGET_WEIGHT = 1_500
MAX_LINE = 6_000
_SEPARATOR = "\x1f"


class BlockLines(NamedTuple):
    """Lines of a page that make one block; 1-based and inclusive."""

    line_start: int
    line_end: int
    text: str


_Piece: TypeAlias = tuple[int, int, int]  # lines, from 0 and half-open, and what they weigh


class UnitNames(NamedTuple):
    """The names under which a page is found: on every unit, and once a page."""

    title: str
    first: str
    session_date: str = ""


def make_units(
    lines: Sequence[str],
    start: int,
    naming: UnitNames,
    sections: Sections,
    *,
    entries: tuple[Entry, ...] = (),
    messages: tuple[Message, ...] = (),
    stretches: tuple[Stretch, ...] = (),
) -> tuple[Unit, ...]:
    """All units of a page in the order of their lines; at least one, so that names are found.

    The entries that a store holds stand in their stretches and get none.
    """
    parts: list[Entry | Message | BlockLines] = [*entries, *messages]
    taken = [(part.line_start, part.line_end) for part in parts]
    for stretch in stretches:
        taken += line_ranges(stretch)
    taken.sort()
    parts += _blocks(lines, start, sections, taken)
    parts.sort(key=lambda part: part.line_start)
    if not parts:
        parts = [BlockLines(1, max(start, 1), "")]
    once = f"{naming.title}\n{naming.first}"
    return tuple(
        unit
        for i, part in enumerate(parts)
        for unit in _units_of(part, naming, sections, once if i == 0 else "")
    )


def _units_of(
    part: Entry | Message | BlockLines,
    naming: UnitNames,
    sections: Sections,
    once: str,
) -> Iterator[Unit]:
    if isinstance(part, Entry):
        struck = {"status": "superseded"} if part.is_superseded else {}
        heading = part.section.rpartition(" > ")[2]
        yield _unit(
            UnitKind.ENTRY,
            part,
            names=(naming.title, "" if is_type_alone(heading) else heading, once),
            section=part.section,
            type_=part.type,
            id_=part.id,
            fields={**struck, **part.fields},
            tags=part.tags,
        )
    elif isinstance(part, Message):
        whole = _message_unit(part, naming, once)
        yield from _parts_of(whole, part, naming)
    else:
        at = bisect_right(sections, part.line_start, key=attrgetter("line_start"))
        section = " > ".join(sections[at - 1].trail) if at else ""
        yield _unit(UnitKind.BLOCK, part, names=(naming.title, once), section=section)


def _unit(
    kind: UnitKind,
    part: Entry | Message | BlockLines,
    *,
    names: Iterable[str],
    section: str = "",
    type_: str = "",
    id_: str = "",
    fields: Mapping[str, str] | None = None,
    tags: tuple[str, ...] = (),
) -> Unit:
    """The unit with the digest of everything in it that is searched."""
    fields = fields or {}
    name = "\n".join(dict.fromkeys(filter(None, "\n".join(names).split("\n"))))
    searched = [kind, name, part.text]
    if type_ or id_ or fields or tags:
        searched.append(repr((type_, id_, tags, sorted(fields.items()))))
    return Unit(
        kind=kind,
        text=part.text,
        names=name,
        section=section,
        line_start=part.line_start,
        line_end=part.line_end,
        digest=unit_digest(_SEPARATOR.join(searched)),
        type=type_,
        id=id_,
        fields=fields,
        tags=tags,
    )


def _message_unit(message: Message, naming: UnitNames, once: str) -> Unit:
    when = message.time or naming.session_date
    name = message.fields.get("name", "")
    who = " ".join(filter(None, (message.role, name, when, in_words(when))))
    return _unit(
        UnitKind.MESSAGE,
        message,
        names=(who, once),
        type_=message.role,
        id_=message.id,
        fields={**message.fields, "time": when} if when else message.fields,
    )


def _parts_of(whole: Unit, message: Message, naming: UnitNames) -> Iterator[Unit]:
    """A long message in parts, each with who said it and when; the first alone has its id."""
    lines = message.text.split("\n")
    above, parts = message.text_line - 1, list(cut_blocks(lines, 0, len(lines), []))
    if len(parts) < 2:
        yield whole
        return
    names = _message_unit(message, naming, "").names
    for i, part in enumerate(parts):
        start = whole.line_start if i == 0 else part.line_start + above
        stop = whole.line_end if part is parts[-1] else part.line_end + above
        yield whole._replace(
            kind=UnitKind.PART,
            text=part.text,
            names=names if i else whole.names,
            line_start=start,
            line_end=stop,
            digest=part_digest(whole.digest, f"{i}{_SEPARATOR}{part.text}"),
            id="" if i else whole.id,
        )


# --- blocks --------------------------------------------------------------------------------------


def _blocks(
    lines: Sequence[str],
    start: int,
    sections: Sections,
    taken: Sequence[Span],
) -> Iterator[BlockLines]:
    starts = [section.line_start for section in sections]
    for first, end in _gaps(start, len(lines), taken):
        if not (taken and _is_bare(lines, first, end, starts)):
            yield from cut_blocks(lines, first, end, starts)


def _gaps(start: int, end: int, taken: Iterable[Span]) -> Iterator[Span]:
    """The line ranges, 0-based and half-open, that no entry or message holds."""
    for first, last in taken:
        if first - 1 > start:
            yield start, first - 1
        start = max(start, last)
    if end > start:
        yield start, end


def _is_bare(lines: Sequence[str], first: int, end: int, starts: list[int]) -> bool:
    """Whether nothing but headings stands here; entries below carry those in their names."""
    at = bisect_right(starts, first)
    headings = set(starts[at : bisect_right(starts, end)])
    return not any(lines[i].strip() for i in range(first, end) if i + 1 not in headings)


def cut_blocks(
    lines: Sequence[str], first: int, end: int, starts: list[int]
) -> Iterator[BlockLines]:
    """Neighbouring sections joined up to the target, longer ones cut at blank lines, then lines."""
    bounds = [first, *(s - 1 for s in starts if first < s - 1 < end), end]
    for line, line_end, _ in _join(_Splitter(lines, first, end).by_bounds(bounds)):
        yield from _cut(lines, line, line_end)


class _Splitter:
    """Splits some lines of a page into pieces of at most the target's weight.

    Lines weigh their characters, CJK twice: a CJK character is three bytes, so the mean of both
    lengths does it.
    """

    def __init__(self, lines: Sequence[str], first: int, end: int) -> None:
        self._lines, self._first = lines, first
        some = lines[first:end]
        sizes = map(len, some)
        if "".join(some).isascii():
            twice = map((2).__mul__, sizes)
        else:
            twice = map(add, sizes, (len(line.encode("utf-8", "replace")) for line in some))
        self._above = list(accumulate(twice, initial=0))  # twice what the lines above a line weigh

    def by_bounds(self, bounds: Iterable[int]) -> Iterator[_Piece]:
        """The ranges between the bounds; what is too long is split further and rejoined."""
        return self._pieces(bounds, self._by_paragraph)

    def _by_paragraph(self, first: int, end: int) -> Iterator[_Piece]:
        lines, inner = self._lines, range(first + 1, end)
        bounds = [i for i in inner if lines[i].strip() and not lines[i - 1].strip()]
        return self._pieces([first, *bounds, end], self._by_line)

    def _by_line(self, first: int, end: int) -> Iterator[_Piece]:
        return self._pieces(range(first, end + 1), None)

    def _pieces(
        self, bounds: Iterable[int], further: Callable[[int, int], Iterator[_Piece]] | None
    ) -> Iterator[_Piece]:
        above, start = self._above, self._first
        for line, end in pairwise(bounds):
            weight = (above[end - start] - above[line - start]) // 2 + end - line - 1
            if weight > TARGET_WEIGHT and further:
                yield from _join(further(line, end))
            else:
                yield line, end, weight


def _join(pieces: Iterable[_Piece]) -> Iterator[_Piece]:
    """Neighbours together while they fit."""
    line, line_end, weight = 0, 0, TARGET_WEIGHT + 1  # nothing fits behind none
    for first, end, more in pieces:
        if weight + more <= TARGET_WEIGHT:
            line_end, weight = end, weight + more
            continue
        if line_end:
            yield line, line_end, weight
        line, line_end, weight = first, end, more
    if line_end:
        yield line, line_end, weight


def _cut(lines: Sequence[str], start: int, end: int) -> Iterator[BlockLines]:
    """The block without blank lines at its edges; a single enormous line goes in parts."""
    start, end = without_blank_edges(lines, start, end)
    if end - start == 1:
        line = lines[start]
        for at in range(0, len(line), MAX_LINE):
            yield BlockLines(end, end, line[at : at + MAX_LINE])
    elif start < end:
        yield BlockLines(start + 1, end, "\n".join(lines[start:end]))


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
