"""Tags of one page."""

from __future__ import annotations

from collections.abc import Iterator

from memwiki.check.facts import field_line, on_lines
from memwiki.check.rule import CheckedPage, CheckRule, Family, Finding
from memwiki.markdown.fields import split_tags
from memwiki.markdown.tags import MAX_TAGS, find_tags
from memwiki.names import fold
from memwiki.nouns import DENDRON, Severity

_SPELLINGS = ("tags", "tag")


def invalid_tags(sheet: CheckedPage) -> Iterator[Finding]:
    """Tags of the front matter that could not be written in the text; keywords are free words."""
    if sheet.is_kept or sheet.is_template:
        return
    written = {fold(key): value for key, value in sheet.page.front_matter.fields.items()}
    tags = [tag for key in _SPELLINGS for tag in split_tags(written.get(key, ""))]
    has_dots = sheet.layers.dialect.name == DENDRON
    bad = [tag for tag in tags if not is_writable(tag, has_dots=has_dots)]
    by_line: dict[int, list[str]] = {}
    for tag, line in on_lines(sheet, "tags", bad, _SPELLINGS):
        by_line.setdefault(line, []).append(tag)
    for line, tags in by_line.items():
        names = ", ".join(f"`{tag[:40]}`" for tag in tags[:5])
        more = f" and {len(tags) - 5} more" if len(tags) > 5 else ""
        what = f"not {'a valid tag' if len(tags) == 1 else 'valid tags'}"
        yield Finding("tag-invalid", line, f"{what}: {names}{more}")


def is_writable(tag: str, *, has_dots: bool) -> bool:
    """Whether `#tag` would be read as this tag."""
    return [name for name, _ in find_tags(f"#{tag}", has_dots=has_dots)] == [tag]


def too_many_tags(sheet: CheckedPage) -> Iterator[Finding]:
    """Pages and entries with so many tags that none says much."""
    if sheet.is_kept:
        return
    page = sheet.page
    if len(page.tags) > MAX_TAGS and not page.entries:
        yield Finding("tags-many", field_line(sheet, "tags"), f"{len(page.tags)} tags on the page")
    for entry in page.entries:
        if len(entry.tags) > MAX_TAGS:
            message = f"{len(entry.tags)} tags on one entry"
            yield Finding("tags-many", entry.line_start, message)


RULES: tuple[CheckRule[CheckedPage], ...] = (
    CheckRule(
        "tag-invalid",
        Family.TAGS,
        Severity.INFO,
        "A tag holds spaces, punctuation or no letter, so it is not valid. Join words with `-`.",
        invalid_tags,
    ),
    CheckRule(
        "tags-many",
        Family.TAGS,
        Severity.INFO,
        f"Over {MAX_TAGS} tags on a page or entry. Keep those that group it.",
        too_many_tags,
    ),
)
