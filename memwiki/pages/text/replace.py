"""Putting other text in the place of a section, or of all that a page says."""

from __future__ import annotations

from memwiki.change.plan import Plan
from memwiki.errors import NotEditableError, UsageError, shell_word
from memwiki.markdown.edit.sections import body_replaced, first_heading, has_heading, replaced
from memwiki.markdown.outline import Outline, PageKind
from memwiki.markdown.sections import find_section
from memwiki.model import Section
from memwiki.pages.fields import page_plan
from memwiki.pages.text.safeguards import changed
from memwiki.pages.text.written import checked, shaped


def replace_text(page: Outline, text: str, *, section: str, max_bytes: int) -> Plan:
    """A plan that replaces the text of a section, or without one that of the page."""
    if section:
        return replace_section(page, text, section=section, max_bytes=max_bytes)
    _require_body(page)
    text = checked(text)
    _require_no_front_matter(page, text)
    after = changed(
        page, body_replaced(page, shaped(text, page) if page.is_logseq else text), max_bytes
    )
    return page_plan(page, after, "replaced the text")


def replace_section(page: Outline, text: str, *, section: str, max_bytes: int) -> Plan:
    """A plan that replaces all below a heading, subsections too; the text may begin with the
    heading."""
    target = find_section(page.path, page.sections, section)
    text = checked(text)
    _require_level(page.path, text, target)
    shaped_text = shaped(text, page, None if has_heading(text, target) else target)
    after = changed(page, replaced(page, shaped_text, target), max_bytes)
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


def _require_body(page: Outline) -> None:
    """Refuse a page whose text begins nobody knows where, or is what others said."""
    if page.kind is PageKind.SESSION:
        raise NotEditableError(
            f"{page.path}: holds the messages of a session, which are not replaced as a whole",
            hint=f"memwiki append {shell_word(page.path)} TEXT adds to it",
            path=page.path,
        )
    if not page.start and page.loaded.problems:
        raise NotEditableError(
            f"{page.path}:1: the front matter is not closed",
            hint="close it by a line ---, so that it can be kept",
            path=page.path,
            line=1,
        )


def _require_no_front_matter(page: Outline, text: str) -> None:
    """Refuse a whole page: which of the two front matters should stay is not said."""
    own = Outline(page.layers, page.path, text)
    if own.start or own.properties or own.loaded.problems:
        raise UsageError(
            f"{page.path}: the text begins with front matter, and that of the page is kept",
            hint="give the text below it; memwiki set changes fields",
            path=page.path,
        )
