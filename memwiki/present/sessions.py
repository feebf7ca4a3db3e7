"""Sessions, as text."""

from __future__ import annotations

from collections.abc import Iterator

from memwiki.answers.sessions import (
    AddedMessage,
    MessageView,
    SessionImport,
    SessionList,
    SessionView,
)
from memwiki.present.rows import Line, Passage, Place, Row, Words, notes_of, rows_of
from memwiki.present.screen import Look, as_path, clean, line, name
from memwiki.present.text import table, text_of


@text_of.register(SessionView)
def _(answer: SessionView, look: Look) -> str:
    parts = [_message(each, look) for each in answer.messages]
    if answer.summary:
        parts.append(f"{look.strong('Summary')}\n{clean(answer.summary)}")
    return "\n\n".join(parts)


def _message(message: MessageView, look: Look) -> str:
    who = look.strong(line(message.name or message.role))
    head = f"{who}  {look.faint(line(f'{message.time} {message.id}'))}"
    return f"{head}\n{clean(message.text)}".rstrip("\n")


@text_of.register(AddedMessage)
def _(answer: AddedMessage, look: Look) -> str:
    message = answer.message
    location = as_path(f"{message.path}:{message.line_start}")
    added = f"added {look.strong(message.id)}  {look.faint(location)}"
    return f"{added}\nadded {look.strong(answer.daily)} to today's page" if answer.daily else added


@text_of.register(SessionList)
def _(answer: SessionList, look: Look) -> str:
    rows = ((each.id, each.started, name(each.title)) for each in answer.sessions)
    return table(rows, look, whole=[0], paths=[0])


@text_of.register(SessionImport)
def _(answer: SessionImport, look: Look) -> str:
    if answer.edited.dry_run:
        return clean(answer.edited.diff).removesuffix("\n")
    rows = [
        f"{as_path(each.id)}: {each.added} added, {each.known} known" for each in answer.sessions
    ]
    return "\n".join([*rows, look.strong(line(answer.edited.title))])


@rows_of.register(SessionList)
def _(answer: SessionList) -> Iterator[Row]:
    for each in answer.sessions:
        yield Line((each.id, each.path, each.started))


@rows_of.register(SessionView)
def _(answer: SessionView) -> Iterator[Row]:
    return map(message_row, answer.messages)


def message_row(message: MessageView) -> Row:
    """A message of a conversation."""
    place = Place(message.path, message.line_start, message.line_end)
    facts = {"date": message.time, "role": message.role, "id": message.id}
    return Passage("message", place, message.text, facts=facts)


@rows_of.register(AddedMessage)
def _(answer: AddedMessage) -> Iterator[Row]:
    yield Words(f"added {answer.message.id}")
    yield message_row(answer.message)
    yield from notes_of(answer.notes)
