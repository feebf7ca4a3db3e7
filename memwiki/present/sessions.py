"""Sessions, as rows."""

from __future__ import annotations

from memwiki.answers.sessions import (
    AddedMessage,
    MessageView,
    SessionImport,
    SessionList,
    SessionView,
)
from memwiki.present.edits import diff_row
from memwiki.present.rows import (
    AsideCell,
    CellTable,
    Line,
    NameCell,
    PathCell,
    Place,
    PlaceCell,
    Row,
    Rows,
    StoredPassage,
    rows_of,
)
from memwiki.present.terminal import name


@rows_of.register
def _(answer: SessionView) -> Rows:
    yield from map(message_row, answer.messages)
    if answer.summary:
        facts = {"role": "summary"}
        yield StoredPassage(
            "summary", Place(), answer.summary, facts=facts, head=(NameCell("Summary"),)
        )


def message_row(message: MessageView) -> Row:
    """A message of a conversation."""
    place = Place(message.path, message.line_start, message.line_end)
    facts = {"date": message.time, "role": message.role, "id": message.id}
    head = (NameCell(message.name or message.role), AsideCell(f"{message.time} {message.id}"))
    return StoredPassage("message", place, message.text, facts=facts, head=head)


@rows_of.register
def _(answer: AddedMessage) -> Rows:
    message = answer.message
    location = PlaceCell(f"{message.path}:{message.line_start}")
    yield Line((("added", NameCell(message.id)), location))
    if answer.daily:
        yield Line((("added", NameCell(answer.daily), "to today's page"),))


@rows_of.register
def _(answer: SessionList) -> Rows:
    cells = [(each.id, each.started, name(each.title)) for each in answer.sessions]
    yield CellTable(cells, whole=(0,), paths=(0,))


@rows_of.register
def _(answer: SessionImport) -> Rows:
    if answer.edited.dry_run:
        yield diff_row(answer.edited)
        return
    for each in answer.sessions:
        yield Line(((PathCell(f"{each.id}:"), f"{each.added} added, {each.known} known"),))
    yield Line((NameCell(answer.edited.title),))
