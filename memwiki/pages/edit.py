"""Text that a person or agent hands over for a page: checked, shaped to where it goes, and added,
put in the place of a section, or of what is there exactly once."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import islice

from memwiki.change.plan import Plan
from memwiki.errors import (
    AmbiguousError,
    ArgumentError,
    CatalogTextError,
    NotEditableError,
    NotFoundError,
    PageTooLongError,
    UsageError,
)
from memwiki.markdown.edit.sections import (
    Splice,
    body_end,
    body_replaced,
    first_heading,
    has_heading,
    others,
    splice_at_end,
    splice_instead,
)
from memwiki.markdown.outline import Outline, PageKind
from memwiki.markdown.scanner import scan
from memwiki.markdown.source import Patch
from memwiki.markdown.structure import find_section, open_block
from memwiki.markdown.syntax import LIST_MARKER
from memwiki.names import SURROGATE, normalised, require_str
from memwiki.nouns import Section
from memwiki.numbers import counted
from memwiki.pages.page import page_plan
from memwiki.records import NamedTuple
from memwiki.sequences import shared_ends
from memwiki.text import pattern

_SHOWN_LINES = 8


def edit_text(page: Outline, old: str, new: str, *, max_bytes: int) -> Plan:
    """A plan that changes what differs between two texts where the first one stands; a line feed in
    them is the line end that the page has there."""
    old, new = old.replace("\r\n", "\n"), new.replace("\r\n", "\n").replace("\r", "\n")
    if not old:
        raise ArgumentError("old", None, "is empty", "give the text to replace")
    text = page.text.replace("\r\n", "\n")
    if (
        old not in text and (apart := normalised("NFD", old)) in text
    ):  # as macOS may have written it
        old = apart
        if (
            normalised("NFC", decomposed := normalised("NFD", new)) == new
        ):  # no sign becomes another
            new = decomposed
    start = _only_place(page.path, text, old)
    patch = _difference(page, text, start, old, new)
    require_text(patch.text)
    after = page.edited([patch])
    _require_whole(page, after, patch, max_bytes)
    return page_plan(page, after, "replaced text")


# --- where it stands -----------------------------------------------------------------------------


class _Places(NamedTuple):
    """Where a text stands, each place an offset: the first few of them, and how many there are."""

    first: tuple[int, ...]
    total: int


def _places(text: str, old: str) -> _Places:
    """The places that do not overlap, and of those that do the second one: all others would not be
    found in linear time."""
    first = text.find(old)
    if first < 0:
        return _Places((), 0)
    second = text.find(old, first + 1)
    if 0 <= second < first + len(old):
        return _Places((first, second), 2)
    count, found, at = text.count(old), [first], second
    for _ in islice(range(count), _SHOWN_LINES - 1):
        if at < 0:
            break
        found.append(at)
        at = text.find(old, at + len(old))
    return _Places(tuple(found), count)


def _only_place(path: str, text: str, old: str) -> int:
    places = _places(text, old)
    if not places.total:
        raise NotFoundError.at(
            path,
            "the old text is not in it (0 times)",
            "memwiki get {} shows the text as it is now",
            path,
        )
    if places.total > 1:
        lines = [text.count("\n", 0, at) + 1 for at in places.first]
        more = ", ..." if places.total > len(lines) else ""
        shown = ", ".join(map(str, lines))
        raise AmbiguousError.at(
            path,
            f"the old text is in it {counted(places.total, 'time')}, at lines {shown}{more}",
            "give more of the text around it, so that it is there once",
            candidates=tuple(f"{path}:{line}" for line in dict.fromkeys(lines)),
        )
    return places.first[0]


def _difference(page: Outline, text: str, start: int, old: str, new: str) -> Patch:
    """The patch that changes no more than what differs, in the offsets of the page."""
    same, tail = shared_ends(old, new)
    first, end = start + same, start + len(old) - tail
    return Patch(_offset(page, text, first), _offset(page, text, end), new[same : len(new) - tail])


def _offset(page: Outline, text: str, at: int) -> int:
    """The offset in the page of one in its text with line feeds alone."""
    line_start = text.rfind("\n", 0, at) + 1
    return page.offset(text.count("\n", 0, line_start), at - line_start)


# --- what holds afterwards -----------------------------------------------------------------------


def _require_whole(page: Outline, after: Outline, patch: Patch, max_bytes: int) -> None:
    """Refuse what makes another kind of file of the page, or its front matter unreadable."""
    if (size := len(after.data)) > max_bytes and size > len(page.data):
        raise PageTooLongError(page.path, size, max_bytes, "put a part of it on a page of its own")
    if after.is_catalog and not page.is_catalog:
        raise CatalogTextError(page.path)
    known = {problem.code for problem in page.loaded.problems}
    for problem in after.loaded.problems:
        if problem.code not in known:
            _refuse(page.path, problem.line, problem.message)
    is_inside = page.start and patch.end < page.offset(page.start - 1, 0)
    if is_inside and not after.start:
        _refuse(page.path, 1, "it would be read as text")


def _refuse(path: str, line: int, why: str) -> None:
    raise NotEditableError.at(
        path,
        f"with this text the front matter could not be read: {why}",
        "memwiki set changes fields; or give text that keeps the front matter whole",
        line=line,
    )


def append_text(page: Outline, text: str, *, section: str, max_bytes: int) -> Plan:
    """A plan that adds text at the end of a page's body, or of a section with its subsections."""
    target = find_section(page, section) if section else None
    after = with_text(page, text, max_bytes, target)
    return page_plan(page, after, f'added to section "{target.title}"' if target else "added text")


