"""Workspaces, their names, namespaces, settings and derived indexes, as rows."""

from __future__ import annotations

from memwiki.answers.workspaces import (
    CacheList,
    InitReport,
    NamedWorkspace,
    NamespaceList,
    NamespaceRow,
    Purged,
    Setting,
    SettingList,
    WorkspaceList,
)
from memwiki.numbers import counted
from memwiki.present.index import GAP, steps_row
from memwiki.present.rows import (
    CellTable,
    Line,
    NamedPathCell,
    PathCell,
    Quote,
    Rows,
    Words,
    listed,
    rows_of,
    size,
)


@rows_of.register
def _(answer: NamedWorkspace) -> Rows:
    yield CellTable([_workspace_cells(answer)], whole=(0, 1), paths=(1,))


@rows_of.register
def _(answer: WorkspaceList) -> Rows:
    yield CellTable([_workspace_cells(each) for each in answer], whole=(0, 1), paths=(1,))


def _workspace_cells(each: NamedWorkspace) -> tuple[str, ...]:
    return each.name, each.folder, "" if each.is_there else "(no workspace)"


@rows_of.register
def _(answer: CacheList) -> Rows:
    if answer.removed:
        yield from listed(PathCell(f"removed {place}") for place in answer.removed)
        return
    cells = [
        (size(each.bytes), f"{each.workspace}{' (gone)' * each.is_orphan}", each.place)
        for each in answer.caches
    ]
    yield CellTable(cells, whole=(1, 2), paths=(1, 2))


@rows_of.register
def _(answer: NamespaceList) -> Rows:
    cells = [(each.name, *_counts(each), each.changed) for each in answer.namespaces]
    yield CellTable(cells, whole=(0,))


def _counts(held: NamespaceRow | Purged) -> tuple[str, ...]:
    pages, entries = counted(held.pages, "page"), counted(held.entries, "entry", "entries")
    return pages, entries, f"{held.bytes:,} bytes"


@rows_of.register
def _(answer: Purged) -> Rows:
    what = f"{answer.edited.title} ({', '.join(_counts(answer))})"
    if not answer.edited.dry_run:
        yield Line((NamedPathCell(what),))
        return
    yield Line((PathCell(f"dry run: {what}"),))
    if answer.edited.diff:
        yield Quote(answer.edited.diff)


@rows_of.register
def _(answer: SettingList) -> Rows:
    cells = [(each.key, each.value or '""', each.origin, each.help) for each in answer.settings]
    yield CellTable(cells, whole=(0, 1, 3), paths=(1,))


@rows_of.register
def _(answer: Setting) -> Rows:
    yield Line(((answer.key, "=", PathCell(answer.value or '""')),))


@rows_of.register
def _(answer: InitReport) -> Rows:
    verb = "adopted" if answer.adopted else "created"
    yield Line(((verb, NamedPathCell(answer.workspace)),))
    yield from listed(map(PathCell, answer.created), depth=1)
    yield from (Line((PathCell(path), "(kept as it was)"), depth=1) for path in answer.kept)
    if answer.pages is not None:
        links = counted(answer.links or 0, "link")
        yield Words(f"indexed {counted(answer.pages, 'page')}, {links}")
    if answer.problems:
        problems = counted(answer.problems, "problem")
        yield Words(f"{problems} in reading: memwiki check --only reading")
    if first := answer.catalogs[:1]:
        more = len(answer.catalogs) - 1
        others = f"and {counted(more, 'more catalog')}" if more else ""
        yield Line((("wrote", PathCell(first[0]), others),))
    if answer.next:
        yield GAP
        yield Words("Try:")
        yield steps_row(answer.next)
