"""Text that a person or agent hands over for a page: checked, and shaped to where it goes."""

from __future__ import annotations

import re
from collections.abc import Sequence

from memwiki.errors import CatalogTextError, NotEditableError, PageTooLongError, UsageError
from memwiki.markdown.edit.sections import Splice, others
from memwiki.markdown.outline import Outline, PageKind
from memwiki.markdown.scanner import scan
from memwiki.markdown.source import Patch
from memwiki.markdown.structure import open_block
from memwiki.markdown.syntax import LIST_MARKER
from memwiki.names import SURROGATE, require_str
from memwiki.nouns import Section
from memwiki.records import NamedTuple
from memwiki.text import pattern

_CONTROL = pattern(r"[\x00-\x08\x0b\x0e-\x1f\x7f]")
_BLANK_LINES = pattern(r"\A(?:[ \t]*\n)+|(?:\n[ \t]*)+\Z")
_ITEM_HEAD = pattern(r"([ \t]*)[-*+][ \t]+#")
_ANY_ITEM = pattern(r"([ \t]*)[-*+][ \t]")
_ITEM = pattern(rf"({LIST_MARKER})[ \t]+(?=\S)")


def checked(text: str) -> str:
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


def shaped(text: str, page: Outline, section: Section | None = None) -> str:
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
        width = len(marker[0]) if marker else width
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


def changed(page: Outline, splice: Splice, max_bytes: int) -> Outline:
    """The page with text put in; refused when that would change more than asked for."""
    lines = ChangedLines(splice.start, splice.stop, splice.stop_after)
    return patched(page, [splice.patch], lines, max_bytes)


class ChangedLines(NamedTuple):
    """The lines that patches may change, from 0 and half-open, and where they end afterwards."""

    start: int
    stop: int
    stop_after: int


def patched(
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
