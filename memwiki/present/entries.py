"""Entities, as rows."""

from __future__ import annotations

from memwiki.answers.entries import (
    EntityCandidates,
    EntityList,
    EntryHistory,
    EntryList,
    EntryView,
    SimilarEntries,
)
from memwiki.numbers import counted
from memwiki.present.rows import (
    AsideCell,
    Cell,
    CellTable,
    Line,
    NameCell,
    PassageForm,
    Place,
    PlaceCell,
    Rows,
    StoredPassage,
    rows_of,
)

_APART = ("importance", "status")  # also when no field says them


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


def entry_row(
    entry: EntryView, outcome: str = "", label: str = "", depth: int = 0
) -> StoredPassage:
    """An entry with what is known of it; with a `label` on one line, after what became of it."""
    location = f"{entry.path}:{entry.line_start}"
    facts = {
        "date": (entry.updated or entry.created)[:10],
        "origin": entry.origin,
        "id": entry.id,
        "key": entry.key,
        "type": entry.type,
        "status": _status(entry),
        "outcome": outcome,
    }
    name = NameCell(entry.id or location)
    head: tuple[Cell, ...] = (label, name) if label else name, "" if label else entry.type
    return StoredPassage(
        "entry",
        Place(entry.path, entry.line_start, entry.line_end),
        entry.text,
        facts=facts,
        head=(*head, PlaceCell(location)),
        tags=entry.tags,
        form=PassageForm.BRIEF if label else PassageForm.WHOLE,
        depth=depth,
    )


def _status(entry: EntryView) -> str:
    return "" if entry.status == "active" else entry.status


@rows_of.register
def _(answer: EntryView) -> Rows:
    row = entry_row(answer)
    yield row._replace(facts={**row.facts, "section": answer.section})
    facts = [f"importance {answer.importance:g}"]
    facts += [f"{name} {value}" for name, value in answer.fields.items() if name not in _APART]
    if answer.recalls:
        facts.append(f"{counted(answer.recalls, 'recall')}, the last {answer.last_recalled}")
    yield Line((AsideCell(" · ".join(filter(None, [*facts, _status(answer)]))),))


@rows_of.register
def _(answer: EntryList) -> Rows:
    yield CellTable([_cells(each) for each in answer.entries], whole=(0,))


@rows_of.register
def _(answer: SimilarEntries) -> Rows:
    cells = [(f"{each.similarity:.2f}", *_cells(each.entry)) for each in answer.entries]
    yield CellTable(cells, whole=(0, 1))


def _cells(entry: EntryView) -> tuple[str, ...]:
    status = f"({entry.status}) " if _status(entry) else ""
    return entry.name, entry.type, f"{status}{entry.text}"


@rows_of.register
def _(answer: EntryHistory) -> Rows:
    yield from rows_of(answer.entry)
    yield from (entry_row(each, label="took the place of") for each in answer.superseded)
    yield from (entry_row(each, label="superseded by") for each in answer.superseded_by)
    for each in answer.versions:
        yield Line((AsideCell(each.date[:10]), AsideCell(each.rev[:10]), each.text))