def with_text(page: Outline, text: str, max_bytes: int, section: Section | None = None) -> Outline:
    """The page with text added."""
    added = splice_at_end(
        page, shape_text(clean_text(text), page, section), section, body_end(page)
    )
    return splice_page(page, added, max_bytes)


def replace_text(page: Outline, text: str, *, section: str, max_bytes: int) -> Plan:
    """A plan that replaces the text of a section, or without one that of the page."""
    if section:
        return replace_section(page, text, section=section, max_bytes=max_bytes)
    _require_body(page)
    text = clean_text(text)
    _require_no_front_matter(page, text)
    after = splice_page(
        page, body_replaced(page, shape_text(text, page) if page.is_logseq else text), max_bytes
    )
    return page_plan(page, after, "replaced the text")


def replace_section(page: Outline, text: str, *, section: str, max_bytes: int) -> Plan:
    """A plan that replaces all below a heading, subsections too; the text may begin with the
    heading."""
    target = find_section(page, section)
    text = clean_text(text)
    _require_level(page.path, text, target)
    shaped_text = shape_text(text, page, None if has_heading(text, target) else target)
    after = splice_page(page, splice_instead(page, shaped_text, target), max_bytes)
    return page_plan(page, after, f'replaced section "{target.title}"')


def _require_level(path: str, text: str, section: Section) -> None:
    """Refuse a heading that would move the section to another place in the outline."""
    heading = first_heading(text)
    if heading and has_heading(text, section) and heading.level != section.level:
        mark = "#" * section.level
        raise UsageError.at(
            path,
            f"the text begins with the heading {section.title!r} at another level",
            f"begin it with {mark} {section.title}, or leave the heading out",
        )


def _require_body(page: Outline) -> None:
    """Refuse a page whose text begins nobody knows where, or is what others said."""
    if page.kind is PageKind.SESSION:
        raise NotEditableError.at(
            page.path,
            "holds the messages of a session, which are not replaced as a whole",
            "memwiki append {} TEXT adds to it",
            page.path,
        )
    if not page.start and page.loaded.problems:
        raise NotEditableError(
            f"{page.path}:1: the front matter is not closed",
            "close it by a line like its first one, so that it can be kept",
            path=page.path,
            line=1,
        )


def _require_no_front_matter(page: Outline, text: str) -> None:
    """Refuse a whole page: which of the two front matters should stay is not said."""
    own = Outline(page.layers, page.path, text)
    if own.start or own.properties or own.loaded.problems:
        raise UsageError.at(
            page.path,
            "the text begins with front matter, and that of the page is kept",
            "give the text below it; memwiki set changes fields",
        )


_CONTROL = pattern(r"[\x00-\x08\x0b\x0e-\x1f\x7f]")
_BLANK_LINES = pattern(r"\A(?:[ \t]*\n)+|(?:\n[ \t]*)+\Z")
_ITEM_HEAD = pattern(r"([ \t]*)[-*+][ \t]+#")
_ANY_ITEM = pattern(r"([ \t]*)[-*+][ \t]")
_ITEM = pattern(rf"({LIST_MARKER})[ \t]+(?=\S)")


def clean_text(text: str) -> str:
    """The text without blank lines around it, its lines ended by `\\n`; UsageError when it is
    none."""
    require_text(text)
    text = _BLANK_LINES.sub(
        "", text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    )
    if not text.strip():
        raise UsageError("text: is empty", "nothing was changed; give some text")
    if line := open_block(text.split("\n")):
        raise UsageError(
            f"text: its line {line} opens code or HTML that it does not close",
            "close it, or what follows on the page would become part of it",
        )
    return text


def require_text(text: str) -> None:
    """Refuse what no page may hold."""
    require_str("text", text)
    if found := re.search(SURROGATE, text):
        line = text.count("\n", 0, found.start()) + 1
        raise UsageError(f"text: line {line} is not valid UTF-8", "give it as UTF-8")
    if found := _CONTROL.search(text):
        line = text.count("\n", 0, found.start()) + 1
        raise UsageError(
            f"text: line {line} holds the control character U+{ord(found[0]):04X}",
            "remove that character",
        )


