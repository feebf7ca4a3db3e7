"""Entries of the journal, as an answer."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple


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
class LogList:
    entries: tuple[LogEntry, ...]  # newest first
    total: int

    def __iter__(self) -> Iterator[LogEntry]:
        return iter(self.entries)
