"""Rules of the fields of one page: what the parser met, what says not what it should, and tags."""

from __future__ import annotations

from operator import add

from memwiki.check.facts import field_line, on_lines
from memwiki.check.rule import CheckedPage, Family, Finding, Findings, family_rules
from memwiki.markdown.fields import first_text, is_form, split_tags
from memwiki.markdown.frontmatter import load, quoted
from memwiki.markdown.tags import MAX_TAGS, find_tags
from memwiki.names import fold
from memwiki.nouns import DENDRON, FrontMatterStatus, Severity

MAX_DESCRIPTION = 200
_SPELLINGS = ("tags", "tag")


def parser_problems(sheet: CheckedPage) -> Findings:
    """What the parser noted while it read the page."""
    for problem in sheet.page.problems:
        yield Finding(problem.code, problem.line, problem.message)


def with_quoted_values(sheet: CheckedPage) -> bytes:
    """The values quoted that make the block unreadable; nothing, unless it then reads the same, and
    where a template leaves a value to be filled in."""
    try:
        text = sheet.data.decode("utf-8")
    except UnicodeDecodeError:
        return sheet.data
    head = text.removesuffix(text.lstrip("\ufeff"))  # marks of the file, which another rule takes
    lines = text.removeprefix(head).split("\n")
    plain = [line.removesuffix("\r") for line in lines]
    mended = quoted(plain)
    if any(
        is_form(old.partition(":")[2]) for old, new in zip(plain, mended, strict=True) if old != new
    ):
        return sheet.data
    before, after = load("", plain).front_matter, load("", mended).front_matter
    if after.status is not FrontMatterStatus.OK or after.fields != before.fields:
        return sheet.data
    ends = ("\r" if line.endswith("\r") else "" for line in lines)
    return (head + "\n".join(map(add, mended, ends))).encode("utf-8")


def title_not_text(sheet: CheckedPage) -> Findings:
    """A title that is a list or a mapping."""
    value = sheet.page.fields.get("title", "")
    if not isinstance(value, str):
        kind = "list" if isinstance(value, list) else "mapping"
        yield Finding("title-not-text", field_line(sheet, "title"), f"`title` is a {kind}")


def long_description(sheet: CheckedPage) -> Findings:
    """A description that a catalog would have to cut."""
    written = first_text(sheet.page.fields.get("description", ""))
    if sheet.is_subject and len(written) > MAX_DESCRIPTION:
        message = f"{len(written)} characters; a catalog has room for {MAX_DESCRIPTION}"
        yield Finding("description-long", field_line(sheet, "description"), message)


FRONT_MATTER = family_rules(
    Family.FRONT_MATTER,
    (
        "front-matter-unclosed",
        Severity.WARNING,
        "Front matter is opened by `---` or `+++` and never closed; it is read as text. Close it.",
        parser_problems,
    ),
    (
        "front-matter-repaired",
        Severity.WARNING,
        "The front matter is not valid YAML; it was read after quoting a value. The fix quotes it.",
        parser_problems,
        with_quoted_values,
    ),
    (
        "front-matter-salvaged",
        Severity.WARNING,
        "The front matter is not valid YAML or TOML; only plain lines of it were read, such as"
        " `key: value`, `- item` or `key = value`.",
        parser_problems,
    ),
    (
        "front-matter-broken",
        Severity.ERROR,
        "Nothing could be read from the front matter.",
        parser_problems,
    ),
    (
        "key-duplicate",
        Severity.WARNING,
        "A key is given twice in the front matter; the last one counts. Remove one.",
        parser_problems,
    ),
    (
        "date-unreadable",
        Severity.INFO,
        "A date field holds no valid date. Write it as 2026-11-21.",
        parser_problems,
    ),
    (
        "title-not-text",
        Severity.WARNING,
        "`title` holds a list or a mapping, so only a part of it is the title. Quote it.",
        title_not_text,
    ),
    (
        "description-long",
        Severity.INFO,
        f"A description of over {MAX_DESCRIPTION} characters is cut in catalogs. One sentence "
        "will do.",
        long_description,
    ),
)


def invalid_tags(sheet: CheckedPage) -> Findings:
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


def too_many_tags(sheet: CheckedPage) -> Findings:
    """Pages and entries with so many tags that none says much."""
    if sheet.is_kept:
        return
    page = sheet.page
    if len(page.tags) > MAX_TAGS and not sheet.has_entries:
        yield Finding("tags-many", field_line(sheet, "tags"), f"{len(page.tags)} tags on the page")
    for entry in page.entries:  # in stretches that are known nothing was found
        if len(entry.tags) > MAX_TAGS:
            message = f"{len(entry.tags)} tags on one entry"
            yield Finding("tags-many", entry.line_start, message)


TAGS = family_rules(
    Family.TAGS,
    (
        "tag-invalid",
        Severity.INFO,
        "A tag holds spaces, punctuation or no letter, so it is not valid. Join words with `-`.",
        invalid_tags,
    ),
    (
        "tags-many",
        Severity.INFO,
        f"Over {MAX_TAGS} tags on a page or entry. Keep those that group it.",
        too_many_tags,
    ),
)
