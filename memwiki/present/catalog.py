"""Catalogs, and what there is as lines of one, as rows."""

from __future__ import annotations

from memwiki.answers.catalog import Browse, CatalogReport
from memwiki.present.rows import Line, PathCell, Rows, TextCell, TitleRow, and_more, listed, rows_of

_SHOWN_PATHS = 20


@rows_of.register
def _(answer: Browse) -> Rows:
    for section in answer.sections:
        yield TitleRow(section.title)
        yield from (Line((TextCell(each),), is_item=True) for each in section.lines)


@rows_of.register
def _(answer: CatalogReport) -> Rows:
    signs = (("~", answer.written), ("-", answer.removed), ("!", answer.stale))
    for sign, paths in signs:
        yield from listed(PathCell(f"{sign} {path}") for path in paths[:_SHOWN_PATHS])
    yield from and_more(sum(max(0, len(paths) - _SHOWN_PATHS) for _, paths in signs))
    for path in answer.unmarked:
        yield Line((("no catalog markers, skipped:", PathCell(path)),), depth=1)
    yield from listed(answer.notes, depth=1)
    changed = len(answer.written) + len(answer.removed)
    state = f"{changed} changed" if changed else "up to date"
    state = f"{len(answer.stale)} out of date" if answer.stale else state
    yield Line((f"catalogs: {answer.catalogs}, pages: {answer.pages}, {state}",))
