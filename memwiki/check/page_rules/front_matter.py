"""Front matter of one page: what the parser met, and fields that do not say what they should."""

from __future__ import annotations

from collections.abc import Iterator
from operator import add

from memwiki.check.facts import field_line
from memwiki.check.rule import CheckedPage, CheckRule, Family, Finding
from memwiki.markdown.fields import first_text
from memwiki.markdown.frontmatter import load, quoted
from memwiki.nouns import FrontMatterStatus, Severity

MAX_DESCRIPTION = 200


def parser_problems(sheet: CheckedPage) -> Iterator[Finding]:
    """What the parser noted while it read the page."""
    for problem in sheet.page.problems:
        yield Finding(problem.code, problem.line, problem.message)


def with_quoted_values(sheet: CheckedPage) -> bytes:
    """The values quoted that make the block unreadable; nothing, unless it then reads the same."""
    try:
        text = sheet.data.decode("utf-8")
    except UnicodeDecodeError:
        return sheet.data
    head = text.removesuffix(text.lstrip("\ufeff"))  # marks of the file, which another rule takes
    lines = text.removeprefix(head).split("\n")
    plain = [line.removesuffix("\r") for line in lines]
    mended = quoted(plain)
    before, after = load("", plain).front_matter, load("", mended).front_matter
    if after.status is not FrontMatterStatus.OK or after.fields != before.fields:
        return sheet.data
    ends = ("\r" if line.endswith("\r") else "" for line in lines)
    return (head + "\n".join(map(add, mended, ends))).encode("utf-8")


def title_not_text(sheet: CheckedPage) -> Iterator[Finding]:
    """A title that is a list or a mapping."""
    value = sheet.page.fields.get("title", "")
    if not isinstance(value, str):
        kind = "list" if isinstance(value, list) else "mapping"
        yield Finding("title-not-text", field_line(sheet, "title"), f"`title` is a {kind}")


def long_description(sheet: CheckedPage) -> Iterator[Finding]:
    """A description that a catalog would have to cut."""
    written = first_text(sheet.page.fields.get("description", ""))
    if sheet.is_subject and len(written) > MAX_DESCRIPTION:
        message = f"{len(written)} characters; a catalog has room for {MAX_DESCRIPTION}"
        yield Finding("description-long", field_line(sheet, "description"), message)


RULES: tuple[CheckRule[CheckedPage], ...] = (
    CheckRule(
        "front-matter-unclosed",
        Family.FRONT_MATTER,
        Severity.WARNING,
        "Front matter is opened by `---` and never closed, so it is read as text. Close it.",
        parser_problems,
    ),
    CheckRule(
        "front-matter-repaired",
        Family.FRONT_MATTER,
        Severity.WARNING,
        "The front matter is not valid YAML; it was read after quoting a value. The fix quotes it.",
        parser_problems,
        with_quoted_values,
    ),
    CheckRule(
        "front-matter-salvaged",
        Family.FRONT_MATTER,
        Severity.WARNING,
        "The front matter is not valid YAML; only plain `key: value` and `- item` lines were read.",
        parser_problems,
    ),
    CheckRule(
        "front-matter-broken",
        Family.FRONT_MATTER,
        Severity.ERROR,
        "Nothing could be read from the front matter.",
        parser_problems,
    ),
    CheckRule(
        "key-duplicate",
        Family.FRONT_MATTER,
        Severity.WARNING,
        "A key is given twice in the front matter; the last one counts. Remove one.",
        parser_problems,
    ),
    CheckRule(
        "date-unreadable",
        Family.FRONT_MATTER,
        Severity.INFO,
        "A date field holds no valid date. Write it as 2026-11-21.",
        parser_problems,
    ),
    CheckRule(
        "title-not-text",
        Family.FRONT_MATTER,
        Severity.WARNING,
        "`title` holds a list or a mapping, so only a part of it is the title. Quote it.",
        title_not_text,
    ),
    CheckRule(
        "description-long",
        Family.FRONT_MATTER,
        Severity.INFO,
        f"A description of over {MAX_DESCRIPTION} characters is cut in catalogs. One sentence "
        "will do.",
        long_description,
    ),
)
