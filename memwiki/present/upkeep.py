"""Upkeep as rows: one for each step, and what the last run did."""

from __future__ import annotations

from memwiki.answers.upkeep import ArchiveList, CompressionGroups, UpkeepReport
from memwiki.numbers import counted
from memwiki.present.edits import diff_row
from memwiki.present.rows import (
    AsideCell,
    CellTable,
    Line,
    NameCell,
    PathCell,
    Rows,
    rows_of,
)


@rows_of.register
def _(answer: UpkeepReport) -> Rows:
    if answer.edited.dry_run:
        yield diff_row(answer.edited)
        return
    yield from step_rows(answer)
    yield Line((NameCell(answer.edited.title),))


def step_rows(answer: UpkeepReport) -> Rows:
    """What becomes of each entry, and how many of each collection leave."""
    for step in answer.steps:
        at = f"{step.path}:{step.line}" if step.line else step.path
        where = at if step.to in ("", step.path) else f"{at} -> {step.to}"
        cells = (step.verb, PathCell(where), step.text, AsideCell(f"({step.reason})"))
        yield Line(cells, is_item=True)
    for each in answer.collections:
        held = counted(each.held, "entry", "entries")
        yield Line((f"{each.collection}: {each.left} of {held}",))


@rows_of.register
def _(answer: CompressionGroups) -> Rows:
    for group in answer.groups:
        count = counted(len(group.entries), "entry", "entries")
        yield Line((NameCell(f"{group.type}: {count}"),))
        yield from (Line((PathCell(each.name), each.text), depth=1) for each in group.entries)


@rows_of.register
def _(answer: ArchiveList) -> Rows:
    cells = [
        (item.id or item.path, item.type, item.retired, item.was, item.text)
        for item in answer.items
    ]
    yield CellTable(cells, whole=(0,))
