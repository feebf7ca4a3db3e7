"""Front matter of one page: what the parser met, and fields that do not say what they should."""

from __future__ import annotations

from collections.abc import Iterator

from memwiki.check.rule import Family, Finding, Rule, Sheet
from memwiki.model import Severity


def parser_problems(sheet: Sheet) -> Iterator[Finding]:
    """What the parser noted while it read the page."""
    for problem in sheet.page.problems:
        yield Finding(problem.code, problem.line, problem.message)


RULES: tuple[Rule[Sheet], ...] = (
    Rule(
        "front-matter-unclosed", Family.FRONT_MATTER, Severity.WARNING,
        "Front matter is opened by `---` and never closed, so it is read as text. Close it.",
        parser_problems,
    ),
    Rule(
        "front-matter-repaired", Family.FRONT_MATTER, Severity.WARNING,
        "The front matter is not valid YAML; it was read after quoting a value. Quote that value.",
        parser_problems,
    ),
    Rule(
        "front-matter-salvaged", Family.FRONT_MATTER, Severity.WARNING,
        "The front matter is not valid YAML; only plain `key: value` and `- item` lines were read.",
        parser_problems,
    ),
    Rule(
        "front-matter-broken", Family.FRONT_MATTER, Severity.ERROR,
        "Nothing could be read from the front matter.",
        parser_problems,
    ),
    Rule(
        "duplicate-key", Family.FRONT_MATTER, Severity.WARNING,
        "A key stands twice in the front matter; the last one counts. Remove one.",
        parser_problems,
    ),
    Rule(
        "date-unreadable", Family.FRONT_MATTER, Severity.INFO,
        "A date field holds something that is no date. Write it as 2026-11-21.",
        parser_problems,
    ),
)  # fmt: skip
