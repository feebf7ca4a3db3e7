"""Rules of the fields of one page: what the parser met, what says not what it should, and tags; and
of characters that nobody sees: left by a copy from elsewhere, or put there to hide something."""

from __future__ import annotations

from collections import Counter
from operator import add
from unicodedata import category, name

from memwiki.check.facts import field_line, on_lines
from memwiki.check.rule import CheckedPage, Family, Finding, Findings, family_rules
from memwiki.markdown.fields import first_text, is_form, split_tags
from memwiki.markdown.frontmatter import load, quote_values
from memwiki.markdown.tags import MAX_TAGS, find_tags
from memwiki.names import JOINERS, fold
from memwiki.nouns import DENDRON, FrontMatterStatus, Severity, Span
from memwiki.records import grouped
from memwiki.text import pattern

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
    mended = quote_values(plain)
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
    by_line = grouped((line, tag) for tag, line in on_lines(sheet, "tags", bad, _SPELLINGS))
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


# Overrides, embeddings and isolates, which let a line read otherwise than it stands.
# Source: Boucher and Anderson, "Trojan Source: Invisible Vulnerabilities", 2021.
_BIDI = pattern("[\u202a-\u202e\u2066-\u2069]")
# Characters without width, tags that spell hidden ASCII, and runs of variation selectors.
_WITHOUT_WIDTH = (
    "\u00ad\u061c\u180e\u200b-\u200f\u2060-\u2064\u206a-\u206f\ufeff\U000e0001\U000e0020-\U000e007f"
)
_SELECTORS = "\ufe00-\ufe0f\U000e0100-\U000e01ef"
_HIDDEN = pattern(f"[{_WITHOUT_WIDTH}]|[{_SELECTORS}]{{2,}}")
_ODD = pattern(f"[{_WITHOUT_WIDTH}{_SELECTORS}]")  # one set is looked for thrice as fast
_MARKS = "\u061c\u200e\u200f"
_FLAG = "\U0001f3f4"
_ALL_TAGS = "".join(map(chr, range(0xE0020, 0xE0080)))
_FLAG_TAGS = 8  # those of `gbsct`, the end tag and some to spare
_RTL = pattern(
    "[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]"
)
# Where they belong to the spelling: between words of scripts without blanks, in Mongolian words.
_WORD_BREAK, _VOWEL_SEPARATOR = "\u200b", "\u180e"
_WITHOUT_BLANKS = pattern("[\u0e00-\u0fff\u1000-\u109f\u1780-\u17ff\u1950-\u19df\ua9e0-\uaa7f]")
_MONGOLIAN = pattern("[\u1800-\u18af]")
_NEAR = 200
_MAX_SHOWN_KINDS = 3


def hidden_characters(sheet: CheckedPage) -> Findings:
    """The hidden characters of a page, reported at the first of them."""
    text = sheet.page.text
    spans = [] if text.isascii() else _hidden(text)
    if spans:
        kinds = Counter(text[start] for start, _ in spans)
        first = kinds.most_common(_MAX_SHOWN_KINDS)
        shown = [f"{_character_name(each)} ({number})" for each, number in first]
        more = [f"{len(kinds) - len(first)} other kinds"] if len(kinds) > len(first) else []
        line = text.count("\n", 0, spans[0][0]) + 1
        yield Finding("hidden-character", line, ", ".join([*shown, *more]))


def _character_name(character: str) -> str:
    return f"U+{ord(character):04X} {name(character, 'unnamed').lower()}"


def bidi_controls(sheet: CheckedPage) -> Findings:
    """Controls that change the order in which text is shown, where no text runs to the left."""
    text = sheet.page.text
    found = () if text.isascii() else [m.start() for m in _BIDI.finditer(text)]
    odd = [at for at in found if not _has_rtl(text, at)]
    if odd:
        called = ", ".join(sorted({f"U+{ord(text[at]):04X}" for at in odd}))
        line = text.count("\n", 0, odd[0]) + 1
        yield Finding("bidi-control", line, f"{called}: displays in a different order than stored")


def without_hidden(sheet: CheckedPage) -> bytes:
    """The bytes without hidden characters; a page in another encoding stays."""
    try:
        text = sheet.data.decode("utf-8") if sheet.is_plain else ""
    except UnicodeDecodeError:
        text = ""
    if not text:
        return sheet.data
    kept, done = [], 0
    for start, end in _hidden(text):
        kept.append(text[done:start])
        done = end
    return "".join([*kept, text[done:]]).encode("utf-8")


def _hidden(text: str) -> list[Span]:
    head = len(text) - len(
        text.lstrip("\ufeff")
    )  # marks of the file, which have a rule of their own
    is_odd = _ODD.search(text, head)
    found = (match.span() for match in (_HIDDEN.finditer(text, head) if is_odd else ()))
    return [(start, end) for start, end in found if not _is_meant(text, start, end)]


def _is_meant(text: str, start: int, end: int) -> bool:
    """Whether a character without width does here what it is for."""
    character = text[start]
    if character in JOINERS:
        return _joins(text, start, end)
    if character in _MARKS:
        return _has_rtl(text, start)
    if character == _WORD_BREAK:
        return _WITHOUT_BLANKS.match(text, start - 1) is not None
    if character == _VOWEL_SEPARATOR:
        return _MONGOLIAN.match(text, start - 1) is not None
    if character in _ALL_TAGS:
        return _is_in_flag(text, start)
    return False


def _joins(text: str, start: int, end: int) -> bool:
    """Whether it stands between parts of an emoji, or letters of a script that has joined forms."""
    before, after = text[start - 1 : start], text[end : end + 1]
    return _takes_joiner(before) and (_is_word_end(after) or _takes_joiner(after))


def _is_word_end(text: str) -> bool:
    """Whether a word ends here: Indic scripts write a joiner after the last letter."""
    return not text or text.isspace() or category(text).startswith("P")


def _takes_joiner(character: str) -> bool:
    if not character or ord(character) < 0x590:
        return False
    is_cjk = 0x2E80 <= ord(character) <= 0xD7FF
    return category(character) in ("So", "Sk", "Mn", "Mc", "Lo") and not is_cjk


def _has_rtl(text: str, at: int) -> bool:
    """Whether text that runs from right to left is near."""
    return _RTL.search(text, max(at - _NEAR, 0), at + _NEAR) is not None


def _is_in_flag(text: str, at: int) -> bool:
    """Whether a tag belongs to a flag such as that of Scotland."""
    start = max(at - _FLAG_TAGS, 0)
    return text[start:at].rstrip(_ALL_TAGS).endswith(_FLAG)


UNICODE = family_rules(
    Family.CONTENT,
    (
        "bidi-control",
        Severity.WARNING,
        "A control character reorders the displayed text. Delete it unless it is intended.",
        bidi_controls,
    ),
    (
        "hidden-character",
        Severity.WARNING,
        "An invisible character breaks searches or hides text. The fix deletes it.",
        hidden_characters,
        without_hidden,
    ),
)
