"""Entries, as text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from memwiki.answers.entries import (
    AddReport,
    EntryHistory,
    EntryList,
    EntryView,
    SimilarEntries,
)
from memwiki.numbers import counted
from memwiki.present.rows import Line, Passage, Place, Row, notes_of, rows_of
from memwiki.present.screen import Look, as_path, clean, line
from memwiki.present.text import table, text_of

_TOLD = ("importance", "status")  # apart, also when no field says them


@text_of.register(AddReport)
def _(answer: AddReport, look: Look) -> str:
    if answer.edited.dry_run:
        return clean(answer.edited.diff).removesuffix("\n")
    return "\n".join(_told(answer, look))


def _told(answer: AddReport, look: Look) -> Iterator[str]:
    for what, entries in (
        ("added", answer.added),
        ("replaced", answer.replaced),
        ("known already", answer.repeated),
        ("superseded", answer.superseded),
    ):
        yield from (f"{what} {_named(each, look)}" for each in entries)
    for near in answer.near:
        yield f"  near ({near.similarity:.2f}): {_named(near.entry, look)}"
    for conflict in answer.conflicts:
        reasons = ", ".join(conflict.reasons)
        yield f"  may contradict ({reasons}): {_named(conflict.entry, look)}"


def _named(entry: EntryView, look: Look) -> str:
    location = as_path(f"{entry.path}:{entry.line_start}")
    return f"{look.strong(entry.id or location)}  {look.faint(location)}  {line(entry.text)}"


@text_of.register(EntryView)
def _(answer: EntryView, look: Look) -> str:
    location = as_path(f"{answer.path}:{answer.line_start}")
    head = [look.strong(answer.id or location), answer.type, look.faint(location)]
    facts = [f"importance {answer.importance:g}"]
    facts += [f"{name} {line(value)}" for name, value in answer.fields.items() if name not in _TOLD]
    if answer.recalls:
        facts.append(f"{counted(answer.recalls, 'recall')}, the last {answer.last_recalled}")
    facts += [line(answer.status)] if answer.status != "active" else []
    return "\n".join(["  ".join(head), clean(answer.text), look.faint(" · ".join(facts))])


@text_of.register(EntryList)
def _(answer: EntryList, look: Look) -> str:
    return _table(answer.entries, look)


@text_of.register(SimilarEntries)
def _(answer: SimilarEntries, look: Look) -> str:
    rows = ((f"{each.similarity:.2f}", *_cells(each.entry)) for each in answer.entries)
    return table(rows, look, whole=[0, 1])


@text_of.register(EntryHistory)
def _(answer: EntryHistory, look: Look) -> str:
    parts = [text_of(answer.entry, look)]
    for title, entries in (
        ("took the place of", answer.superseded),
        ("superseded by", answer.superseded_by),
    ):
        parts += [f"{title} {_named(each, look)}" for each in entries]
    parts += [
        f"{look.faint(each.date[:10])}  {look.faint(each.rev[:10])}  {line(each.text)}"
        for each in answer.versions
    ]
    return "\n".join(parts)


def _table(entries: Iterable[EntryView], look: Look) -> str:
    return table(map(_cells, entries), look, whole=[0])


def _cells(entry: EntryView) -> tuple[str, ...]:
    name = entry.id or f"{entry.path}:{entry.line_start}"
    status = "" if entry.status == "active" else f"({entry.status}) "
    return name, entry.type, f"{status}{entry.text}"


@rows_of.register(AddReport)
def _(answer: AddReport) -> Iterator[Row]:
    for outcome, entries in (
        ("added", answer.added),
        ("replaced", answer.replaced),
        ("repeated: known already, not written again", answer.repeated),
        ("superseded: holds no longer", answer.superseded),
    ):
        yield from (entry_row(each, outcome) for each in entries)
    for near in answer.near:
        yield entry_row(near.entry, f"near: {near.similarity:.2f}")
    for conflict in answer.conflicts:
        reasons = ", ".join(conflict.reasons)
        yield entry_row(conflict.entry, f"conflict with {conflict.added}: {reasons}")
    yield from notes_of(answer.edited.notes)


def entry_row(entry: EntryView, outcome: str = "") -> Row:
    """An entry with what is known of it, and what became of it."""
    facts = {
        "date": (entry.updated or entry.created)[:10],
        "origin": entry.origin,
        "id": entry.id,
        "key": entry.key,
        "type": entry.type,
        "status": "" if entry.status == "active" else entry.status,
        "outcome": outcome,
    }
    tags = " ".join(f"#{tag}" for tag in entry.tags)
    place = Place(entry.path, entry.line_start, entry.line_end)
    return Passage("entry", place, entry.text, facts=facts, notes=(tags,) if tags else ())


@rows_of.register(EntryView)
def _(answer: EntryView) -> Iterator[Row]:
    yield entry_row(answer)
    yield Line((f"importance {answer.importance:g}",), is_item=False)
    yield Line((f"section {answer.section}",), is_item=False)
