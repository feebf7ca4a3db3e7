"""What git knows about a page, and the journal about all, as rows."""

from __future__ import annotations

from memwiki.answers.history import History, LogEntry, LogList, PageAt
from memwiki.present.rows import (
    AsideCell,
    BriefCell,
    CellTable,
    Line,
    NameCell,
    Place,
    Quote,
    Rows,
    rows_of,
)

_SHORT_REV = 10


@rows_of.register
def _(answer: History) -> Rows:
    is_renamed = len({answer.path, *(each.path for each in answer.versions)}) > 1
    cells = [
        (
            each.rev[:_SHORT_REV],
            each.date[:16].replace("T", " "),
            "binary" if each.added is None else f"+{each.added} -{each.removed}",
            *([each.path] if is_renamed else []),
            BriefCell(each.author),
            each.subject,
        )
        for each in answer.versions
    ]
    yield CellTable(cells, whole=(0, 1, 2, 3) if is_renamed else (0, 1, 2), paths=(3,) * is_renamed)


@rows_of.register
def _(answer: PageAt) -> Rows:
    place = Place(answer.path, answer.line_start, answer.line_end)
    yield Quote(answer.text, place, {"date": answer.date, "rev": answer.rev[:_SHORT_REV]})


@rows_of.register
def _(answer: LogList) -> Rows:
    for entry in answer.entries:
        yield from rows_of(entry)


@rows_of.register
def _(entry: LogEntry) -> Rows:
    cells = (AsideCell(entry.day), entry.op or "-", NameCell(entry.title))
    notes = (f"by: {entry.by}", *entry.notes) if entry.by else entry.notes
    yield Line(cells, notes, is_item=True)
