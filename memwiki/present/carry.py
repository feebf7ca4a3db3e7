"""What was exported and imported, as text."""

from __future__ import annotations

from memwiki.answers.carry import ExportReport, ImportReport
from memwiki.numbers import counted
from memwiki.present.screen import Look, as_path, clean
from memwiki.present.text import size, text_of

_SHOWN_PATHS = 20


@text_of.register(ExportReport)
def _(answer: ExportReport, look: Look) -> str:
    what = f"{counted(answer.pages, 'page')}, {counted(answer.files - answer.pages, 'other file')}"
    usage = f", {counted(answer.usage, 'line')} of usage" if answer.usage else ""
    return f"{look.strong(as_path(answer.output))}\n  {what}{usage}, {size(answer.bytes)}"


@text_of.register(ImportReport)
def _(answer: ImportReport, look: Look) -> str:
    if answer.dry_run:
        return clean(answer.diff).removesuffix("\n")
    lines = [look.strong(f"imported {as_path(answer.source)} ({answer.kind})")]
    removed, replaced = set(answer.removed), set(answer.replaced)
    for path in answer.written[:_SHOWN_PATHS]:
        sign = "-" if path in removed else "~" if path in replaced else "+"
        lines.append(f"  {sign} {as_path(path)}")
    if len(answer.written) > _SHOWN_PATHS:
        lines.append(look.faint(f"  … and {len(answer.written) - _SHOWN_PATHS} more"))
    return "\n".join([*lines, f"  {', '.join(_counts(answer))}"])


def _counts(answer: ImportReport) -> list[str]:
    counts = (
        (len(answer.written), counted(len(answer.written), "file changed", "files changed")),
        (len(answer.replaced), f"{len(answer.replaced)} of them replaced"),
        (answer.unchanged, f"{answer.unchanged} as before"),
        (answer.entries_added, counted(answer.entries_added, "entry", "entries")),
        (answer.entries_repeated, f"{answer.entries_repeated} known already"),
        (answer.usage, f"{counted(answer.usage, 'line')} of usage"),
    )
    return [said for count, said in counts if count] or ["nothing new"]
