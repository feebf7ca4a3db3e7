"""Entries of the journal, as an answer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from memwiki.answers.packed import ListAnswer


class LogEntry(NamedTuple):
    """What was done on a day; `path` and `line` say where it is noted, `by` who did it."""

    day: str
    op: str
    title: str
    notes: tuple[str, ...]
    path: str
    line: int
    by: str = ""


@dataclass(frozen=True, slots=True)
class LogList(ListAnswer[LogEntry]):
    entries: tuple[LogEntry, ...]  # newest first
    total: int
