"""Entries of the journal, as an answer."""

from __future__ import annotations

from typing import NamedTuple


class LogEntry(NamedTuple):
    """What was done on a day; `path` and `line` say where it is noted."""

    day: str
    op: str
    title: str
    notes: tuple[str, ...]
    path: str
    line: int


class LogList(NamedTuple):
    entries: tuple[LogEntry, ...]  # newest first
    total: int
