"""Rows of an answer as a model reads them: fenced, as many as fit a budget, and how to read on."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from memwiki.answers.pages import Edited
from memwiki.fence import CLOSING, inside, one_line, opening
from memwiki.present.rows import (
    BarChart,
    Cell,
    CellTable,
    FoundProblem,
    Line,
    LinkEdge,
    Place,
    Quote,
    Row,
    StoredPassage,
    TextCell,
    TitleRow,
    Words,
)
from memwiki.text import tokens

PLAIN = opening()  # of lists, whose lines say themselves where they are from
_FRAME = 60  # tokens for the counts of the first line, and for the last
_MIN_ROOM_TOKENS = 40
_MAX_REASON_CHARS = 100
_MAX_TITLE_CHARS = 200


class AnswerPart(NamedTuple):
    """Lines of an answer; stored text has the opening line of its `fence`, our own words none."""

    text: str
    fence: str = ""
    is_item: bool = False  # one of those that are counted


class IndexState(NamedTuple):
    """Whether the index knows the files as they are."""

    is_fresh: bool = True
    pending: int | None = None
    reason: str = ""

    def __str__(self) -> str:
        reason = one_line(self.reason)[:_MAX_REASON_CHARS]
        if self.is_fresh:
            return f"memwiki: fresh ({reason})" if reason else "memwiki: fresh"
        reason = reason or "the index is behind the files"
        pending = "unknown" if self.pending is None else f"{self.pending:,}"
        return f"memwiki: not fresh: {reason}, {pending} pending"


def freshness_of(answer: object) -> IndexState:
    """What an answer says of the index; of a change, what its edits say."""
    about = getattr(answer, "edited", answer)
    is_fresh, pending = getattr(about, "fresh", None), getattr(about, "pending", None)
    if is_fresh is None:
        return IndexState()
    usual = "not indexed yet" if isinstance(about, Edited) and not is_fresh else ""
    return IndexState(is_fresh, pending, getattr(about, "reason", usual))


class AnswerParts(NamedTuple):
    """What an answer is made of; `total` is None where nothing is counted."""

    parts: Sequence[AnswerPart]
    freshness: IndexState = IndexState()
    total: int | None = None
    offset: int = 0
    has_offset: bool = False  # whether the tool takes one
    is_exact: bool = True  # whether there are no more than `total`
    note: str = ""  # for the end of the first line


def parts_of(row: Row | AnswerPart) -> Iterator[AnswerPart]:
    """A row as parts: what is stored, or names it, is fenced, only our own words are not."""
    match row:
        case Words(text):
            yield AnswerPart(one_line(text))
        case TitleRow(text):
            yield AnswerPart(one_line(f"## {text}"))
        case Line(cells, notes, _, is_item):
            yield _line_part((*cells, *notes), is_item=is_item)
        case CellTable() | BarChart():
            yield from (_line_part(cells) for cells in row.cells)
        case LinkEdge(place, relation, target, status):
            arrow = f"-{relation or 'links'}->"
            yield _line_part((place.path, arrow, target, f"({place.line}, {status})"))
        case FoundProblem(problem):
            where = f"{problem.path}:{problem.line}"
            yield _line_part((f"{where}: {problem.message} [{problem.code}]",))
        case StoredPassage(_, place, text, title, facts):
            tags = " ".join(f"#{tag}" for tag in row.tags)
            lines = filter(None, [_cell(title), inside(text), _cell(tags)])
            yield AnswerPart("\n".join(lines), _mark(place, facts), is_item=bool(place.path))
        case Quote(text, place, facts, head):
            for each in head:
                yield from parts_of(each)
            yield AnswerPart(inside(text), _mark(place, facts))
        case _:
            yield row


def _line_part(cells: Iterable[Cell], *, is_item: bool = True) -> AnswerPart:
    texts = (" ".join(each) if isinstance(each, tuple) else each for each in cells)
    return AnswerPart("  ".join(map(_cell, filter(None, texts))), PLAIN, is_item)


def _cell(text: str) -> str:
    """A cell on one line, and but for a text not longer than anybody reads."""
    if isinstance(text, TextCell):
        return one_line(text)
    return one_line(text[: 2 * _MAX_TITLE_CHARS])[:_MAX_TITLE_CHARS]


def _mark(place: Place, facts: Mapping[str, str]) -> str:
    lines = f"{place.line}-{place.last}" if place.line else ""
    return opening(path=place.path, lines=lines, **{k: _cell(v) for k, v in facts.items()})


class PackedParts(NamedTuple):
    text: str
    taken: int  # items that are in it
    is_cut: bool
    is_partial: bool  # whether the last of them is not there to its end


def compose_answer(listing: AnswerParts, budget: int) -> str:
    """The answer as a model reads it, never over the budget."""
    taken = _FRAME + tokens(str(listing.freshness)) + tokens(listing.note)
    packed = pack(listing.parts, budget - taken)
    return "\n".join(
        filter(None, [_first(listing, packed), packed.text, _last(listing, packed, budget)])
    )


def _first(listing: AnswerParts, packed: PackedParts) -> str:
    said = [str(listing.freshness)]
    if listing.total is not None:
        more = "" if listing.is_exact else "at least "
        said.append(f"{packed.taken} of {more}{listing.total:,}")
    if listing.has_offset and _left_count(listing, packed) > 0:
        said.append(f"next offset {listing.offset + packed.taken}")
    return " · ".join(filter(None, [*said, listing.note]))


def _last(listing: AnswerParts, packed: PackedParts, budget: int) -> str:
    if not packed.is_cut:
        return ""
    said = f"cut at {budget:,} tokens"
    if packed.is_partial:
        said += ", within this one: read it for the rest"
    if listing.total is None:
        return said
    on = f"offset={listing.offset + packed.taken}" if listing.has_offset else "ask for fewer"
    return f"{said}: {max(_left_count(listing, packed), 0):,} more; {on}"


def _left_count(listing: AnswerParts, packed: PackedParts) -> int:
    return (listing.total or 0) - listing.offset - packed.taken


def pack(parts: Iterable[AnswerPart], room: int) -> PackedParts:
    """The first parts that fit; of one that alone does not fit, its beginning."""
    lines, fence, taken = list[str](), "", 0
    is_cut = is_partial = False
    for part in parts:
        frame = _frame(part.fence) if part.fence != fence else 0
        left = room - frame
        text = part.text
        if tokens(f"{text}\n") > left:
            is_cut = True
            if taken or left < _MIN_ROOM_TOKENS:
                break
            text, is_partial = beginning(text, left - 1), True
        fence = _into(lines, fence, part.fence)
        lines.append(text)
        room -= frame + tokens(f"{text}\n")
        taken += part.is_item
        if is_cut:
            break
    _into(lines, fence, "")
    return PackedParts("\n".join(lines), taken, is_cut, is_partial)


def _into(lines: list[str], fence: str, wanted: str) -> str:
    """Close one fence and open another, where they differ."""
    if fence != wanted:
        if fence:
            lines.append(CLOSING)
        if wanted:
            lines.append(wanted)
    return wanted


def _frame(fence: str) -> int:
    return tokens(f"{fence}\n") + tokens(f"{CLOSING}\n") if fence else 0


def beginning(text: str, room: int) -> str:
    """As much of a text as fits, cut at the end of a line, and in a long line at a character."""
    most = text[: max(4 * room, 0)]
    if tokens(most) <= room:
        return most
    size = bisect_left(range(len(most)), True, key=lambda n: tokens(most[: n + 1]) > room)
    end = most.rfind("\n", size // 2, size)
    return most[: end if end > 0 else size]
