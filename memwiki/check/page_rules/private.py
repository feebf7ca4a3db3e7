"""Marks of privacy that hide nothing."""

from __future__ import annotations

from collections.abc import Iterator

from memwiki.check.rule import CheckedPage, CheckRule, Family, Finding
from memwiki.markdown.private import idle_marks
from memwiki.nouns import Severity


def idle(sheet: CheckedPage) -> Iterator[Finding]:
    """Marks in code, comments, math, the front matter and targets of links."""
    for line in idle_marks(sheet.page.path, sheet.data, sheet.layers):
        message = "the mark `private` hides nothing here; put it in the text of its item or heading"
        yield Finding("private-idle", line, message)


RULES: tuple[CheckRule[CheckedPage], ...] = (
    CheckRule(
        "private-idle",
        Family.CONTENT,
        Severity.WARNING,
        "`[private:: true]` hides nothing in code, a comment, math, the front matter or the target "
        "of a link. Put it in the text.",
        idle,
    ),
)
