"""Memories, as rows: entries and entities, how they are used; sessions."""

from __future__ import annotations

from collections.abc import Iterator

from memwiki.answers.entries import (
    AddedMessage,
    ArchiveList,
    CompressionGroups,
    EntityCandidates,
    EntityList,
    EntryHistory,
    EntryList,
    EntryView,
    MessageView,
    Metrics,
    SessionImport,
    SessionList,
    SessionView,
    SimilarEntries,
    TrailList,
    Trend,
    UpkeepReport,
    UsageList,
)
from memwiki.numbers import counted, plural
from memwiki.present.pages import diff_row
from memwiki.present.rows import (
    AsideCell,
    BarChart,
    Cell,
    CellTable,
    Line,
    NameCell,
    PassageForm,
    PathCell,
    Place,
    PlaceCell,
    Row,
    Rows,
    StoredPassage,
    Words,
    rows_of,
)
from memwiki.present.terminal import name

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


@rows_of.register
def _(answer: UsageList) -> Rows:
    cells = [
        (
            row.name,
            row.kind,
            counted(row.recalls, "recall"),
            f"mean score {row.mean_score:.2f}",
            row.last_recalled or "never",
        )
        for row in answer.usage
    ]
    yield CellTable(cells, whole=(0, 1))


@rows_of.register
def _(answer: TrailList) -> Rows:
    yield CellTable([(row.at, row.query, ", ".join(row.recalled)) for row in answer], whole=(0,))


@rows_of.register
def _(answer: Metrics) -> Rows:
    total = sum(answer.memories.values())
    by_type = ", ".join(f"{count} {name}" for name, count in answer.memories.items())
    cells = (
        ("memories", f"{total}: {by_type}" if by_type else "0"),
        ("average importance", _figure(answer.average_importance, ".2f")),
        ("never recalled", _figure(answer.never_recalled, ".0%")),
        ("recalls timed", str(answer.recalls)),
        ("recall p50", _figure(answer.p50_ms, ".1f", " ms")),
        ("recall p99", _figure(answer.p99_ms, ".1f", " ms")),
        ("from the cache", _figure(answer.cache_hit_rate, ".0%")),
    )
    yield CellTable(cells, whole=(0,))


@rows_of.register
def _(answer: Trend) -> Rows:
    starts, *made = zip(*answer.periods, strict=True)
    for what, counts in zip(("Pages", "Memories", "Recalls"), made, strict=True):
        yield BarChart(f"{what} a {answer.unit}", starts, counts, answer.unit)
    yield from map(Words, _notes(answer))
    named = {
        "Pages by type": answer.page_types,
        "Memories by type": answer.memory_types,
        "Pages by tag": answer.tags,
    }
    for title, by_name in named.items():
        yield BarChart(title, tuple(by_name), tuple(by_name.values()))


def _notes(answer: Trend) -> Iterator[str]:
    """What the bars over time leave out, and where they do not rest on what files say."""
    pages, memories = answer.earlier_pages, answer.earlier_memories
    before = (counted(pages, "page"), counted(memories, "memory", "memories"))
    if pages or memories:
        yield f"Before that {' and '.join(before)} were made."
    if answer.pages_by_file_time:
        said = plural(answer.pages_by_file_time, "page says", "pages say")
        yield f"{answer.pages_by_file_time:,} {said} no date: the time of the file counts."
    if answer.undated_memories:
        said = plural(answer.undated_memories, "memory says", "memories say")
        yield f"{answer.undated_memories:,} {said} no date, and are in no period."
    if answer.recalls_since:
        yield f"Recalls are known from {answer.recalls_since} on."


def _figure(value: float | None, form: str, unit: str = "") -> str:
    return "none" if value is None else f"{value:{form}}{unit}"


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
