"""What was exported and imported, as rows."""

from __future__ import annotations

from memwiki.answers.carry import ExportReport, ImportReport
from memwiki.numbers import counted
from memwiki.present.rows import Line, NamedPathCell, PathCell, Quote, Rows, and_more, rows_of, size

_SHOWN_PATHS = 20


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
    removed, replaced = set(answer.removed), set(answer.replaced)
    for path in answer.written[:_SHOWN_PATHS]:
        sign = "-" if path in removed else "~" if path in replaced else "+"
        yield Line((PathCell(f"{sign} {path}"),), depth=1)
    yield from and_more(len(answer.written) - _SHOWN_PATHS)
    counts = (
        (len(answer.written), counted(len(answer.written), "file changed", "files changed")),
        (len(answer.replaced), f"{len(answer.replaced)} of them replaced"),
        (answer.unchanged, f"{answer.unchanged} as before"),
        (answer.entries_added, counted(answer.entries_added, "entry", "entries")),
        (answer.entries_repeated, f"{answer.entries_repeated} known already"),
        (answer.usage, f"{counted(answer.usage, 'line')} of usage"),
    )
    said = ", ".join(text for count, text in counts if count)
    yield Line((said or "nothing new",), depth=1)
