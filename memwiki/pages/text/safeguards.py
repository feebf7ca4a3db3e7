"""What holds after text was put into a page: all else is what it was."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from memwiki.errors import CatalogTextError, NotEditableError, PageTooLongError, UsageError
from memwiki.markdown.edit.sections import Splice, others
from memwiki.markdown.outline import Outline, open_block
from memwiki.markdown.source import Patch


def changed(page: Outline, splice: Splice, max_bytes: int) -> Outline:
    """The page with text put in; refused when that would change more than asked for."""
    lines = ChangedLines(splice.start, splice.stop, splice.stop_after)
    return patched(page, [splice.patch], lines, max_bytes)


class ChangedLines(NamedTuple):
    """The lines that patches may change, from 0 and half-open, and where they end afterwards."""

    start: int
    stop: int
    stop_after: int


def patched(
    page: Outline, patches: Sequence[Patch], lines: ChangedLines, max_bytes: int
) -> Outline:
    """The page with patches made in some lines; refused when other lines would read differently."""
    _require_closed(page, lines.start)
    after = page.edited(patches)
    if (size := len(after.data)) > max_bytes:
        hint = "put a part of it on a page of its own"
        raise PageTooLongError(page.path, size, max_bytes, hint=hint)
    if after.is_catalog:
        raise CatalogTextError(page.path)
    _require_same(page, lines, after)
    return after


def _require_closed(page: Outline, at: int) -> None:
    """Refuse to write where code or HTML from further above goes on."""
    structure = page.structure
    blocks = (*structure.code, *structure.html)
    # What goes on from above would reach to there: only where a block does, lines are read again.
    if structure.is_certain and not any(first < at <= end for first, end in blocks):
        return
    if line := open_block(page.lines[:at], page.start):
        raise NotEditableError(
            f"{page.path}:{line}: code or HTML that begins here is not closed",
            hint="close it first: what is added below would become part of it",
            path=page.path,
            line=line,
        )


def _require_same(page: Outline, lines: ChangedLines, after: Outline) -> None:
    """Refuse text that makes the rest of the page read differently."""
    before = others(page, lines.start, lines.stop)
    now = others(after, lines.start, lines.stop_after)
    if before != now or (lines.start and page.start != after.start):
        raise UsageError(
            f"{page.path}: with this text other parts of the page would be read differently",
            hint="look for lines of - or = in it, or for front matter that is not closed",
            path=page.path,
        )
