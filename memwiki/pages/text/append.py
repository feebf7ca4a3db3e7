"""Adding text to a page or to one of its sections."""

from __future__ import annotations

from memwiki.change.plan import Plan
from memwiki.markdown.edit.sections import appended
from memwiki.markdown.edit.source import read_source
from memwiki.markdown.outline import Outline, outline
from memwiki.markdown.sections import find_section
from memwiki.model import Layers, Section
from memwiki.pages.fields import page_plan
from memwiki.pages.text.intact import changed
from memwiki.pages.text.written import checked, shaped


def append_text(
    path: str, data: bytes, text: str, *, section: str, layers: Layers, max_bytes: int
) -> Plan:
    """A plan that adds text at the end of a page, or of a section with its subsections."""
    page = outline(path, read_source(path, data).lines, layers)
    target = find_section(path, page.sections, section) if section else None
    new = with_text(page, data, text, layers, max_bytes, target)
    return page_plan(path, data, new, f"added to {target.title}" if target else "added text")


def with_text(
    page: Outline, data: bytes, text: str, layers: Layers, max_bytes: int,
    section: Section | None = None,
) -> bytes:  # fmt: skip
    """The bytes of a page with text added."""
    source = read_source(page.path, data)
    splice = appended(source, page, shaped(checked(text), page), section)
    return changed(source, page, splice, layers, max_bytes)
