"""Adding text to a page or to one of its sections."""

from __future__ import annotations

from memwiki.change.plan import Plan
from memwiki.markdown.edit.sections import appended
from memwiki.markdown.edit.source import read_source
from memwiki.markdown.outline import outline
from memwiki.markdown.sections import find_section
from memwiki.model import Layers
from memwiki.pages.fields import page_plan
from memwiki.pages.intact import changed
from memwiki.pages.written import checked, shaped


def append_text(
    path: str, data: bytes, text: str, *, section: str, layers: Layers, max_bytes: int
) -> Plan:
    """A plan that adds text at the end of a page, or of a section with its subsections."""
    source = read_source(path, data)
    page = outline(path, source.lines, layers)
    target = find_section(path, page.sections, section) if section else None
    splice = appended(source, page, shaped(checked(text), page), target)
    new = changed(source, page, splice, layers, max_bytes)
    return page_plan(path, data, new, f"added to {target.title}" if target else "added text")