def shape_text(text: str, page: Outline, section: Section | None = None) -> str:
    """The text as a page of this kind takes it: entries stay entries, messages stay messages,
    blocks of an outline stand below the block that is their heading."""
    if page.kind is PageKind.SESSION:
        return _without_headings(text)
    if page.is_logseq and (section or not _ITEM.match(text)):
        blocks = text if _ITEM.match(text) else as_blocks(text)
        return _indented(blocks, _indent_of(page.lines, section)) if section else blocks
    is_entry = page.kind is PageKind.COLLECTING and _ITEM.match(text)
    return as_items(text) if is_entry else text


def _indent_of(lines: Sequence[str], section: Section) -> str:
    """The indent of blocks in a section: below its heading, or beside it where such ones are."""
    head = _ITEM_HEAD.match(lines[section.line_start - 1])
    if head is None:
        return ""
    items = filter(None, map(_ANY_ITEM.match, lines[section.line_start : section.line_end]))
    is_beside = any(len(item[1]) <= len(head[1]) for item in items)
    return head[1] if is_beside else f"{head[1]}\t"


def _indented(text: str, indent: str) -> str:
    return "\n".join(f"{indent}{line}" if line.strip() else line for line in text.split("\n"))


def as_blocks(text: str) -> str:
    """The text as an outline: each paragraph, heading or block of code an item of its own."""
    lines = text.split("\n")
    structure = scan(lines)
    inside = set[int]()
    for first, end in (*structure.code, *structure.html, *structure.items):
        inside.update(range(first + 1, end))
    begun = {item for item, _ in structure.items}
    shaped_lines, is_open = list[str](), False
    for number, line in enumerate(lines):
        if number in begun:
            shaped_lines.append(line)
        elif number in inside or (is_open and line.strip() and not line.startswith("#")):
            shaped_lines.append(f"  {line}" if is_open and line.strip() else line)
            continue
        elif line.strip():
            shaped_lines.append(f"- {line.lstrip()}")
        is_open = bool(line.strip()) and number not in begun
    return "\n".join(shaped_lines) + "\n" * text.endswith("\n")


def as_items(text: str) -> str:
    """One entry, or several when further lines begin with a marker; all other lines belong to
    one."""
    lines = text.split("\n")
    if not _ITEM.match(lines[0]):
        lines[0] = f"- {lines[0].lstrip()}"
    code = {line for first, end in scan(lines).code for line in range(first, end)}
    width, shaped_lines = 2, list[str]()
    for number, line in enumerate(lines):
        marker = _ITEM.match(line) if number not in code else None
        if marker:
            width = len(marker[0])
        is_own = bool(marker) or not line.strip() or line.startswith(" " * width)
        shaped_lines.append(line if is_own else " " * width + line)
    return "\n".join(shaped_lines)


def _without_headings(text: str) -> str:
    """The text with headings escaped that would begin or end a message; the first may begin one."""
    lines = text.split("\n")
    for heading in scan(lines).headings:
        if heading.level > 3 or (heading.line == 0 and heading.level == 3):
            continue
        mark = heading.line if heading.line_end == heading.line + 1 else heading.line_end - 1
        indent = len(lines[mark]) - len(lines[mark].lstrip())
        lines[mark] = f"{lines[mark][:indent]}\\{lines[mark][indent:]}"
    return "\n".join(lines)


def splice_page(page: Outline, splice: Splice, max_bytes: int) -> Outline:
    """The page with text put in; refused when that would change more than asked for."""
    lines = ChangedLines(splice.start, splice.stop, splice.stop_after)
    return patch_lines(page, [splice.patch], lines, max_bytes)


class ChangedLines(NamedTuple):
    """The lines that patches may change, from 0 and half-open, and where they end afterwards."""

    start: int
    stop: int
    stop_after: int


def patch_lines(
    page: Outline, patches: Sequence[Patch], lines: ChangedLines, max_bytes: int
) -> Outline:
    """The page with patches made in some lines; refused when other lines would read differently."""
    _require_closed(page, lines.start)
    after = page.edited(patches)
    if (size := len(after.data)) > max_bytes:
        raise PageTooLongError(page.path, size, max_bytes, "put a part of it on a page of its own")
    if after.is_catalog:
        raise CatalogTextError(page.path)
    _require_same(page, lines, after)
    return after


def _require_closed(page: Outline, at: int) -> None:
    """Refuse to write where code or HTML from further above goes on."""
    structure = page.structure
    blocks = (*structure.code, *structure.html)
    # What goes on from above would reach to there: only where a block does, lines are read again.
    if structure.is_certain and not any(first < at <= end for first, end in blocks):
        return
    if line := open_block(page.lines[:at], page.start):
        raise NotEditableError.at(
            page.path,
            "code or HTML that begins here is not closed",
            "close it first: what is added below would become part of it",
            line=line,
        )


def _require_same(page: Outline, lines: ChangedLines, after: Outline) -> None:
    """Refuse text that makes the rest of the page read differently."""
    before = others(page, lines.start, lines.stop)
    now = others(after, lines.start, lines.stop_after)
    if before != now or (lines.start and page.start != after.start):
        raise UsageError.at(
            page.path,
            "with this text other parts of the page would be read differently",
            "look for lines of - or = in it, or for front matter that is not closed",
        )
