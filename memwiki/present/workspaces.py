"""Workspaces, their names, namespaces, settings, indexes, exports, and what coding agents have
installed and are offered, as rows."""

from __future__ import annotations

from memwiki.answers.workspaces import (
    AgentReport,
    AgentStatus,
    CacheList,
    CompletionList,
    CompletionScript,
    Dropped,
    ExportReport,
    FeedReport,
    ImportReport,
    InitReport,
    NamedWorkspace,
    NamespaceList,
    NamespaceRow,
    Purged,
    Setting,
    SettingList,
    ShareScript,
    ShareStatus,
    ToolDefinitions,
    WebAddress,
    WorkspaceList,
)
from memwiki.clock import local_time
from memwiki.numbers import counted
from memwiki.present.index import GAP, steps_row
from memwiki.present.plain import as_json
from memwiki.present.rows import (
    SHOWN_PATHS,
    CellTable,
    Line,
    NameCell,
    NamedPathCell,
    PathCell,
    Quote,
    Rows,
    TextCell,
    Words,
    and_more,
    one_a_line,
    rows_of,
    size,
)
from memwiki.present.terminal import as_path, line


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
        yield from one_a_line(PathCell(f"removed {place}") for place in answer.removed)
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
    yield from one_a_line(map(PathCell, answer.created), depth=1)
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


@rows_of.register
def _(answer: ExportReport) -> Rows:
    what = f"{counted(answer.pages, 'page')}, {counted(answer.files - answer.pages, 'other file')}"
    usage = f", {counted(answer.usage, 'line')} of usage" if answer.usage else ""
    yield Line((NamedPathCell(answer.output),))
    yield Line((f"{what}{usage}, {size(answer.bytes)}",), depth=1)


@rows_of.register
def _(answer: ImportReport) -> Rows:
    if answer.dry_run:
        yield Quote(answer.diff)
        return
    yield Line((NamedPathCell(f"imported {answer.source} ({answer.kind})"),))
    replaced = set(answer.replaced)
    signs = [("-", path) for path in answer.removed]
    signs += [("~" if path in replaced else "+", path) for path in answer.written]
    for sign, path in signs[:SHOWN_PATHS]:
        yield Line((PathCell(f"{sign} {path}"),), depth=1)
    yield from and_more(len(signs) - SHOWN_PATHS)
    counts = (
        (len(answer.written), counted(len(answer.written), "file written", "files written")),
        (len(answer.replaced), f"{len(answer.replaced)} of them replaced"),
        (len(answer.removed), f"{len(answer.removed)} removed"),
        (answer.unchanged, f"{answer.unchanged} as before"),
        (answer.entries_added, counted(answer.entries_added, "entry", "entries")),
        (answer.entries_repeated, f"{answer.entries_repeated} known already"),
        (answer.usage, f"{counted(answer.usage, 'line')} of usage"),
    )
    said = ", ".join(text for count, text in counts if count)
    yield Line((said or "nothing new",), depth=1)


@rows_of.register
def _(answer: CompletionList) -> Rows:
    lines = (f"{as_path(each.value)}\t{line(each.note)}" for each in answer.completions)
    yield Quote("\n".join(lines))


@rows_of.register
def _(answer: CompletionScript) -> Rows:
    yield Quote(answer.script)


@rows_of.register
def _(answer: WebAddress) -> Rows:
    yield Quote(answer.address)


@rows_of.register
def feed_rows(answer: FeedReport) -> Rows:
    """What one feed did."""
    changed = f"{answer.added} added, {answer.modified} modified, {answer.removed} removed"
    texts = " with texts" if answer.texts else ""
    vectors = f" and {counted(answer.vectors, 'unit')} with vectors" if answer.vectors else ""
    pages = counted(answer.pages, "page")
    yield Words(f"{answer.name}: {pages}{texts}{vectors}; {changed} ({answer.seconds:.2f} s)")


@rows_of.register
def share_status_rows(answer: ShareStatus) -> Rows:
    """The workspaces of a shared index."""
    for each in answer.workspaces:
        state = "being fed" if each.fresh or each.feeding else "not being fed"
        seen = f", looked at {local_time(each.scanned_at)}" if each.scanned_at else ""
        texts = ", with texts" if each.texts else ""
        yield Words(f"{each.name}: {state}{seen}{texts}; read by {each.reader}")


@rows_of.register
def dropped_rows(answer: Dropped) -> Rows:
    """A workspace that is gone."""
    yield Words(f"{answer.name}: nothing of it is shared any more")


@rows_of.register
def script_rows(answer: ShareScript) -> Rows:
    """The SQL as it is."""
    yield Words(answer.sql)


@rows_of.register
def _(answer: AgentReport) -> Rows:
    return list(_report_rows(answer)) or [Words("nothing to do")]


def _report_rows(answer: AgentReport) -> Rows:
    if answer.dry_run and answer.diff:
        yield Quote(answer.diff)
    for file in answer.files:
        if file.change == "refused":
            yield Line((NameCell("not edited"), (PathCell(f"{file.path}:"), file.why)))
            yield from one_a_line(map(TextCell, file.snippet.splitlines()), depth=2)
        elif not answer.dry_run:
            yield Line((file.change, PathCell(file.path)))
    if answer.commands:
        yield Words("Run:")
        yield from one_a_line(map(TextCell, answer.commands), depth=1)
    yield from one_a_line(map(TextCell, answer.notes))


@rows_of.register
def _(answer: AgentStatus) -> Rows:
    rows = [(p.agent, p.scope, p.part, p.state, p.path) for p in answer.parts]
    if rows:
        yield CellTable(rows, paths=(4,))
    else:
        yield Words("nothing is installed; try: memwiki agent install claude-code")
    for each in answer.silences:
        times = f"({counted(each.times, 'time')}, last {each.last})"
        yield Line((f"{each.agent} {each.moment}: {each.why} {times}",))


@rows_of.register
def _(answer: ToolDefinitions) -> Rows:
    """As JSON for people, too: it is what they copy."""
    yield Quote("[\n" + ",\n".join(map(as_json, answer.tools)) + "\n]")
