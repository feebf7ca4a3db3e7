"""Pages, catalogs, what a verb changed, and what there is as lines of a catalog, as rows."""

from __future__ import annotations

from memwiki.answers.pages import (
    Browse,
    CatalogReport,
    Edited,
    History,
    LogEntry,
    LogList,
    PageAt,
    PageList,
    PageOutline,
    PageView,
    SectionSize,
    SuggestionList,
)
from memwiki.numbers import counted
from memwiki.present.rows import (
    SHOWN_PATHS,
    AsideCell,
    BriefCell,
    CellTable,
    Line,
    NameCell,
    NamedPathCell,
    PathCell,
    Place,
    Quote,
    Row,
    Rows,
    TextCell,
    TitleRow,
    Words,
    and_more,
    one_a_line,
    rows_of,
)
from memwiki.present.terminal import name


@rows_of.register
def _(answer: PageView) -> Rows:
    named = {"title": answer.title, "type": answer.type, "tags": ", ".join(answer.tags)}
    dates = [answer.fields.get(name) for name in ("updated", "created", "origin")]
    updated, created, origin = (each if isinstance(each, str) else "" for each in dates)
    yield Quote(
        answer.text,
        Place(answer.path, answer.line_start, answer.line_end),
        {"date": updated or created, "origin": origin},
        (
            Words(f"etag {answer.digest[:16]}"),
            *(Line((f"{key}: {value}",)) for key, value in named.items() if value),
        ),
    )


@rows_of.register
def _(answer: SuggestionList) -> Rows:
    cells = [(name(each.name), each.kind, each.path) for each in answer]
    yield CellTable(cells, whole=(0,), paths=(2,))


@rows_of.register
def _(answer: PageOutline) -> Rows:
    size = _size(answer.tokens, answer.characters)
    whole = (f"1-{max(answer.lines, 1)}", name(answer.title), *size)
    yield CellTable([whole, *map(_heading_cells, answer.sections)], whole=(0,))


def _heading_cells(row: SectionSize) -> tuple[str, ...]:
    heading = f"{'#' * row.level} {name(row.title)}"
    return f"{row.line_start}-{row.line_end}", heading, *_size(row.tokens, row.characters)


def _size(tokens: int, characters: int) -> tuple[str, str]:
    return counted(tokens, "token"), counted(characters, "character")


@rows_of.register
def _(answer: PageList) -> Rows:
    cells = [
        (row.path, name(row.title), row.type, " ".join(f"#{tag}" for tag in row.tags))
        for row in answer.pages
    ]
    yield CellTable(cells, whole=(0,), paths=(0,))


@rows_of.register
def _(answer: Browse) -> Rows:
    for section in answer.sections:
        yield TitleRow(section.title)
        yield from (Line((TextCell(each),), is_item=True) for each in section.lines)


@rows_of.register
def _(answer: CatalogReport) -> Rows:
    signs = (("~", answer.written), ("-", answer.removed), ("!", answer.stale))
    for sign, paths in signs:
        yield from one_a_line(PathCell(f"{sign} {path}") for path in paths[:SHOWN_PATHS])
    yield from and_more(sum(max(0, len(paths) - SHOWN_PATHS) for _, paths in signs))
    for path in answer.unmarked:
        yield Line((("no catalog markers, skipped:", PathCell(path)),), depth=1)
    yield from one_a_line(answer.notes, depth=1)
    changed = len(answer.written) + len(answer.removed)
    state = f"{changed} changed" if changed else "up to date"
    if answer.stale:
        state = f"{len(answer.stale)} out of date"
    yield Line((f"catalogs: {answer.catalogs}, pages: {answer.pages}, {state}",))


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


@rows_of.register
def _(answer: Edited) -> Rows:
    if answer.dry_run:
        yield diff_row(answer)
        return
    yield title_row(answer)
    yield from one_a_line(answer.details if answer.op == "move" else ())
    is_named = len(answer.paths) == 1 and answer.title.endswith(f" {answer.paths[0]}")
    paths = () if is_named else answer.paths
    yield from one_a_line(map(PathCell, paths[:SHOWN_PATHS]), depth=1)
    yield from and_more(len(paths) - SHOWN_PATHS)
    for path in answer.merged:
        yield Line((("merged with what changed meanwhile:", PathCell(path)),), depth=1)


def title_row(edited: Edited) -> Line:
    """What was done."""
    return Line((NamedPathCell(edited.title or edited.op),))


def diff_row(edited: Edited) -> Row:
    """What would change."""
    return Quote(edited.diff, facts={"diff": "nothing was changed"}, head=(title_row(edited),))
