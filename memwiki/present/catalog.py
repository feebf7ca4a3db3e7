"""What became of the catalogs, as text."""

from __future__ import annotations

from memwiki.answers.catalog import CatalogReport
from memwiki.present.screen import Look, as_path, line
from memwiki.present.text import text_of

_SHOWN_PATHS = 20


@text_of.register(CatalogReport)
def _(answer: CatalogReport, look: Look) -> str:
    signs = (("~", answer.written), ("-", answer.removed), ("!", answer.stale))
    lines = [f"{sign} {as_path(path)}" for sign, paths in signs for path in paths[:_SHOWN_PATHS]]
    hidden = sum(max(0, len(paths) - _SHOWN_PATHS) for _, paths in signs)
    if hidden:
        lines.append(look.faint(f"  … and {hidden} more"))
    lines += [f"  no catalog markers, skipped: {as_path(path)}" for path in answer.unmarked]
    lines += [f"  {line(note)}" for note in answer.notes]
    counts = f"catalogs: {answer.catalogs}, pages: {answer.pages}"
    return "\n".join([*lines, f"{counts}, {_state(answer)}"])


def _state(answer: CatalogReport) -> str:
    if answer.stale:
        return f"{len(answer.stale)} out of date"
    changed = len(answer.written) + len(answer.removed)
    return f"{changed} changed" if changed else "up to date"
