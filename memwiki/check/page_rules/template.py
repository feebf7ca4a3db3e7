"""What an earlier template wrote, and nobody has changed: recall leaves it out."""

from __future__ import annotations

from collections.abc import Iterator

from memwiki.check.rule import CheckedPage, CheckRule, Family, Finding
from memwiki.markdown.template_text import is_template_page, is_template_text
from memwiki.nouns import Severity


def template_lines(sheet: CheckedPage) -> Iterator[Finding]:
    """Examples among the entries of a page, and the line that says they are some."""
    for line in _lines(sheet):
        text = sheet.lines[line - 1].strip()[:60]
        yield Finding("template-line", line, f"is an example of the template, not a memory: {text}")


def _lines(sheet: CheckedPage) -> list[int]:
    if sheet.inner not in (sheet.layers.memory, sheet.layers.learnings):
        return []
    # What somebody wrote below an example belongs to it.
    own = {
        line
        for entry in sheet.page.entries
        if entry.line_end > entry.line_start
        for line in range(entry.line_start, entry.line_end + 1)
    }
    start = sheet.body_start
    body = enumerate(sheet.lines[start:], start + 1)
    return [line for line, text in body if line not in own and is_template_text(text)]


def without_template_lines(sheet: CheckedPage) -> bytes:
    """The page without its examples."""
    lines = sheet.data.split(b"\n")
    if not sheet.is_plain:
        return sheet.data
    for line in reversed(_lines(sheet)):
        del lines[line - 1]
    return b"\n".join(lines)


def template_pages(sheet: CheckedPage) -> Iterator[Finding]:
    """Pages that explain memwiki as an earlier template did."""
    is_old = is_template_page(sheet.inner, sheet.page.digest)
    if is_old and sheet.inner not in (sheet.layers.memory, sheet.layers.learnings):
        yield Finding("template-page", 1, "is as an earlier template wrote it")


RULES: tuple[CheckRule[CheckedPage], ...] = (
    CheckRule(
        "template-line",
        Family.CONTENT,
        Severity.WARNING,
        "A memory is an example that the template wrote, and no agent gets it. The fix deletes it.",
        template_lines,
        without_template_lines,
    ),
    CheckRule(
        "template-page",
        Family.CONTENT,
        Severity.INFO,
        "The page is as an earlier template wrote it, so recall leaves it out. "
        "`memwiki delete` removes it.",
        template_pages,
    ),
)
