"""Pages cut into units of search: blocks of neighbouring sections, entries, messages."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TypeAlias

from memwiki.markdown.text import digest_of
from memwiki.model import Entry, Message, Section, Unit, UnitKind

TARGET_WEIGHT = 1_500
MAX_LINE = 6_000
_Cutter: TypeAlias = Callable[[Sequence[str], int, int], Iterator["Cut"]]
_SEPARATOR = "\x1f"


@dataclass(frozen=True, slots=True)
class Cut:
    """Lines of a page that make one block; 0-based and half-open."""

    line: int
    line_end: int
    text: str


@dataclass(frozen=True, slots=True)
class Naming:
    """The names under which a page is found: on every unit, and once a page."""

    title: str
    first: str
    session_date: str = ""


def make_units(
    lines: Sequence[str],
    start: int,
    naming: Naming,
    sections: tuple[Section, ...],
    *,
    entries: tuple[Entry, ...] = (),
    messages: tuple[Message, ...] = (),
) -> tuple[Unit, ...]:
    """All units of a page in the order of their lines; at least one, so that names are found."""
    units = [_entry_unit(entry, naming) for entry in entries]
    units += [_message_unit(message, naming) for message in messages]
    units += _block_units(lines, start, naming, sections, units)
    units.sort(key=lambda unit: unit.line_start)
    if not units:
        units = [_block_unit(Cut(0, max(start, 1), ""), naming.title, "")]
    names = dict.fromkeys((*units[0].names.split("\n"), naming.title, naming.first))
    units[0] = replace(units[0], names="\n".join(filter(None, names)))
    return tuple(map(_signed, units))


def _signed(unit: Unit) -> Unit:
    """The unit with the digest of everything in it that is searched."""
    searched = [unit.kind, unit.names, unit.text]
    if unit.type or unit.id or unit.fields or unit.tags:
        pairs = (f"{key}={value}" for key, value in sorted(unit.fields.items()))
        searched += [unit.type, unit.id, *unit.tags, *pairs]
    data = _SEPARATOR.join(searched).encode("utf-8", "surrogatepass")
    return replace(unit, digest=digest_of(data))


def _entry_unit(entry: Entry, naming: Naming) -> Unit:
    heading = entry.section.rpartition(" > ")[2]
    return Unit(
        kind=UnitKind.ENTRY,
        text=entry.text,
        names="\n".join(dict.fromkeys(filter(None, (naming.title, heading)))),
        section=entry.section,
        line_start=entry.line_start,
        line_end=entry.line_end,
        digest="",
        type=entry.type,
        id=entry.id,
        fields=entry.fields,
        tags=entry.tags,
    )


def _message_unit(message: Message, naming: Naming) -> Unit:
    who = message.fields.get("name", "")
    when = message.time or naming.session_date
    return Unit(
        kind=UnitKind.MESSAGE,
        text=message.text,
        names=" ".join(filter(None, (message.role, who, when))),
        section="",
        line_start=message.line_start,
        line_end=message.line_end,
        digest="",
        type=message.role,
        id=message.id,
        fields=message.fields,
    )


def _block_unit(cut: Cut, title: str, section: str) -> Unit:
    line, end = cut.line + 1, cut.line_end
    return Unit(UnitKind.BLOCK, cut.text, title, section, line, end, digest="")


# --- blocks --------------------------------------------------------------------------------------


def _block_units(
    lines: Sequence[str],
    start: int,
    naming: Naming,
    sections: tuple[Section, ...],
    taken: list[Unit],
) -> list[Unit]:
    starts = [section.line_start for section in sections]
    units = []
    for first, end in _gaps(start, len(lines), taken):
        if taken and _is_bare(lines, first, end, starts):
            continue
        for cut in cut_blocks(lines, first, end, starts):
            at = bisect_right(starts, cut.line + 1) - 1
            section = " > ".join(sections[at].trail) if at >= 0 else ""
            units.append(_block_unit(cut, naming.title, section))
    return units


def _gaps(start: int, end: int, taken: Iterable[Unit]) -> Iterator[tuple[int, int]]:
    """The line ranges that no entry or message holds."""
    for unit in sorted(taken, key=lambda unit: unit.line_start):
        if unit.line_start - 1 > start:
            yield start, unit.line_start - 1
        start = max(start, unit.line_end)
    if end > start:
        yield start, end


def _is_bare(lines: Sequence[str], first: int, end: int, starts: list[int]) -> bool:
    """Whether nothing but headings stands here; entries below carry those in their names."""
    at = bisect_right(starts, first)
    headings = set(starts[at : bisect_right(starts, end)])
    return not any(lines[i].strip() for i in range(first, end) if i + 1 not in headings)


def cut_blocks(lines: Sequence[str], first: int, end: int, starts: list[int]) -> Iterator[Cut]:
    """Neighbouring sections joined up to the target, longer ones cut at blank lines, then lines."""
    bounds = [first, *(s - 1 for s in starts if first < s - 1 < end), end]
    yield from _pack(lines, pairwise(bounds), _cut_section)


def _weigh(text: str) -> int:
    """Characters, CJK twice: a CJK character is three bytes, so the mean of both lengths does it."""
    return len(text) if text.isascii() else (len(text) + len(text.encode("utf-8", "replace"))) // 2


def _pack(
    lines: Sequence[str], pieces: Iterable[tuple[int, int]], cut_further: _Cutter
) -> Iterator[Cut]:
    """Join pieces while they fit; what is too long alone is cut further."""
    held_start, held_end, held = -1, -1, 0
    for start, end in pieces:
        weight = _weigh("\n".join(lines[start:end]))
        if held_start >= 0 and held + weight > TARGET_WEIGHT:
            yield from _cut(lines, held_start, held_end)
            held_start, held = -1, 0
        if weight > TARGET_WEIGHT:
            yield from cut_further(lines, start, end)
            continue
        if held_start < 0:
            held_start = start
        held_end, held = end, held + weight
    if held_start >= 0:
        yield from _cut(lines, held_start, held_end)


def _cut_section(lines: Sequence[str], start: int, end: int) -> Iterator[Cut]:
    bounds = [start]
    bounds += [i for i in range(start + 1, end) if lines[i].strip() and not lines[i - 1].strip()]
    bounds.append(end)
    yield from _pack(lines, pairwise(bounds), _cut_paragraph)


def _cut_paragraph(lines: Sequence[str], start: int, end: int) -> Iterator[Cut]:
    yield from _pack(lines, [(i, i + 1) for i in range(start, end)], _cut_line)


def _cut_line(lines: Sequence[str], start: int, end: int) -> Iterator[Cut]:
    line = lines[start]
    for at in range(0, len(line), MAX_LINE):
        yield Cut(start, end, line[at : at + MAX_LINE])


def _cut(lines: Sequence[str], start: int, end: int) -> Iterator[Cut]:
    """The block without blank lines at its edges; nothing when it is all blank."""
    while start < end and not lines[start].strip():
        start += 1
    while end > start and not lines[end - 1].strip():
        end -= 1
    if start < end:
        yield Cut(start, end, "\n".join(lines[start:end]))
