"""Rules of the text of one page: what it holds too little of, too much of, twice, or left open."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise
from posixpath import dirname

from memwiki.check.page_rules.fields import parser_problems
from memwiki.check.rule import CheckedPage, Family, Finding, Findings, family_rules
from memwiki.markdown.describe import is_in
from memwiki.markdown.entries import (
    indent_of,
    is_template_page,
    is_template_text,
    may_be_template_text,
)
from memwiki.markdown.private import idle_marks
from memwiki.markdown.syntax import LIST_MARKER, is_step
from memwiki.names import leads_out, path_in
from memwiki.nouns import PATH_KINDS, Entry, Section, Severity
from memwiki.records import grouped
from memwiki.secrets import secrets_in
from memwiki.text import holds, pattern

MAX_LINES = 400
MAX_BYTES = 48_000
STUB_CHARACTERS = 60  # of text without marks; a CJK character counts double
_MAX_TWINS = 20  # entries of one id that are compared
_IDS = pattern(r"\^(m-[A-Za-z0-9]+)(?=[ \t\r]|$)", re.MULTILINE)  # also where one is named
_FENCE = pattern(rf"[ \t>]*(?:{LIST_MARKER}[ \t]+)*(`{{3,}}|~{{3,}})")
_OPENING = pattern(r"[ \t>]*(?:`{3,}|~{3,})[ \t]?[A-Za-z][\w+#.-]*[ \t\r]*$")
_CODE_INDENT = 4
_CJK = pattern(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff]")
_BOMS = pattern(rb"\A(?:\xef\xbb\xbf)+")
_COMMENT = pattern(r"<!--.*?-->", re.DOTALL)
_MARKS = pattern(r"[#>*_`|\[\]()!~=-]+")
_MIN_CHARACTERS = 12  # of an item: `- Tea.` may well be written twice
# A file of one machine: nobody else has it there.
_MACHINE = pattern(r"file:|[A-Za-z]:[\\/]|\\\\|~/|/(?:home|Users|root|tmp|mnt|private|var)/")


def empty_or_stub(sheet: CheckedPage) -> Findings:
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


def too_long(sheet: CheckedPage) -> Findings:
    """Pages that nobody reads at a sitting, and that cost an agent its window."""
    if not sheet.is_subject:
        return
    lines, size = len(sheet.lines), sheet.size
    if lines > MAX_LINES or size > MAX_BYTES:
        kilobytes = f"{size / 1000:.0f} kB"
        yield Finding("page-long", 1, f"{lines} lines, {kilobytes}: split it and link the parts")


def unclosed_fence(sheet: CheckedPage) -> Findings:
    """Fences that nothing closes, or nothing before another one opens."""
    if not holds(sheet.page.text, "```", "~~~"):
        return
    for first, end in sheet.structure.code:
        opened = _FENCE.match(sheet.lines[first])
        if not opened or _is_indented(sheet.lines[first:end], opened[1]):
            continue
        mark = opened[1]
        deep = _columns(opened[0]) + _CODE_INDENT  # too far from the margin to be a fence beside it
        inner = (line for line in sheet.lines[first + 1 : end] if _columns(line) < deep)
        if any(_opens(line, mark) for line in inner):
            message = "another code block opens before this one is closed"
            yield Finding("fence-unclosed", first + 1, message)
        elif end == len(sheet.lines) and not _closes(sheet, first, end, mark):
            yield Finding("fence-unclosed", first + 1, "this code block is not closed")


def _is_indented(lines: Sequence[str], mark: str) -> bool:
    """Whether a block is indented code that shows fences: a fence ends where it is closed."""
    inner = (each.strip(" \t\r") for each in lines[1:-1])
    is_closed = any(each.startswith(mark) and set(each) == {mark[0]} for each in inner)
    return is_closed and _columns(lines[0]) >= _CODE_INDENT


def _columns(line: str) -> int:
    return indent_of(line.expandtabs(_CODE_INDENT))


def _opens(line: str, mark: str) -> bool:
    """Whether a line inside a block was meant to open one: a fence that names a language."""
    return mark in line and bool(_OPENING.match(line)) and line.lstrip(" \t>").startswith(mark)


def _closes(sheet: CheckedPage, first: int, end: int, mark: str) -> bool:
    last = sheet.lines[end - 1].strip(" \t>\r")
    return end - 1 > first and len(last) >= len(mark) and set(last) == {mark[0]}


def empty_sections(sheet: CheckedPage) -> Findings:
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


def mixed_line_ends(sheet: CheckedPage) -> Findings:
    """Pages in which some lines end with CR LF and some with LF."""
    if b"\r" not in sheet.data:
        return
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


def byte_order_mark(sheet: CheckedPage) -> Findings:
    """A mark at the very start that other programs take for text."""
    if sheet.data.startswith(b"\xef\xbb\xbf") and not sheet.is_kept:
        yield Finding("bom", 1, "the file starts with a byte order mark")


def without_mark(sheet: CheckedPage) -> bytes:
    """The same bytes without the mark, however often it was written."""
    return _BOMS.sub(b"", sheet.data)


TEXT = family_rules(
    Family.CONTENT,
    (
        "conflict-marker",
        Severity.ERROR,
        "A merge was left unfinished. Keep what is right and delete the marker lines.",
        parser_problems,
    ),
    (
        "page-empty",
        Severity.WARNING,
        "The page has neither fields nor text. Write it or delete it.",
        empty_or_stub,
    ),
    (
        "page-stub",
        Severity.INFO,
        f"Almost no text (under {STUB_CHARACTERS} characters). Write the page or delete it.",
        empty_or_stub,
    ),
    (
        "page-long",
        Severity.INFO,
        f"Over {MAX_LINES} lines or {MAX_BYTES // 1000} kB: split it and link the parts.",
        too_long,
    ),
    (
        "page-too-large",
        Severity.WARNING,
        "The page is over `files.max_bytes`; only its title and head are indexed. Split it.",
        parser_problems,
    ),
    (
        "page-binary",
        Severity.WARNING,
        "Over 10 % control characters: not text, and not indexed. Give the file another suffix.",
        parser_problems,
    ),
    (
        "utf8-invalid",
        Severity.WARNING,
        "Some bytes are not UTF-8 and cannot be read. Save the page as UTF-8.",
        parser_problems,
    ),
    (
        "nul-character",
        Severity.WARNING,
        "The page holds NUL characters, after a failed write or in a wrong encoding. Remove them.",
        parser_problems,
    ),
    (
        "returns-alone",
        Severity.WARNING,
        "Its lines end in carriage returns alone, as on old Macs. Save it with line feeds.",
        parser_problems,
    ),
    (
        "fence-unclosed",
        Severity.WARNING,
        "A code block is not closed, so what follows is code, up to the next fence or the end. "
        "Close it.",
        unclosed_fence,
    ),
    (
        "section-empty",
        Severity.INFO,
        "A section is empty. Write its text or delete its heading.",
        empty_sections,
    ),
    (
        "bom",
        Severity.INFO,
        "The file starts with a byte order mark, which memwiki ignores and others may not.",
        byte_order_mark,
        without_mark,
    ),
    (
        "eol-mixed",
        Severity.INFO,
        "Some lines end with CR LF and some with LF. The fix uses the more frequent one.",
        mixed_line_ends,
        one_line_end,
    ),
)


def doubled_entries(sheet: CheckedPage) -> Findings:
    """Entries that stand twice in one section, letter for letter."""
    for entry in _doubled(sheet):
        text = entry.text.split("\n", 1)[0][:60]
        yield Finding("entry-duplicate", entry.line_start, f"appears twice in its section: {text}")


def _doubled(sheet: CheckedPage) -> list[Entry]:
    lines = [*filter(None, map(str.rstrip, sheet.lines[sheet.body_start :]))]
    if not sheet.has_entries or len({*lines}) == len(lines):
        return []
    seen: set[tuple[str, str]] = set()
    doubled = []
    for entry in sheet.entries:
        if _may_recur(entry, sheet) and not (entry.id or "created" in entry.fields):
            continue
        written = "\n".join(
            line.rstrip() for line in sheet.lines[entry.line_start - 1 : entry.line_end]
        )
        key = (entry.section, written)
        if len(written) >= _MIN_CHARACTERS and key in seen:
            doubled.append(entry)
        seen.add(key)
    return doubled


def _may_recur(entry: Entry, sheet: CheckedPage) -> bool:
    """Whether what an entry says may happen twice, or is a step of a numbered list, so that only
    its marks tell a copy."""
    is_event = entry.type == "event" or is_in(sheet.inner, sheet.layers.daily)
    return is_event or is_step(sheet.lines[entry.line_start - 1])


def without_doubled(sheet: CheckedPage) -> bytes:
    """The lines without the second and any later copy of an entry."""
    return sheet.without_lines([(each.line_start, each.line_end) for each in _doubled(sheet)])


def doubled_ids(sheet: CheckedPage) -> Findings:
    """Two entries under one id, as when both sides of a merge changed the same entry."""
    seen: dict[str, Entry] = {}
    left = {each.line_start for each in _overtaken(sheet)}
    for entry in (each for each in _of_shared_ids(sheet) if each.line_start not in left):
        if _content_of(seen.setdefault(entry.id, entry)) != _content_of(entry):
            message = f"`^{entry.id}` is the id of two entries: keep one of them"
            yield Finding("entry-id-duplicate", entry.line_start, message)


def overtaken_entries(sheet: CheckedPage) -> Findings:
    """Entries beside what they became, as when one side of a merge changed a line near them."""
    for entry in _overtaken(sheet):
        message = f"`^{entry.id}` is there as it was, and as it is now"
        yield Finding("entry-overtaken", entry.line_start, message)


def _of_shared_ids(sheet: CheckedPage) -> list[Entry]:
    ids = _IDS.findall(sheet.page.text)
    return [each for each in sheet.entries if each.id] if len({*ids}) < len(ids) else []


def _overtaken(sheet: CheckedPage) -> list[Entry]:
    """Entries of which another one has the id and the words, and more: that it is over, private,
    of some importance."""
    by_id = grouped((each.id, each) for each in _of_shared_ids(sheet))
    return [
        each
        for twins in by_id.values()
        for each in (twins if len(twins) <= _MAX_TWINS else ())
        if any(_has_more(other, each) for other in twins)
    ]


def _has_more(now: Entry, before: Entry) -> bool:
    return (
        (now.text, now.type) == (before.text, before.type)
        and before.fields.items() <= now.fields.items()
        and before.is_superseded <= now.is_superseded
        and _content_of(now) != _content_of(before)
    )


def _content_of(entry: Entry) -> tuple[str, Mapping[str, str], bool]:
    return entry.text, entry.fields, entry.is_superseded


def without_overtaken(sheet: CheckedPage) -> bytes:
    """The lines without what stands there as it was."""
    return sheet.without_lines([(each.line_start, each.line_end) for each in _overtaken(sheet)])


ENTRIES = family_rules(
    Family.CONTENT,
    (
        "entry-duplicate",
        Severity.WARNING,
        "An entry appears twice in a section, usually after a merge; an event or a numbered item "
        "only with its id or `created`. The fix keeps the first.",
        doubled_entries,
        without_doubled,
    ),
    (
        "entry-id-duplicate",
        Severity.WARNING,
        "Two different entries have one id, usually after a merge. Keep one.",
        doubled_ids,
    ),
    (
        "entry-overtaken",
        Severity.WARNING,
        "An entry stands beside what it became, usually after a merge. The fix keeps the latter.",
        overtaken_entries,
        without_overtaken,
    ),
)


def template_lines(sheet: CheckedPage) -> Findings:
    """Examples among the entries of a page, and the line that says they are some."""
    for line in _lines(sheet):
        text = sheet.lines[line - 1].strip()[:60]
        yield Finding("template-line", line, f"is an example of the template, not a memory: {text}")


def _lines(sheet: CheckedPage) -> list[int]:
    is_asked = sheet.inner in (sheet.layers.memory, sheet.layers.learnings)
    pieces = ("\n".join(lines) for _, lines in sheet.pieces)
    if not (is_asked and any(map(may_be_template_text, pieces))):
        return []
    # What somebody wrote below an example belongs to it.
    own = {
        line
        for entry in sheet.entries
        if entry.line_end > entry.line_start
        for line in range(entry.line_start, entry.line_end + 1)
    }
    start = sheet.body_start
    body = enumerate(sheet.lines[start:], start + 1)
    return [line for line, text in body if line not in own and is_template_text(text)]


def without_template_lines(sheet: CheckedPage) -> bytes:
    """The page without its examples."""
    return sheet.without_lines([(line, line) for line in _lines(sheet)])


def template_pages(sheet: CheckedPage) -> Findings:
    """Pages that explain memwiki as an earlier template did."""
    is_old = is_template_page(sheet.inner, sheet.page.digest)
    if is_old and sheet.inner not in (sheet.layers.memory, sheet.layers.learnings):
        yield Finding("template-page", 1, "is as an earlier template wrote it")


TEMPLATE = family_rules(
    Family.CONTENT,
    (
        "template-line",
        Severity.WARNING,
        "A memory is an example that the template wrote, and no agent gets it. The fix deletes it.",
        template_lines,
        without_template_lines,
    ),
    (
        "template-page",
        Severity.INFO,
        "The page is as an earlier template wrote it, so recall leaves it out. "
        "`memwiki delete` removes it.",
        template_pages,
    ),
)


def idle(sheet: CheckedPage) -> Findings:
    """Marks in code, comments, math, the front matter and targets of links."""
    for line in idle_marks(sheet.page.path, sheet.data, sheet.layers):
        message = "the mark `private` hides nothing here; put it in the text of its item or heading"
        yield Finding("private-idle", line, message)


PRIVATE = family_rules(
    Family.CONTENT,
    (
        "private-idle",
        Severity.WARNING,
        "`[private:: true]` hides nothing in code, a comment, math, the front matter or the target "
        "of a link. Put it in the text.",
        idle,
    ),
)


def secrets(sheet: CheckedPage) -> Findings:
    """Tokens, keys and passwords, one a line; the message shows no more than how one begins."""
    for above, lines in sheet.pieces:
        for secret in secrets_in("\n".join(lines)):
            yield Finding("secret", above + secret.line, f"looks like {secret.what}")


SECRETS = family_rules(
    Family.CONTENT,
    (
        "secret",
        Severity.ERROR,
        "The text holds a key, token or password. Revoke it, and keep secrets elsewhere.",
        secrets,
    ),
)


def escaping_links(sheet: CheckedPage) -> Findings:
    """Links to files outside the workspace, but for those of a source, which nobody may change."""
    for link in sheet.page.links if not sheet.is_kept else ():
        if link.kind not in PATH_KINDS:
            continue
        if _MACHINE.match(link.written):
            message = f"{link.written}: a path of one machine; copy the file into the workspace"
            yield Finding("link-escapes", link.line, message)
        elif _leads_out(sheet.page.path, link.written):
            message = f"{link.written}: leads out of the workspace, where links are not checked"
            yield Finding("link-escapes", link.line, message)


def _leads_out(source: str, written: str) -> bool:
    if ".." not in written or written.startswith("/"):
        return False
    return leads_out(path_in(dirname(source), written))


ESCAPES = family_rules(
    Family.LINKS,
    (
        "link-escapes",
        Severity.WARNING,
        "A link leads out of the workspace or to a path of one machine. Copy the file, or use a "
        "URL.",
        escaping_links,
    ),
)
