"""Entities, as rows."""

from __future__ import annotations

from memwiki.answers.entities import EntityCandidates, EntityList
from memwiki.numbers import counted
from memwiki.present.rows import CellTable, Rows, rows_of


@rows_of.register
def _(answer: EntityList) -> Rows:
    cells = [
        (
            counted(each.entries, "entry", "entries"),
            each.name,
            each.path,
            each.type,
            " ".join(f"#{tag}" for tag in each.tags),
        )
        for each in answer.entities
    ]
    yield CellTable(cells, whole=(1,), paths=(2,))


@rows_of.register
def _(answer: EntityCandidates) -> Rows:
    cells = [
        (f"{each.similarity:.2f}", each.verdict, each.entity.name, each.other.name)
        for each in answer.pairs
    ]
    yield CellTable(cells, whole=(2, 3))
