"""Adding text to a page or to one of its sections."""

from __future__ import annotations

from memwiki.change.plan import Plan
from memwiki.markdown.edit.sections import appended, body_end
from memwiki.markdown.outline import Outline
from memwiki.markdown.sections import find_section
from memwiki.model import Section
from memwiki.pages.fields import page_plan
from memwiki.pages.text.safeguards import changed
from memwiki.pages.text.written import checked, shaped


def append_text(page: Outline, text: str, *, section: str, max_bytes: int) -> Plan:
    """A plan that adds text at the end of a page's body, or of a section with its subsections."""
    target = find_section(page.path, page.sections, section) if section else None
    after = with_text(page, text, max_bytes, target)
    return page_plan(page, after, f'added to section "{target.title}"' if target else "added text")


def with_text(page: Outline, text: str, max_bytes: int, section: Section | None = None) -> Outline:
    """The page with text added."""
    added = appended(page, shaped(checked(text), page, section), section, body_end(page))
    return changed(page, added, max_bytes)
