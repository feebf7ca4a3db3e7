"""The body of one page: what it holds too little of, too much of, or left open."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from memwiki.check.page_rules.front_matter import parser_problems
from memwiki.check.rule import CheckedPage, CheckRule, Family, Finding
from memwiki.markdown.entry_marks import indent_of
from memwiki.markdown.syntax import LIST_MARKER
from memwiki.nouns import Section, Severity

MAX_LINES = 400
MAX_BYTES = 48_000
STUB_CHARACTERS = 60  # of text without marks; a CJK character counts double
_FENCE = re.compile(rf"[ \t>]*(?:{LIST_MARKER}[ \t]+)*(`{{3,}}|~{{3,}})")
_OPENING = re.compile(r"[ \t>]*(?:`{3,}|~{3,})[ \t]?[A-Za-z][\w+#.-]*[ \t\r]*$")
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff]")
_BOMS = re.compile(rb"\A(?:\xef\xbb\xbf)+")
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_MARKS = re.compile(r"[#>*_`|\[\]()!~=-]+")


def empty_or_stub(sheet: CheckedPage) -> Iterator[Finding]:
    """Pages that say nothing, or hardly anything."""
    if sheet.page.problems and any(p.code.startswith("page-") for p in sheet.page.problems):
        return
    text = "\n".join(sheet.lines[sheet.body_start :])
    if not text.strip():
        if not sheet.page.fields and sheet.is_subject:
            yield Finding("page-empty", 1, "the page is empty")
        elif sheet.is_subject:
            yield Finding("page-stub", 1, "no text below the front matter")
        return
    if sheet.is_subject and len(text) < STUB_CHARACTERS * 20 and _is_short(text):
        message = f"almost no text (under {STUB_CHARACTERS} characters)"
        yield Finding("page-stub", sheet.body_start + 1, message)


def _is_short(text: str) -> bool:
    if "<!--" in text:
        text = _COMMENT.sub("", text)
    words = " ".join(_MARKS.sub(" ", text).split())
    return len(words) + len(_CJK.findall(words)) < STUB_CHARACTERS


def too_long(sheet: CheckedPage) -> Iterator[Finding]:
    """Pages that nobody reads at a sitting, and that cost an agent its window."""
    if not sheet.is_subject:
        return
    lines, size = len(sheet.lines), sheet.size
    if lines > MAX_LINES or size > MAX_BYTES:
        kilobytes = f"{size / 1000:.0f} kB"
        yield Finding("page-long", 1, f"{lines} lines, {kilobytes}: split it and link the parts")


def unclosed_fence(sheet: CheckedPage) -> Iterator[Finding]:
    """Fences that nothing closes, or nothing before another one opens."""
    if "```" not in sheet.page.text and "~~~" not in sheet.page.text:
        return
    for first, end in sheet.structure.code:
        opened = _FENCE.match(sheet.lines[first])
        if not opened:
            continue  # indented code
        mark = opened[1]
        if any(_opens(line, mark) for line in sheet.lines[first + 1 : end]):
            message = "another code block opens before this one is closed"
            yield Finding("fence-unclosed", first + 1, message)
        elif end == len(sheet.lines) and not _closes(sheet, first, end, mark):
            yield Finding("fence-unclosed", first + 1, "this code block is not closed")


def _opens(line: str, mark: str) -> bool:
    """Whether a line inside a block was meant to open one: a fence that names a language."""
    return mark in line and bool(_OPENING.match(line)) and line.lstrip(" \t>").startswith(mark)


def _closes(sheet: CheckedPage, first: int, end: int, mark: str) -> bool:
    last = sheet.lines[end - 1].strip(" \t>\r")
    return end - 1 > first and len(last) >= len(mark) and set(last) == {mark[0]}


def empty_sections(sheet: CheckedPage) -> Iterator[Finding]:
    """Headings with nothing below them before the next one of their level or above."""
    if not sheet.is_subject:
        return
    for section, following in pairwise((*sheet.page.sections, None)):
        if section is None or (following and _is_below(sheet, following, section)):
            continue
        stop = following.line_start - 1 if following else len(sheet.lines)
        below = sheet.lines[section.line_start : stop]
        if not any(map(str.strip, below)) and section.level > 1:
            yield Finding(
                "section-empty", section.line_start, f"section `{section.title}` is empty"
            )


def _is_below(sheet: CheckedPage, following: Section, section: Section) -> bool:
    """Whether a heading is below the one before: smaller, or in an item of its item."""
    one, other = (indent_of(sheet.lines[each.line_start - 1]) for each in (section, following))
    return following.level > section.level or other > one


def mixed_line_ends(sheet: CheckedPage) -> Iterator[Finding]:
    """Pages in which some lines end with CR LF and some with LF."""
    crlf, total = sheet.data.count(b"\r\n"), sheet.data.count(b"\n")
    if sheet.is_kept or not 0 < crlf < total or not sheet.is_plain:
        return
    minority, number = ("CR LF", crlf) if crlf * 2 <= total else ("LF", total - crlf)
    line = next(
        number
        for number, text in enumerate(sheet.lines, 1)
        if text.endswith("\r") == (minority == "CR LF")
    )
    yield Finding("eol-mixed", line, f"{number} of {total} lines end with {minority}")


def one_line_end(sheet: CheckedPage) -> bytes:
    """All lines end as most of them do."""
    data = sheet.data
    if not sheet.is_plain:
        return data
    crlf, total = data.count(b"\r\n"), data.count(b"\n")
    plain = data.replace(b"\r\n", b"\n")
    return plain if crlf * 2 <= total else plain.replace(b"\n", b"\r\n")


def byte_order_mark(sheet: CheckedPage) -> Iterator[Finding]:
    """A mark at the very start that other programs take for text."""
    if sheet.data.startswith(b"\xef\xbb\xbf") and not sheet.is_kept:
        yield Finding("bom", 1, "the file starts with a byte order mark")


def without_mark(sheet: CheckedPage) -> bytes:
    """The same bytes without the mark, however often it was written."""
    return _BOMS.sub(b"", sheet.data)


RULES: tuple[CheckRule[CheckedPage], ...] = (
    CheckRule(
        "conflict-marker",
        Family.CONTENT,
        Severity.ERROR,
        "A merge was left unfinished. Keep what is right and delete the marker lines.",
        parser_problems,
    ),
    CheckRule(
        "page-empty",
        Family.CONTENT,
        Severity.WARNING,
        "The page has neither fields nor text. Write it or delete it.",
        empty_or_stub,
    ),
    CheckRule(
        "page-stub",
        Family.CONTENT,
        Severity.INFO,
        f"Almost no text (under {STUB_CHARACTERS} characters). Write the page or delete it.",
        empty_or_stub,
    ),
    CheckRule(
        "page-long",
        Family.CONTENT,
        Severity.INFO,
        f"Over {MAX_LINES} lines or {MAX_BYTES // 1000} kB: split it and link the parts.",
        too_long,
    ),
    CheckRule(
        "page-too-large",
        Family.CONTENT,
        Severity.WARNING,
        "The page is over `files.max_bytes`; only its title and head are indexed. Split it.",
        parser_problems,
    ),
    CheckRule(
        "page-binary",
        Family.CONTENT,
        Severity.WARNING,
        "Over 10 % control characters: not text, and not indexed. Give the file another suffix.",
        parser_problems,
    ),
    CheckRule(
        "utf8-invalid",
        Family.CONTENT,
        Severity.WARNING,
        "Some bytes are not UTF-8 and cannot be read. Save the page as UTF-8.",
        parser_problems,
    ),
    CheckRule(
        "nul-character",
        Family.CONTENT,
        Severity.WARNING,
        "The page holds NUL characters, after a failed write or in a wrong encoding. Remove them.",
        parser_problems,
    ),
    CheckRule(
        "fence-unclosed",
        Family.CONTENT,
        Severity.WARNING,
        "A code block is not closed, so what follows is code, up to the next fence or the end. "
        "Close it.",
        unclosed_fence,
    ),
    CheckRule(
        "section-empty",
        Family.CONTENT,
        Severity.INFO,
        "A section is empty. Write its text or delete its heading.",
        empty_sections,
    ),
    CheckRule(
        "bom",
        Family.CONTENT,
        Severity.INFO,
        "The file starts with a byte order mark, which memwiki ignores and others may not.",
        byte_order_mark,
        without_mark,
    ),
    CheckRule(
        "eol-mixed",
        Family.CONTENT,
        Severity.INFO,
        "Some lines end with CR LF and some with LF. The fix uses the more frequent one.",
        mixed_line_ends,
        one_line_end,
    ),
)
