"""Ending a session: when it ended, and what it was about."""

from __future__ import annotations

from memwiki.change.plan import Plan
from memwiki.errors import NotEditableError
from memwiki.markdown.edit.fields import set_field
from memwiki.markdown.edit.sections import appended, replaced
from memwiki.markdown.message_text import plain_body, plain_text
from memwiki.markdown.outline import Outline
from memwiki.model import Layers, Section
from memwiki.names import fold
from memwiki.pages.fields import page_plan
from memwiki.pages.text.written import checked
from memwiki.sessions.page import SUMMARY, SessionPage


def end_plan(path: str, data: bytes, layers: Layers, ended: str, summary: str | None) -> Plan:
    """A plan that notes when a session ended, and its summary."""
    page = SessionPage(path, data, layers)
    after = page.outline if summary is None else _summarised(page.outline, summary)
    after = set_field(after, "ended", ended)
    said = [(each.id, each.text) for each in SessionPage(path, after.data, layers).messages]
    is_read = summary is None or summary_of(after) == checked(summary).strip()
    if said != [(each.id, each.text) for each in page.messages] or not is_read:
        raise NotEditableError(
            f"{path}: a summary at its end would be read as part of a message",
            hint="close the code or HTML that its last message opens",
            path=path,
        )
    return page_plan(page.outline, after, "ended", "end")


def summary_of(page: Outline) -> str:
    """What a session says it was about, "" when it does not."""
    section = _section(page)
    if section is None:
        return ""
    return plain_text(page.lines[section.line_start : section.line_end]).strip()


def _summarised(page: Outline, summary: str) -> Outline:
    text = plain_body(checked(summary))
    section = _section(page)
    if section is None:
        return page.edited([appended(page, f"## {SUMMARY}\n\n{text}").patch])
    return page.edited([replaced(page, text, section).patch])


def _section(page: Outline) -> Section | None:
    """The last section of that name, without the messages below it."""
    end = len(page.lines)
    for each in reversed(page.sections):
        if each.level == 2 and fold(each.title) == fold(SUMMARY):
            return each._replace(line_end=end)
        end = each.line_start - 1
    return None
