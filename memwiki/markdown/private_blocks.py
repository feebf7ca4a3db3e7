"""The marks of privacy, and the blocks of a page that have one, as markdown-it parts them."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Container, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, TypeAlias

from memwiki.markdown.entries import indent_of
from memwiki.markdown.fields import is_private
from memwiki.markdown.mask import mask_comments, mask_leaf
from memwiki.markdown.outline import Outline, PageKind
from memwiki.markdown.structure import block_tokens
from memwiki.markdown.syntax import opens_math
from memwiki.markdown.units import item_lines
from memwiki.nouns import Span
from memwiki.text import pattern, span_at

if TYPE_CHECKING:
    from markdown_it.token import Token

Lines: TypeAlias = Span  # from 0 and half-open

_CONTAINERS = frozenset({"list_item_open", "blockquote_open"})
_TOP = frozenset({"paragraph_open", "heading_open", "table_open"})
_NOTE = pattern(r" {0,3}(?:\[\^[^\]\n]+\]:|:[ \t])")
_FENCED = pattern(r"[ \t>*+\-\d.)]*(?:`{3}|~{3})")
_BEFORE_MATH = " \t-+*>0123456789.)"
_MAY_MASK = pattern(r"[`$<~]|\]\(")
KEY = pattern(r"private[ \t\r\0]*::", re.IGNORECASE)
# Without its closing bracket it is one, too: what a slip of the pen left open is not shown.
_IN_BRACKETS = pattern(
    r"\[[ \t]*private[ \t]*::((?:\[\[[^\[\]\n]*\]\]|[^\[\]\n])*+)(\]?)"
    r"|\([ \t]*private[ \t]*::([^()\n]*+)(\)?)",
    re.IGNORECASE,
)
_PROPERTY = pattern(
    r"[ \t]*+(?:(?:[-*+]|\d{1,9}[.)]|\[[ xX]\]|\[![^\]\n]*\][-+]?)[ \t]++|>[ \t]*+)*+"
    r"(private)[ \t]*::[ \t]*+(.*)",
    re.IGNORECASE,
)
_TARGET = pattern(r"(\[[^\[\]\n]*\])(\((?:<[^<>\n]*>|[^\s()<>]+)(?:[ \t]+\"[^\"\n]*\")?[ \t]*\))")


def parsed_blocks(
    lines: list[str],
    start: int,
    wanted: Sequence[int],
    *,
    section_ends: Mapping[int, int] | None = None,
    is_outline: bool = False,
) -> list[Lines]:
    """The blocks that carry a mark on one of the wanted lines, which are sorted."""
    walk = _Walk(lines, start, wanted, section_ends or {})
    for token in block_tokens(lines, start, has_indented_code=not is_outline):
        walk.take(token)
    return [*walk.found, *walk.unread()]


class _Walk:
    """One walk over the blocks, outer ones first."""

    def __init__(
        self,
        lines: list[str],
        start: int,
        wanted: Sequence[int],
        section_ends: Mapping[int, int],
    ) -> None:
        self.lines, self.start, self.wanted = lines, start, wanted
        self.section_ends = section_ends
        self.found: dict[Lines, None] = {}  # in order, each once
        self.open: list[Token] = []
        self.innermost: dict[int, Lines] = {}  # the block around each wanted line
        self.read = dict.fromkeys(wanted, 0)  # how many marks of each line were met
        self.notes = notes_of(lines, start)

    def take(self, token: Token) -> None:
        if token.nesting > 0:
            self.open.append(token)
            if token.type in _CONTAINERS or (token.level == 0 and token.type in _TOP):
                block = self._lines_of(token)
                self.innermost |= dict.fromkeys(self._wanted_in(block), block)
        elif token.nesting < 0:
            self.open.pop()
        elif token.map:
            self._leaf(token)

    def unread(self) -> Iterator[Lines]:
        """The blocks of marks that no leaf has: in definitions, in cells that a table drops, and
        deeper than markdown-it goes."""
        done = 0
        for line in self.wanted:
            text = self.lines[line]
            if line < done or len(KEY.findall(text)) <= self.read[line]:
                continue
            if has_mark(text, text, line_below(self.lines, line)):
                first, done = self.innermost.get(line) or run_at(self.lines, self.start, line)
                yield first, done

    def _leaf(self, token: Token) -> None:
        block = self._lines_of(token)
        wanted = self._wanted_in(block)
        if not wanted:
            return
        if token.type == "inline":
            self._text(token, block, wanted)
        elif token.type == "html_block":
            self._html(block, wanted)
        elif token.type in ("fence", "code_block"):
            self._code(token, wanted)

    def _text(self, token: Token, block: Lines, wanted: Sequence[int]) -> None:
        texts, masked = token.content.split("\n"), mask_leaf(token.content).split("\n")
        for line in wanted:
            at = line - block[0]
            if at >= len(texts):
                continue
            self.read[line] += len(KEY.findall(texts[at]))
            if has_mark(texts[at], masked[at], below := line_below(self.lines, line)):
                is_field = at == 0 and is_property(texts[0], masked[0], below)
                self.found[self._around(block, is_field=is_field)] = None

    def _html(self, block: Lines, wanted: Sequence[int]) -> None:
        masked = mask_comments("\n".join(self.lines[slice(*block)])).split("\n")
        for line in wanted:
            text = self.lines[line]
            self.read[line] = len(text)
            if has_mark(text, masked[line - block[0]]):
                self.found[self._around(block)] = None

    def _code(self, token: Token, wanted: Sequence[int]) -> None:
        for line in wanted:
            self.read[line] = len(self.lines[line])
            note = span_at(self.notes, line)
            if note and token.type == "code_block" and has_mark(*[self.lines[line]] * 2):
                self.found[note] = None

    def _around(self, leaf: Lines, *, is_field: bool = False) -> Lines:
        """What a mark in a leaf hides: the innermost item or quote, else the block itself."""
        around = [token for token in self.open if token.type in _CONTAINERS]
        if around:
            is_own = is_field and self._lines_of(around[-1])[0] == leaf[0]
            return self._lines_of(around[-2 if is_own and len(around) > 1 else -1])
        block = self._lines_of(self.open[0]) if self.open else leaf
        return block[0], max(block[1], self.section_ends.get(block[0], 0))

    def _wanted_in(self, block: Lines) -> Sequence[int]:
        return self.wanted[bisect_left(self.wanted, block[0]) : bisect_left(self.wanted, block[1])]

    def _lines_of(self, token: Token) -> Lines:
        first, end = token.map or (0, 0)
        return self.start + first, self.start + end


def run_at(lines: Sequence[str], start: int, line: int, others: Container[int] = ()) -> Lines:
    """The lines around one up to the next that is empty or one of the others."""
    first, end = line, line + 1
    while first > start and lines[first - 1].strip() and first - 1 not in others:
        first -= 1
    while end < len(lines) and lines[end].strip() and end not in others:
        end += 1
    return first, end


def notes_of(lines: Sequence[str], start: int) -> list[Lines]:
    """Footnotes and definitions with what is indented below them, which markdown-it does not
    know; a definition with what it defines."""
    found, at, run = list[Lines](), start, start
    while at < len(lines):
        if not _NOTE.match(lines[at]):
            at += 1
        else:
            first = run if lines[at].lstrip().startswith(":") else at
            at = _note_end(lines, at)
            while found and found[-1][1] > first:
                first = min(first, found.pop()[0])
            found.append((first, at))
        if not lines[at - 1].strip():
            run = at
    return found


def _note_end(lines: Sequence[str], at: int) -> int:
    end = at + 1
    for i in range(at + 1, len(lines)):
        line = lines[i]
        if not line.strip():
            continue
        is_below = line.startswith(("  ", "\t")) or (lines[i - 1].strip() and not _NOTE.match(line))
        if not is_below:
            break
        end = i + 1
    return end


def scanned_blocks(page: Outline, wanted: Sequence[int]) -> Iterator[Lines]:
    """The blocks that carry a mark on one of the wanted lines, which are sorted."""
    scanned = _Scanned(page)
    for line in wanted:
        if block := scanned.hidden_with(line):
            yield block


class _Scanned:
    def __init__(self, page: Outline) -> None:
        self.page, self.lines, self.structure = page, page.lines, page.structure
        self.notes = notes_of(page.lines, page.start)
        self._run = (0, 0)
        self._item = (-1, -1)
        self._is_parsed = lru_cache(1)(self._is_parsed_mark)
        self._may_mask = lru_cache(1)(self._has_code)

    def hidden_with(self, line: int) -> Lines | None:
        """What a mark on this line hides; None where it is no mark."""
        code = span_at(self.structure.code, line)
        note = span_at(self.notes, line)
        if code:
            is_math = opens_math(self.lines[code[0]].lstrip(_BEFORE_MATH))
            is_read = self.structure.is_certain and not self.page.is_logseq
            is_sure = is_read and not (note or is_math)
            if is_sure or _FENCED.match(self.lines[code[0]]):
                return None
            return self._block(line) if self._has_mark(line) else None
        heading = self._headings.get(line)
        if heading:
            return self._section(line, heading)
        block = self._block(line)
        return block if self._is_marked(block, line) else None

    @cached_property
    def _headings(self) -> dict[int, Lines]:
        """The lines of the heading that each line is part of; those in items are part of these."""
        return {
            line: (each.line, each.line_end)
            for each in self.structure.headings
            if not item_lines(self.page, each.line + 1)
            for line in range(each.line, each.line_end)
        }

    @cached_property
    def _section_ends(self) -> dict[int, int]:
        return {each.line_start - 1: each.line_end for each in self.page.sections}

    def _section(self, line: int, heading: Lines) -> Lines | None:
        is_exact = self.page.kind is PageKind.SESSION  # the fields of a message are in no code
        is_marked = self._has_mark(line) if is_exact else self._is_marked(heading, line)
        return (heading[0], self._section_ends.get(heading[0], heading[1])) if is_marked else None

    def _block(self, line: int) -> Lines:
        """The item, HTML or run of lines that a line is part of."""
        item = item_lines(self.page, line + 1)
        if item and not self.structure.is_certain:
            if self._item[0] != item[0]:
                self._item = self._grow(*item)
            return self._item
        if item:
            return item
        html = span_at(self.structure.html, line)
        if html:
            return html
        if not self._run[0] <= line < self._run[1]:
            self._run = run_at(self.lines, self.page.start, line, self._others)
        return self._run

    @cached_property
    def _others(self) -> set[int]:
        """The lines that are part of no paragraph, quote or table."""
        found = self.structure
        if not found.is_certain:
            return set()
        blocks = [*found.items, *found.code, *found.html]
        return {*self._headings, *(line for block in blocks for line in range(*block))}

    def _grow(self, first: int, end: int) -> Lines:
        """An item with all that may be part of it, where the scanner is not certain."""
        indent = indent_of(self.lines[first])
        for i in range(end, len(self.lines)):
            line = self.lines[i]
            if not line.strip():
                continue
            is_lazy = self.lines[i - 1].strip() and i not in self._headings and not self._begins(i)
            if indent_of(line) <= indent and not is_lazy:
                break
            end = i + 1
        return first, end

    def _begins(self, line: int) -> bool:
        item = item_lines(self.page, line + 1)
        return item is not None and item[0] == line

    def _is_marked(self, block: Lines, line: int) -> bool:
        """Whether a line of a block has a mark that is not in code."""
        if not (self.structure.is_certain and self._may_mask(block)):
            return self._has_mark(line)
        if block[1] == block[0] + 1 and "<" not in self.lines[line]:
            return has_mark(self.lines[line], mask_leaf(self.lines[line]))
        return self._is_parsed(block)

    def _is_parsed_mark(self, block: Lines) -> bool:
        lines = self.lines[slice(*block)]
        return bool(parsed_blocks(lines, 0, range(len(lines))))

    def _has_code(self, block: Lines) -> bool:
        return any(map(_MAY_MASK.search, self.lines[slice(*block)]))

    def _has_mark(self, line: int) -> bool:
        text = self.lines[line]
        return has_mark(text, text, line_below(self.lines, line))


def line_below(lines: Sequence[str], line: int) -> str:
    """The line below one, "" for none."""
    return "".join(lines[line + 1 : line + 2])


def has_mark(line: str, masked: str, below: str = "") -> bool:
    """Whether a line is marked; `masked` has its code blanked, `below` is the next line."""
    return is_written(line, _TARGET.sub(lambda link: link[1] + " " * len(link[2]), masked), below)


def is_written(line: str, masked: str, below: str = "") -> bool:
    """Whether a mark is written there at all, be it in the target of a link."""
    return is_property(line, masked, below) or any(
        _is_yes(line, found) for found in _IN_BRACKETS.finditer(masked)
    )


def is_property(line: str, masked: str, below: str) -> bool:
    """Whether all of a line is the mark; an empty one may have its value indented below it."""
    found = _PROPERTY.match(line)
    if not found or masked[found.start(1) : found.end(1)] != found[1]:
        return False
    value = found[2].strip()
    return is_private({"private": value}) or (not value and _indent(below) > _indent(line))


def _is_yes(line: str, mark: re.Match[str]) -> bool:
    at = 1 if mark[2] is not None else 3
    value = line[mark.start(at) : mark.end(at)].strip()
    return is_private({"private": value}) or not (value or mark[at + 1])


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" \t")) if line.strip() else -1
