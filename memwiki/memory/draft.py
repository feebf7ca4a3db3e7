"""What a person or program gives -> an entry as it is to be written."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from textwrap import indent
from typing import NamedTuple

from memwiki.entry_fields import FieldKind, stored_names
from memwiki.errors import UsageError
from memwiki.facts.relation_words import canonical, why_not_a_relation
from memwiki.markdown.edit.entries import EntryText
from memwiki.markdown.entries import read_marks
from memwiki.markdown.entry_marks import TASK
from memwiki.memory.concrete import concrete, moment
from memwiki.memory.judgement.fact import Fact, without_last_tags
from memwiki.memory.nested import as_field
from memwiki.memory.noise import why_noise
from memwiki.memory.request import AddRequest
from memwiki.names import fold, require_text
from memwiki.pages.text.names import checked_line
from memwiki.pages.text.written import as_items, checked

_MOMENTS = stored_names(FieldKind.MOMENT)
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

    @property
    def fact(self) -> Fact:
        """What it says, to be compared with what is known."""
        fields = self.fields
        entities = tuple(filter(None, map(str.strip, fields.get("entities", "").split(","))))
        return Fact(
            without_last_tags(self.text)[0],
            self.type,
            self.key,
            fields.get("subject", ""),
            fields.get("topic", ""),
            fields.get("object", ""),
            entities,
            fields.get("created", ""),
        )

    def written(self, id_: str, *, type_above: str) -> EntryText:
        """The entry with its id; its type is written where heading and page say another one."""
        type_ = self.type if self.type and self.type != type_above else ""
        return EntryText(self.text, type_, self.fields, id_, self.below)


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
    text = _plain(asked.text)
    if reason := why_noise(text):
        raise UsageError(f"text: {reason}", hint="nothing was written")
    marks = read_marks(text)
    if TASK.match(text) or not marks.text:
        what = "is a task, not a memory" if marks.text else "says nothing"
        raise UsageError(f"text: {what}", hint="memwiki add 'Prefers tea.'")
    words = concrete(marks.text, at)
    carried = {fold(tag) for tag in marks.tags}
    tags = [each for each in dict.fromkeys(map(spelled, asked.tags)) if fold(each) not in carried]
    first, *rest = words.split("\n")
    words = "\n".join([" ".join([first, *(f"#{tag}" for tag in tags)]), *rest])
    nested = {key: value for key, value in marks.fields.items() if "\n" in value}
    fields = {key: value for key, value in marks.fields.items() if key not in nested}
    given = ((name, value) for name, value in asked.fields.items() if value)
    fields |= {checked_key(name): field_value(name, value) for name, value in given}
    if is_dated:
        fields.setdefault(
            "created",
            asked.at.isoformat(timespec="seconds") if asked.at else now.date().isoformat(),
        )
    for name in _MOMENTS & fields.keys():
        fields[name] = moment(fields[name], at)
    below = "\n".join(f"- {key}::\n{indent(value, '  ')}" for key, value in nested.items())
    if asked.data is not None:
        if "data" in fields or "data" in nested:
            raise UsageError("data: is given twice", hint="leave out one of the two")
        below = "\n".join(filter(None, [below, as_field("data", asked.data)]))
    type_ = fold(asked.type or marks.type)
    return EntryDraft(words, type_, fields.get("key", ""), fields, below, asked)


def _plain(text: str) -> str:
    """A text without the marker that an item may begin with, and without blanks around it."""
    require_text("text", text)
    text = text.strip()
    text = next((text[len(each) :] for each in _BULLETS if text.startswith(each)), text)
    checked(as_items(text or " "))
    return "\n".join(line.rstrip() for line in text.split("\n")).strip()


def checked_key(name: str) -> str:
    """The name of a field as it is written; UsageError when it cannot be one."""
    marks = read_marks(f"x [{name}:: y]")
    if list(marks.fields.values()) != ["y"] or marks.text != "x":
        hint = "letters, digits, _ and -, the first one a letter"
        raise UsageError(f"{name}: cannot be the name of a field", hint=hint)
    return next(iter(marks.fields))


def relation_key(word: str) -> str:
    """The field in which an entry notes relations of a type; UsageError when it cannot be one."""
    if reason := why_not_a_relation(word):
        raise UsageError(f"relate: {reason}", hint="for example because, supports or refines")
    return checked_key(canonical(word))


def field_value(name: str, value: str) -> str:
    """A value as it stands in a line; UsageError when it would be read otherwise."""
    value = checked_line(name, value)
    if read_marks(f"x [{name}:: {value}]").fields.get(checked_key(name)) != value:
        hint = "leave out [, ] and ` there"
        raise UsageError(f"{name}: the value cannot be written in a line", hint=hint)
    return value


def words_of_text(text: str, clock_ns: int) -> str:
    """The words of an entry as they are written: times in words as dates, by a clock in
    nanoseconds since 1970; UsageError for a text that is no memory."""
    now = datetime.fromtimestamp(clock_ns / 1e9, tz=UTC).astimezone().replace(tzinfo=None)
    text = _plain(text)
    if reason := why_noise(text):
        raise UsageError(f"text: {reason}", hint="nothing was written")
    return concrete(text, now)
