"""The lines of a page that an edit changed, and what is known of a long page after it without a
look at its other lines."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence

from memwiki.markdown.scanner import PLAIN_ITEM, Structure
from memwiki.markdown.source import Patch, Source
from memwiki.nouns import Span
from memwiki.records import NamedTuple

_FAR = "$`{<>"  # what may begin or end what goes on over many lines


class EditedLines(NamedTuple):
    """Lines `first` to `stop`, from 0 and half-open, and those that stand there now."""

    first: int
    stop: int
    lines: list[str]

    @property
    def grown(self) -> int:
        """How many lines more there are."""
        return len(self.lines) - (self.stop - self.first)


def edited_lines(before: Source, patches: Iterable[Patch], text: str) -> EditedLines | None:
    """The lines that patches change, of which `text` is made; None where lines may end in other
    ways than by a line feed, or are no text."""
    ends = [(each.start, each.end) for each in patches]
    if not ends or "\r" in before.text or "\r" in text or "\0" in text:
        return None
    starts = before.starts
    first = before.line_at(min(start for start, _ in ends))
    stop = min(before.line_at(max(end for _, end in ends)) + 1, len(before.lines))
    lines = text[starts[first] : starts[stop] + len(text) - len(before.text)].split("\n")
    if not lines[-1]:
        lines.pop()
    while lines and first < stop and lines[0] == before.lines[first]:
        del lines[0]
        first += 1
    while lines and first < stop and lines[-1] == before.lines[stop - 1]:
        del lines[-1]
        stop -= 1
    return EditedLines(first, stop, lines)


def starts_after(before: Source, edit: EditedLines, size: int) -> list[int]:
    """Where the lines begin after an edit that leaves a text of so many characters."""
    at = before.end_of(edit.first - 1) + 1 if edit.first else 0
    return [*_starts(before.starts, edit, at)[:-1], size]


def _starts(starts: Sequence[int], edit: EditedLines, at: int) -> list[int]:
    """The same of lines of which each has an end; the first that changed is `at` a place."""
    after = list(starts[: edit.first])
    for line in edit.lines:
        after.append(at)
        at += len(line) + 1
    rest, grown = starts[edit.stop :], at - starts[edit.stop]
    after += (start + grown for start in rest) if grown else rest
    return after


def are_plain_items(before: Source, structure: Structure, edit: EditedLines) -> bool:
    """Whether an edit puts items of one line in the place of such, right below another one, and
    nothing that begins or ends there reaches farther: all other lines read as they did."""
    first, stop, lines = edit
    above = max(first - 1, 0)
    old, items = before.lines[above:stop], structure.items
    at = bisect_left(items, (above, 0))
    each_own = [(line, line + 1) for line in range(above, stop)]
    if not first or list(items[at : at + len(old)]) != each_own or not structure.is_certain:
        return False
    below = before.lines[stop : stop + 1]
    is_ended = not below or not below[0] or PLAIN_ITEM(below[0])
    is_near = not any(sign in line for line in (*old, *lines) for sign in _FAR)
    # How many rows a table may have is told by the lines of the whole page.
    has_table = edit.grown and "|" in before.text
    return bool(is_ended and is_near and not has_table and all(map(PLAIN_ITEM, (*old, *lines))))


def structure_after(structure: Structure, edit: EditedLines) -> Structure:
    """The structure of a page after an edit of plain items."""
    if not edit.grown:
        return structure
    first, stop, lines = edit
    at = bisect_left(structure.items, (first, 0))
    new = [(line, line + 1) for line in range(first, first + len(lines))]
    below = structure.items[at + stop - first :]
    return Structure(
        tuple(
            each
            if each.line < first
            else each._replace(line=each.line + edit.grown, line_end=each.line_end + edit.grown)
            for each in structure.headings
        ),
        _moved(structure.code, edit),
        _moved(structure.html, edit),
        (*structure.items[:at], *new, *_moved(below, edit)),
    )


def _moved(places: Sequence[Span], edit: EditedLines) -> tuple[Span, ...]:
    """Lines that lie above an edit or below it, where they are now."""
    if not places or places[-1][0] < edit.first:
        return tuple(places)
    grown = edit.grown
    return tuple((a, b) if a < edit.first else (a + grown, b + grown) for a, b in places)


def is_shown(before: Source, masked: tuple[str, Sequence[int]], edit: EditedLines) -> bool:
    """Whether nothing is masked in the lines that an edit replaces and the one above it, as between
    the two ends of a comment."""
    (text, starts), above = masked, edit.first - 1
    return text[starts[above] : starts[edit.stop] - 1] == "\n".join(before.lines[above : edit.stop])


def masked_after(text: str, starts: Sequence[int], edit: EditedLines) -> tuple[str, list[int]]:
    """The masked text of a page, and where its lines begin, after an edit of plain items, in which
    nothing is masked."""
    above, below = text[: starts[edit.first] - 1], text[starts[edit.stop] - 1 :]
    new = "".join(f"\n{line}" for line in edit.lines)
    return f"{above}{new}{below}", _starts(starts, edit, starts[edit.first])
