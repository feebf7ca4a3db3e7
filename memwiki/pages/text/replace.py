"""Putting other text in the place of a section."""

from __future__ import annotations

from memwiki.change.plan import Plan
from memwiki.errors import UsageError
from memwiki.markdown.edit.sections import first_heading, has_heading, replaced
from memwiki.markdown.outline import Outline
from memwiki.markdown.sections import find_section
from memwiki.model import Section
from memwiki.pages.fields import page_plan
from memwiki.pages.text.safeguards import changed
from memwiki.pages.text.written import checked, shaped


def replace_section(page: Outline, text: str, *, section: str, max_bytes: int) -> Plan:
    """A plan that replaces all below a heading, subsections too; the text may begin with the
    heading."""
    target = find_section(page.path, page.sections, section)
    text = checked(text)
    _require_level(page.path, text, target)
    after = changed(page, replaced(page, shaped(text, page), target), max_bytes)
    return page_plan(page, after, f'replaced section "{target.title}"')


def _require_level(path: str, text: str, section: Section) -> None:
    """Refuse a heading that would move the section to another place in the outline."""
    heading = first_heading(text)
    if heading and has_heading(text, section) and heading.level != section.level:
        mark = "#" * section.level
        raise UsageError(
            f"{path}: the text begins with the heading {section.title!r} at another level",
            hint=f"begin it with {mark} {section.title}, or leave the heading out",
            path=path,
        )
