"""Entries of the journal, as text."""

from __future__ import annotations

from collections.abc import Iterator

from memwiki.answers.journal import LogEntry, LogList
from memwiki.present.rows import Line, Row, rows_of
from memwiki.present.screen import Look, line
from memwiki.present.text import text_of


@text_of.register(LogList)
def _(answer: LogList, look: Look) -> str:
    return "\n".join(_entry(entry, look) for entry in answer.entries)


@text_of.register(LogEntry)
def _entry(entry: LogEntry, look: Look) -> str:
    head = f"{look.faint(entry.day)}  {line(entry.op) or '-'}  {look.strong(line(entry.title))}"
    notes = (f"by: {entry.by}", *entry.notes) if entry.by else entry.notes
    return "\n".join([head, *(f"    {line(note)}" for note in notes)])


@rows_of.register(LogList)
def _(answer: LogList) -> Iterator[Row]:
    for each in answer.entries:
        yield Line((each.day, each.op, each.title, *each.notes))
