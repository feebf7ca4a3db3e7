"""Times in words, "yesterday" or 上周五, rewritten into dates: words go stale, dates do not."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import datetime
from itertools import accumulate
from typing import TypeAlias

from memwiki.entry_fields import FieldKind, stored_names
from memwiki.markdown.entry_marks import FIELD, FIELD_LINE
from memwiki.markdown.links import find_links
from memwiki.markdown.mask import mask_inline
from memwiki.markdown.scanner import scan
from memwiki.markdown.tags import find_tags
from memwiki.names import fold
from memwiki.patterns import pattern
from memwiki.times.chinese import chinese_times
from memwiki.times.english import english_times
from memwiki.times.periods import FoundTime, Period, written

Span: TypeAlias = tuple[int, int]

_MOMENTS = stored_names(FieldKind.MOMENT)
# What somebody said, and titles, stay as they are; so do addresses.
_KEPT = pattern(
    r"\"[^\"\n]*\"|“[^“”\n]*”|「[^「」\n]*」|『[^『』\n]*』|《[^《》\n]*》"
    r"|://[^\s<>，。；！？）》」、]*"
)
_HIDDEN = "\0"
_MARKER_SIGNS = " \t>*+-.)0123456789"
_MAX_MARKER_CHARS = 50


def with_dates(text: str, now: datetime) -> str:
    """The text with times in words as dates; code, links, tags, quotes and other fields stay."""
    masked = _without_code(text)
    fields = list(_fields(masked)) if "::" in masked else []
    edits = list(_edits(text, _hidden(masked, [span for _, span, _ in fields]), now))
    for name, _, (start, end) in fields:
        if name in _MOMENTS:
            edits.append((start, end, moment(text[start:end], now)))
    return _edited(text, sorted(edits))


def moment(value: str, now: datetime) -> str:
    """The value of a field that says when: a date where all of it is a time in words."""
    masked = _hidden(_without_code(value))
    for found in _times(masked, now):
        if not (masked[: found.start].strip() or masked[found.end :].strip()):
            return _edited(value, [(found.start, found.end, _date(found.period))])
    return _edited(value, list(_edits(value, masked, now)))


def _date(period: Period) -> str:
    # A week has no date of its own: it begins on its Monday.
    is_week = period.unit in ("week", "weekend")
    return written(period._replace(unit="day") if is_week else period, {})


def _times(masked: str, now: datetime) -> list[FoundTime]:
    chinese = list(chinese_times(masked, now))
    rest = _without(masked, [(found.start, found.end) for found in chinese])
    return sorted([*chinese, *english_times(rest, now)], key=lambda found: found.start)


def _edits(text: str, masked: str, now: datetime) -> Iterator[tuple[int, int, str]]:
    for found in _times(masked, now):
        if not _would_be_a_marker(text, found):
            yield found.start, found.end, written(found.period, found.forms)


def _would_be_a_marker(text: str, found: FoundTime) -> bool:
    """Whether a year would begin a numbered list: `Last year. Then ...` at the start of a line."""
    if found.period.unit != "year" or text[found.end : found.end + 1] not in (".", ")"):
        return False
    least = max(0, found.start - _MAX_MARKER_CHARS)
    before = text[max(least, text.rfind("\n", least, found.start) + 1) : found.start]
    return not before.strip(_MARKER_SIGNS)


def _edited(text: str, edits: list[tuple[int, int, str]]) -> str:
    """The text with each range replaced, a blank between a date and the letters beside it."""
    parts, done = list[str](), 0
    for start, end, new in edits:
        if start == end or new == text[start:end]:
            continue
        kept, last = text[done:start], text[start - 1 : start]
        parts += [kept, " "] if kept and last.isalnum() and new[0].isdigit() else [kept]
        is_joined = text[end : end + 1].isalnum() and new[-1].isdigit()
        parts += [new, " "] if is_joined else [new]
        done = end
    return "".join([*parts, text[done:]])


# --- what is no prose ---


def _without_code(text: str) -> str:
    lines = text.split("\n")
    for first, end in scan(lines).code:
        lines[first:end] = [" " * len(line) for line in lines[first:end]]
    masked = mask_inline("\n".join(lines))
    if masked == text:
        return text
    # A blank would join what stands on both sides of it.
    return "".join(a if a == b else _HIDDEN for a, b in zip(text, masked, strict=True))


def _fields(masked: str) -> Iterator[tuple[str, Span, Span]]:
    """Each `key:: value` of a text: its name, where it is, and where its value is."""
    for match in FIELD.finditer(masked):
        yield _name(match[1]), match.span(), match.span(2)
    lines = masked.split("\n")
    starts = accumulate((len(line) + 1 for line in lines), initial=0)
    for line, start in zip(lines, starts, strict=False):
        if pair := FIELD_LINE.match(line):
            first, end = pair.span(2)
            yield _name(pair[1]), (start, start + end), (start + first, start + end)


def _name(key: str) -> str:
    return fold(key.strip()).replace(" ", "_")


def _hidden(masked: str, fields: Sequence[Span] = ()) -> str:
    starts = [0, *(match.end() for match in re.finditer("\n", masked))]
    links = find_links(masked, starts).spans
    tags = [(at, at + 1 + len(name)) for name, at in find_tags(masked, links)]
    kept = [match.span() for match in _KEPT.finditer(masked)]
    return _without(masked, [*fields, *links, *tags, *kept])


def _without(text: str, spans: Sequence[Span]) -> str:
    parts, done = list[str](), 0
    for start, end in sorted(spans):
        if end > done:
            parts += [text[done:start], _HIDDEN * (end - max(start, done))]
            done = end
    return "".join([*parts, text[done:]])
