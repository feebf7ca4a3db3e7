"""What holds after text was put into a page: all else is what it was."""

from __future__ import annotations

from memwiki.errors import CatalogTextError, NotEditableError, PageTooLongError, UsageError
from memwiki.markdown.edit.sections import Splice, others
from memwiki.markdown.edit.source import Source, read_source
from memwiki.markdown.outline import Outline, open_block, outline
from memwiki.markdown.parse import is_catalog
from memwiki.model import Layers


def changed(source: Source, page: Outline, splice: Splice, layers: Layers, max_bytes: int) -> bytes:
    """The bytes of a page with text put in; refused when that would change more than asked for."""
    _require_closed(page, splice.start)
    new = source.patched([splice.patch])
    if len(new) > max_bytes:
        hint = "put a part of it on a page of its own"
        raise PageTooLongError(page.path, len(new), max_bytes, hint=hint)
    after = read_source(page.path, new)
    if is_catalog(page.path, after.text, layers):
        raise CatalogTextError(page.path)
    _require_same(page, splice, outline(page.path, after.lines, layers))
    return new


def _require_closed(page: Outline, at: int) -> None:
    """Refuse to write where code or HTML from further above goes on."""
    if line := open_block(page.lines[:at], page.start):
        raise NotEditableError(
            f"{page.path}:{line}: code or HTML that begins here is not closed",
            hint="close it first: what is added below would become part of it",
            path=page.path,
            line=line,
        )


def _require_same(page: Outline, splice: Splice, after: Outline) -> None:
    """Refuse text that makes the rest of the page read differently."""
    before, now = (
        others(page, splice.start, splice.stop),
        others(after, splice.start, splice.stop_after),
    )
    if before != now or (splice.start and page.start != after.start):
        raise UsageError(
            f"{page.path}: with this text other parts of the page would be read differently",
            hint="look for lines of - or = in it, or for front matter that is not closed",
            path=page.path,
        )
