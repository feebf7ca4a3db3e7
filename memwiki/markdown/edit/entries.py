"""Entries of a page as they are written: made, and changed by patches that leave all else alone."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping

from memwiki.markdown.entries import (
    DRAWER,
    FIELD,
    FIELD_LINE,
    TYPE,
    end_of_list,
    field_key,
    field_start,
    has_drawers,
)
from memwiki.markdown.mask import mask_inline
from memwiki.markdown.outline import Outline
from memwiki.markdown.source import Patch
from memwiki.markdown.syntax import ENTRY_ID, LIST_MARKER, end_of_paragraph, given_id
from memwiki.markdown.units import is_item
from memwiki.nouns import Entry
from memwiki.records import NamedTuple
from memwiki.text import line_starts, pattern

_MARKER = pattern(rf"[ \t]*{LIST_MARKER}[ \t]+")
_OPENS_BLOCK = pattern(r"[ \t]*(?:`{3}|~{3}|[|>#<]|$)")
_INDENT = "  "


class EntryText(NamedTuple):
    """An entry as it is to be written."""

    text: str
    type: str = ""  # written before the text; "" when heading or page say it
    fields: Mapping[str, str] = {}
    id: str = ""
    below: str = ""  # lines that follow, as they are: nested data


def item_of(entry: EntryText) -> str:
    """The list item that says this."""
    first, *rest = entry.text.split("\n")
    head = f"[{entry.type}] {first}" if entry.type else first
    marks = marks_of(entry.fields, entry.id)
    lines = ["- " + head]
    # A line that opens code or a table takes no marks: these follow below.
    if _OPENS_BLOCK.match(first):
        rest = [*rest, *marks]
    else:
        lines = [" ".join([*lines, *marks])]
    lines += [line and _INDENT + line for line in rest]
    lines += [_INDENT + line for line in entry.below.split("\n") if line]
    return "\n".join(lines)


def marks_of(fields: Mapping[str, str], id_: str) -> list[str]:
    """Fields and an id as they stand in a line; a field that only says that it is there is
    `true`."""
    return [f"[{key}:: {value}]" for key, value in fields.items()] + ([f"^{id_}"] if id_ else [])


class _MarkSpan(NamedTuple):
    """A field or id in the lines of an entry, as half-open offsets in them."""

    key: str
    start: int  # with the blanks before it
    value: int
    end: int  # of the value; the mark may have a bracket more
    stop: int


class EntrySpan:
    """The lines of one entry, and where its marks stand in them."""

    def __init__(self, page: Outline, entry: Entry) -> None:
        self.page, self.entry = page, entry
        self.first, self.stop = entry.line_start - 1, entry.line_end
        self.lines = page.lines[self.first : self.stop]
        self.text = "\n".join(self.lines)
        self._starts = line_starts(self.lines)
        self._masked = mask_inline(self.text)
        self.is_item = is_item(page, entry)
        marker = _MARKER.match(self.text) if self.is_item else None
        self._body = marker.end() if marker else 0
        kind = TYPE.match(self.text, self._body)
        self._words = kind.end() if kind else self._body
        self.marks = list(self._found_marks())

    def _found_marks(self) -> Iterator[_MarkSpan]:
        for match in FIELD.finditer(self._masked):
            start = field_start(self.text, match)
            yield _MarkSpan(field_key(match[1]), start, *match.span(2), match.end())
        for number, line in enumerate(self._masked.split("\n")[1:], 1):
            if pair := FIELD_LINE.match(line):
                start = self._starts[number]
                end = end_of_list(self.lines, number) if not pair[2] else number + 1
                stop = self._starts[end] - 1
                yield _MarkSpan(field_key(pair[1]), start - 1, start + pair.start(2), stop, stop)

    @property
    def _id(self) -> re.Match[str] | None:
        return ENTRY_ID.search(self._masked) if "^m-" in self._masked else None

    @property
    def _id_match(self) -> re.Match[str] | None:
        return given_id(self._masked) if self.is_item and "^" in self._masked else None

    @property
    def marker(self) -> str:
        """What stands before its words and its type, with the blanks around it."""
        return self.text[: self._body]

    def typed(self, type_: str) -> str:
        """The lines with a type written before the words."""
        return f"{self.marker}[{type_}] {self.text[self._words :]}"

    # --- patches ---

    def removed(self) -> list[Patch]:
        """Nothing is left of the entry, nor of the line end after it."""
        page = self.page
        if self.stop < len(page.lines):
            return [Patch(page.starts[self.first], page.starts[self.stop], "")]
        start = page.end_of(self.first - 1) if self.first else 0
        return [Patch(start, page.end_of(self.stop - 1), "")]

    def with_fields(self, changes: Mapping[str, str | None], id_: str = "") -> list[Patch]:
        """Fields get other values, or go for None; an id is added where there is none."""
        patches, missing = list[Patch](), dict[str, str]()
        for key, value in changes.items():
            marks = [mark for mark in self.marks if mark.key == key]
            if value is None:
                patches += [self._patch(mark.start, mark.stop, "") for mark in marks]
            elif marks:
                patches.append(self._patch(marks[0].value, marks[0].end, value))
                patches += [self._patch(mark.start, mark.stop, "") for mark in marks[1:]]
            else:
                missing[key] = value
        added = marks_of(missing, "" if self._id else id_)
        return [*patches, self._addition(added)] if added else patches

    def with_text(self, text: str) -> list[Patch]:
        """Other words; type, fields, ids and what is nested as data stay as they are written."""
        given = f" ^{self.entry.block}" if self.entry.block else ""
        end = end_of_paragraph(text)
        if given and "\n" in text[:end]:
            text, given = text[:end] + given + text[end:], ""
        first, *rest = text.split("\n")
        inline = [self.text[m.start : m.stop] for m in self.marks if not self._is_line(m)]
        found = self._id
        marks = [each.strip() for each in inline] + ([f"^{found[1]}"] if found else [])
        below = [self.text[m.start + 1 : m.stop] for m in self.marks if self._is_line(m)]
        if has_drawers(self.text):
            below += [drawer[0][1:] for drawer in DRAWER.finditer(self.text)]
        if _OPENS_BLOCK.match(first):
            rest, marks = [*rest, *marks], []
        indent = " " * self._body
        first = " ".join([first, *marks]) + given
        lines = [first, *(line and indent + line for line in rest), *below]
        return [self._patch(self._words, len(self.text), "\n".join(lines))]

    def struck(self) -> list[Patch]:
        """The words between `~~`; an entry of several lines keeps them, its fields say it."""
        start, end = self._words, self._end_of_words()
        words = self.text[start:end]
        if "\n" in self.entry.text or "~~" in words or not words.strip():
            return []
        return [self._patch(start, start, "~~"), self._patch(end, end, "~~")]

    def _end_of_words(self) -> int:
        """Where the words of the first line end and its marks begin."""
        ends = [self._starts[1] - 1, *(mark.start for mark in self.marks)]
        ends += [found.start() for found in (self._id, self._id_match) if found]
        return len(self.text[: min(ends)].rstrip())

    def _is_line(self, mark: _MarkSpan) -> bool:
        return self.text.startswith("\n", mark.start)

    def _addition(self, marks: list[str]) -> Patch:
        """Further marks: before the ids, at the end of the first line, or on a line of their
        own."""
        text = " ".join(marks)
        if found := self._id or self._id_match:
            at = found.start()
            blank = "" if at and self.text[at - 1] == "\n" else " "
            return self._patch(at, at, f"{blank}{text}{'' if blank else ' '}")
        if not self.is_item:
            return self._patch(len(self.text), len(self.text), f"\n\n{text}")
        words = self.lines[0][self._body :]
        if _OPENS_BLOCK.match(words) or words.endswith("\\"):
            at = len(self.text)
            return self._patch(at, at, "\n" + " " * self._body + text)
        at = len(self.lines[0].rstrip())
        return self._patch(at, at, f" {text}")

    def _patch(self, start: int, end: int, text: str) -> Patch:
        return Patch(self._offset(start), self._offset(end), text)

    def _offset(self, at: int) -> int:
        """Where an offset in these lines is in the file, whose lines may end otherwise."""
        line = min(bisect_right(self._starts, at), len(self.lines)) - 1
        return self.page.offset(self.first + line, at - self._starts[line])
