"""What git knows about a page, and the journal about all, as answers."""

from __future__ import annotations

from collections.abc import Iterator

from memwiki.answers.lists import ListAnswer
from memwiki.records import FrozenRecord, NamedTuple


class Version(NamedTuple):
    """A commit that touched a page."""

    rev: str
    date: str  # of the commit, with its own offset
    author: str
    subject: str
    path: str  # what the page was called then
    added: int | None  # lines; None where git takes the file for binary
    removed: int | None


class History(FrozenRecord):
    """The versions of a page, newest first; `complete` is false when there are older ones."""

    path: str
    versions: tuple[Version, ...]
    complete: bool = True

    def __iter__(self) -> Iterator[Version]:
        return iter(self.versions)


class PageAt(NamedTuple):
    """A page, or a part of it, as a commit has it."""

    path: str  # what the page was called then
    rev: str
    date: str
    title: str
    text: str
    line_start: int
    line_end: int


class LogEntry(NamedTuple):
    """What was done on a day; `path` and `line` say where it is noted, `by` who did it."""

    day: str
    op: str
    title: str
    notes: tuple[str, ...]
    path: str
    line: int
    by: str = ""


class LogList(ListAnswer[LogEntry]):
    entries: tuple[LogEntry, ...]  # newest first
    total: int
