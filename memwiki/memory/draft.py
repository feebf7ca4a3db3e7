"""An entry that is to be added: what is asked for, checked, and as it is to be written, with dates
in the place of times in words: words go stale, dates do not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime, time
from textwrap import indent
from typing import Any, TypeVar, cast

from memwiki.clock import local_moment
from memwiki.dates import iso_date
from memwiki.entry_fields import (
    DATED,
    MODEL,
    PERSONS,
    FieldKind,
    OnNear,
    field_text,
    given_fields,
    stored_names,
)
from memwiki.errors import ArgumentError, MemwikiError, UsageError
from memwiki.facts.relation_words import canonical, why_not_a_relation
from memwiki.markdown.edit.entries import EntryText
from memwiki.markdown.entries import FIELD, FIELD_LINE, TASK, field_key, read_marks
from memwiki.markdown.links import find_links
from memwiki.markdown.mask import Masked, mask_inline, without_fences
from memwiki.markdown.scanner import scan
from memwiki.markdown.tags import find_tags
from memwiki.memory.view import as_field
from memwiki.names import fold, require_text
from memwiki.nouns import Json, Span
from memwiki.pages.edit import as_items, clean_text
from memwiki.pages.page import checked_line
from memwiki.records import NamedTuple
from memwiki.text import line_starts, pattern
from memwiki.times.chinese import chinese_times
from memwiki.times.english import english_times, may_say_times
from memwiki.times.periods import FoundTime, Period, write_period
from memwiki.times.standing import Standing, Writing, date_beside

_MOMENTS = stored_names(FieldKind.MOMENT) | DATED
# What somebody said, and titles, stay as they are; so do addresses.
_KEPT = pattern(
    r"\"[^\"\n]*\"|“[^“”\n]*”|「[^「」\n]*」|『[^『』\n]*』|《[^《》\n]*》"
    r"|://[^\s<>，。；！？）》」、]*"
)
_UNSTRUCK = pattern(r"[~^\n]|\A[`|><#]")  # what would be read otherwise, or its fields alone say it
_HIDDEN = "\0"
_MARKER_SIGNS = " \t>*+-.)0123456789"
_MAX_MARKER_CHARS = 50


def with_dates(text: str, now: datetime) -> str:
    """The text with times in words as dates; code, links, tags, quotes and other fields stay."""
    if not may_say_times(text):
        return text
    masked = _without_code(text)
    fields = list(_fields(masked)) if "::" in masked else []
    edits = list(_edits(text, _hidden(masked, [span for _, span, _ in fields]), now))
    for name, _, (start, end) in fields:
        if name in _MOMENTS:
            edits.append((start, end, moment(text[start:end], now)))
    return _edited(text, sorted(edits))


def moment(value: str, now: datetime) -> str:
    """The value of a field that says when: a date where all of it is a time in words."""
    if not may_say_times(value):
        return value
    masked = _hidden(_without_code(value))
    for found in _times(masked, now):
        if not (masked[: found.start].strip() or masked[found.end :].strip()):
            return _edited(value, [(found.start, found.end, _date(found.period))])
    return _edited(value, list(_edits(value, masked, now)))


def date_of(name: str, value: str, now: datetime) -> str:
    """The same of the field of this name; UsageError where that takes dates alone."""
    when = moment(value, now)
    if name in DATED and not iso_date(when):
        raise UsageError(f"{name}: {value} is not a date or time", "for example 2026-09-01")
    return when


def _date(period: Period) -> str:
    # A week has no date of its own: it begins on its Monday.
    is_week = period.unit in ("week", "weekend")
    return write_period(period._replace(unit="day") if is_week else period, {})


def _times(masked: str, now: datetime) -> list[FoundTime]:
    chinese = list(chinese_times(masked, now))
    rest = _without(masked, [(found.start, found.end) for found in chinese])
    return sorted([*chinese, *english_times(rest, now)], key=lambda found: found.start)


def _edits(text: str, masked: str, now: datetime) -> Iterator[tuple[int, int, str]]:
    standing = Standing(masked, now.date())
    for found in _times(masked, now):
        writing = standing.writing(found)
        if writing is Writing.BESIDE:
            yield date_beside(text, found)
        elif writing is Writing.INSTEAD and not _would_be_a_marker(text, found):
            yield found.start, found.end, write_period(found.period, found.forms)


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
        if new == text[start:end]:
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
        yield field_key(match[1]), match.span(), match.span(2)
    lines = masked.split("\n")
    for line, start in zip(lines, line_starts(lines), strict=False):
        if pair := FIELD_LINE.match(line):
            first, end = pair.span(2)
            yield field_key(pair[1]), (start, start + end), (start + first, start + end)


def _hidden(masked: str, fields: Sequence[Span] = ()) -> str:
    links = find_links(Masked(masked, line_starts(masked.split("\n")))).spans
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


_DAY = len("2026-09-01")
TARGETS = ("memory", "learnings", "daily", "inbox")


def on_near_of(given: str) -> OnNear:
    """What is asked for by this word; UsageError for any other."""
    try:
        return OnNear(given)
    except ValueError:
        known = f"not one of {', '.join(OnNear)}"
        raise ArgumentError("on_near", given, known, "for example {on_near:merge}") from None


_Asked = TypeVar("_Asked")
_Made = TypeVar("_Made")


class AddRequest(NamedTuple):
    """One entry to be added; "" and None where nothing is said."""

    text: str
    type: str = ""
    tags: tuple[str, ...] = ()
    to: str = ""  # memory, learnings, daily, inbox, or a page
    at: datetime | None = None
    is_staged: bool = False
    fields: Mapping[str, str] = {}  # by their names in files, in the order of the table
    data: Json = None


class AddOptions(NamedTuple):
    """What holds for all entries of one call."""

    on_near: OnNear = OnNear.REPORT
    is_key_new: bool = False
    is_judged: bool = True  # whether near ones and conflicts are looked for
    may_supersede: bool = True  # an entry that a new one plainly ends
    is_reviewed: bool = False  # what agents end is reviewed before
    by_agent: bool = False  # whatever the entries say

    def may_end(self, draft: EntryDraft) -> bool:
        """Whether a draft replaces, or supersedes where it plainly ends it, what is there with no
        review: what a model says never does."""
        origin = draft.fields.get("origin", "")
        is_agents = self.by_agent or origin not in PERSONS
        is_free = origin != MODEL and not (self.is_reviewed and is_agents)
        return self.may_supersede and is_free


_TYPES: Mapping[FieldKind, type | tuple[type, ...]] = {
    FieldKind.TEXT: str,
    FieldKind.SHARE: (int, float),
    FieldKind.FLAG: bool,
}
_NOTHING: Mapping[FieldKind, tuple[str, ...] | Mapping[str, str]] = {
    FieldKind.TEXTS: (),
    FieldKind.PAIRS: {},
}


def each_told(make: Callable[[_Asked], _Made], asked: Sequence[_Asked]) -> Iterator[_Made]:
    """What is made of each memory of a call; the error of one of many says which it is."""
    for number, each in enumerate(asked, 1):
        try:
            yield make(each)
        except MemwikiError as error:
            if len(asked) > 1:
                error.put_within(f"memory {number} of {len(asked)}")
            raise


def given_names() -> tuple[str, ...]:
    """What may be said of an entry that is added."""
    return ("text", *(row.name for row in given_fields()))


def request_of(given: Mapping[str, object]) -> AddRequest:
    """The request that a mapping says, under the names of `add`; UsageError for what it cannot
    be."""
    names = given_names()
    if strange := [name for name in given if name not in names]:
        raise UsageError(
            f"add: {strange[0]} is nothing that an entry has", f"known: {', '.join(names)}"
        )
    text = _of_kind("text", FieldKind.TEXT, given.get("text")) or ""
    values: dict[str, Any] = {
        row.name: _of_kind(row.name, row.kind, given.get(row.name)) for row in given_fields()
    }
    fields = {
        row.stored: field_text(row, values[row.name]) for row in given_fields() if row.is_written
    }
    return AddRequest(
        cast("str", text),
        values["type"] or "",
        values["tags"],
        values["to"] or "",
        values["at"],
        bool(values["staged"]),
        {**fields, **values["attributes"]},
        values["data"],
    )


def _of_kind(name: str, kind: FieldKind, value: object) -> object:
    """A value that is of its kind; UsageError for any other."""
    if value is None:
        return _NOTHING.get(kind)
    match kind:
        case FieldKind.TEXTS:
            return _texts(name, value or ())
        case FieldKind.PAIRS:
            return _attributes(value or {})
        case FieldKind.MOMENT:
            return _moment(name, value)
        case FieldKind.NESTED:
            return value
    is_bool = isinstance(value, bool) and kind is not FieldKind.FLAG
    if is_bool or not isinstance(value, _TYPES[kind]):
        raise UsageError(f"{name}: is not {kind}", f"give {kind}, or leave {name} out")
    return value


def _texts(name: str, value: object) -> tuple[str, ...]:
    found = [value] if isinstance(value, str) else value
    if not isinstance(found, list | tuple) or not all(isinstance(each, str) for each in found):
        raise UsageError(f"{name}: is not a list of texts", f'for example {name}: ["a", "b"]')
    return tuple(found)


def _attributes(value: object) -> Mapping[str, str]:
    if not isinstance(value, Mapping):
        raise UsageError("attributes: is not a mapping", 'for example {"place": "Hamburg"}')
    return {str(name): str(each) for name, each in value.items()}


def _moment(name: str, value: object) -> datetime:
    if isinstance(value, datetime):
        return value
    written = iso_date(value) if isinstance(value, str) else ""
    try:
        moment = datetime.fromisoformat(written) if len(written) >= _DAY else None
    except ValueError:
        moment = None
    if moment is None:
        raise ArgumentError(
            name, str(value), "not a date or time", f"for example {{{name}:2026-09-01T10:00}}"
        )
    return moment.astimezone().replace(tzinfo=None) if moment.tzinfo else moment


_PROGRAM_LINES = ("[cron:", "[heartbeat", "[distilled_", "[memory context]")
# What a prompt made of memories consists of: its head, its marks, and its lines, which end with
# where a memory stands.
_ECHO = pattern(
    r"# USER MEMORY\s*\Z|No (?:lasting )?memory is stored yet\.\s*\Z|\s*</?stored-memory>"
    r"|\s*(?:[-*+]\s+)?(?:\d{4}[\d-]*|undated) \|(?: .*)? \| [^|]+#L\d+-L\d+\s*\Z"
)
_BEFORE_TEXT = pattern(r"[\s>*+\-\ufeff\u200b-\u200f]*")
_ENTRY_MARKS = pattern(r"\A[\s>*+\-]*\[[^\W\d][\w-]*\](?!\()|(?<!\S)\^m-[A-Za-z0-9]+(?=\s*\Z)")
_MARKUP = pattern(r"[>*+\-#~_=`|\[^:]")
_NO_TEXT = pattern(r"[\s\x00-\x1f\x7f-\x9f\u00ad\u200b-\u200f\u2060-\u206f\ufeff>*+\-#~_=`|:]*\Z")


def why_noise(text: str) -> str:
    """Why a text is no memory; "" when it can be one."""
    for number, line in enumerate(without_fences(text).split("\n"), 1):
        if _ECHO.match(line):
            return "it repeats what a recall gave out"
        start = _BEFORE_TEXT.match(line)
        folded = fold(line[start.end() if start else 0 :][:40])
        if found := next(filter(folded.startswith, _PROGRAM_LINES), ""):
            where = f"line {number}" if number > 1 else "it"
            return f"{where} begins with {found}: a program wrote it, not a person"
    without_marks = _ENTRY_MARKS.sub("", FIELD.sub("", text))
    if not _NO_TEXT.match(without_marks):
        return ""
    return "the text is only markup" if _MARKUP.search(text) else "the text is empty"


_BULLETS = ("- ", "* ", "+ ")


class EntryDraft(NamedTuple):
    """An entry that is to be written: without id, and not yet at its place."""

    text: str
    type: str  # "" when nobody said it
    key: str
    fields: dict[str, str]
    below: str  # nested data, as the lines of a list
    asked: AddRequest

    @property
    def tags(self) -> tuple[str, ...]:
        """The tags in its text."""
        return read_marks(self.text).tags

    def written(self, id_: str, *, type_above: str) -> EntryText:
        """The entry with its id, struck out where it is over already; its type is written where
        heading and page say another one."""
        type_ = self.type if self.type and self.type != type_above else ""
        is_struck = "superseded_by" in self.fields and not _UNSTRUCK.search(self.text)
        text = f"~~{self.text}~~" if is_struck else self.text
        return EntryText(text, type_, self.fields, id_, self.below)


def draft_of(
    asked: AddRequest,
    now: datetime,
    spelled: Callable[[str], str],
    *,
    is_dated: bool,
) -> EntryDraft:
    """The entry that is asked for; UsageError when it is none.

    Marks in the text count as if they were asked for apart. `spelled` gives a tag as it is
    written; `is_dated` says that the entry's place does not tell its day.
    """
    at = asked.at or now
    text = _memory_text(asked.text)
    marks = read_marks(text)
    if TASK.match(text) or not marks.text:
        what = "is a task, not a memory" if marks.text else "says nothing"
        raise UsageError(f"text: {what}", "memwiki add 'Prefers tea.'")
    words = _with_tags(with_dates(marks.text, at), map(spelled, asked.tags), marks.tags)
    nested = {key: value for key, value in marks.fields.items() if "\n" in value}
    fields = {key: value for key, value in marks.fields.items() if key not in nested}
    given = ((name, value) for name, value in asked.fields.items() if value)
    fields |= {checked_key(name): field_value(name, value) for name, value in given}
    if is_dated:
        has_hour = asked.at is not None and asked.at.time() != time.min
        created = at.isoformat(timespec="seconds") if has_hour else at.date().isoformat()
        fields.setdefault("created", created)
    for name in _MOMENTS & fields.keys():
        fields[name] = date_of(name, fields[name], at)
    below = [f"- {key}::\n{indent(value, '  ')}" for key, value in nested.items()]
    if asked.data is not None:
        if "data" in fields or "data" in nested:
            raise UsageError("data: is given twice", "leave out one of the two")
        below.append(as_field("data", asked.data))
    type_, nested_text = _checked_type(asked.type or marks.type), "\n".join(filter(None, below))
    return EntryDraft(words, type_, fields.get("key", ""), fields, nested_text, asked)


def _memory_text(text: str) -> str:
    """A text without the marker that an item may begin with, and without blanks around it;
    UsageError when it is no memory."""
    require_text("text", text)
    text = text.strip()
    text = next((text[len(each) :] for each in _BULLETS if text.startswith(each)), text)
    clean_text(as_items(text or " "))
    text = "\n".join(line.rstrip() for line in text.split("\n")).strip()
    if reason := why_noise(text):
        raise UsageError(f"text: {reason}", "nothing was written")
    return text


def _with_tags(text: str, tags: Iterable[str], known: Iterable[str]) -> str:
    """A text with those tags behind its first line that it has not."""
    has = {fold(tag) for tag in known}
    first, *rest = text.split("\n")
    new = (f"#{tag}" for tag in dict.fromkeys(tags) if fold(tag) not in has)
    return "\n".join([" ".join([first, *new]), *rest])


def _checked_type(written: str) -> str:
    """A type as it is written before a text; ArgumentError when it cannot be."""
    type_ = fold(written)
    if type_ and read_marks(f"[{type_}] x").type != type_:
        what = "a type is letters, digits, _ and -, a letter first"
        raise ArgumentError("type", type_, what, "for example {type:fact}")
    return type_


def checked_key(name: str) -> str:
    """The name of a field as it is written; UsageError when it cannot be one."""
    marks = read_marks(f"x [{name}:: y]")
    if list(marks.fields.values()) != ["y"] or marks.text != "x":
        raise UsageError(
            f"{name}: cannot be the name of a field",
            "letters, digits, _ and -, the first one a letter",
        )
    return next(iter(marks.fields))


def relation_key(word: str) -> str:
    """The field in which an entry notes relations of a type; UsageError when it cannot be one."""
    if reason := why_not_a_relation(word):
        raise UsageError(f"relate: {reason}", "for example because, supports or refines")
    return checked_key(canonical(word))


def field_value(name: str, value: str) -> str:
    """A value as it stands in a line; UsageError when it would be read otherwise."""
    value = checked_line(name, value)
    if read_marks(f"x [{name}:: {value}]").fields.get(checked_key(name)) != value:
        raise UsageError(
            f"{name}: the value cannot be written in a line", "leave out [, ] and ` there"
        )
    return value


def words_of_text(text: str, clock_ns: int) -> str:
    """The words of an entry as they are written: times in words as dates, by a clock in
    nanoseconds since 1970; UsageError for a text that is no memory."""
    return with_dates(_memory_text(text), local_moment(clock_ns))
