"""Sessions, as answers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from memwiki.answers.edits import Edited
from memwiki.answers.lists import ListAnswer
from memwiki.records import FrozenRecord


class MessageView(NamedTuple):
    """One message, and where it stands."""

    id: str  # "" of one that was written by hand without
    role: str
    name: str
    time: str
    text: str
    path: str
    line_start: int
    line_end: int


class SessionView(FrozenRecord):
    """A session with the messages that are in it."""

    id: str
    path: str
    started: str
    ended: str
    participants: tuple[str, ...]
    summary: str
    messages: tuple[MessageView, ...]

    def __iter__(self) -> Iterator[MessageView]:
        return iter(self.messages)


class AddedMessage(NamedTuple):
    """A message that was added, and what the person should know."""

    message: MessageView
    daily: str = ""  # the id of the entry that was added to today's page
    notes: tuple[str, ...] = ()


class SessionRow(NamedTuple):
    """One session of a list."""

    id: str
    path: str
    title: str
    started: str
    updated: str


class SessionList(ListAnswer[SessionRow]):
    """Sessions, the last changed first."""

    sessions: tuple[SessionRow, ...]
    total: int
    fresh: bool = True


class ImportedSession(NamedTuple):
    """What became of one conversation."""

    id: str
    path: str
    added: int
    known: int  # messages that were there already


class SessionImport(NamedTuple):
    """What an import added."""

    sessions: tuple[ImportedSession, ...]
    edited: Edited
