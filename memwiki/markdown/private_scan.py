"""The blocks that carry a mark of privacy on pages that do not wait for the full parser: whole
items, sections and paragraphs."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cached_property

from memwiki.markdown.entry_marks import indent_of
from memwiki.markdown.extensions import opens_math
from memwiki.markdown.mask import mask_leaf
from memwiki.markdown.outline import Outline, PageKind
from memwiki.markdown.page_entries import item_lines
from memwiki.markdown.private_blocks import Lines, block_at, notes_of, parsed_blocks, run_at
from memwiki.markdown.private_marks import has_mark

_FENCED = re.compile(r"[ \t>*+\-\d.)]*(?:`{3}|~{3})")
_BEFORE_MATH = " \t-+*>0123456789.)"
_MAY_MASK = re.compile(r"[`$<~]|\]\(")


def scanned_blocks(page: Outline, wanted: Sequence[int]) -> Iterator[Lines]:
    """The blocks that carry a mark on one of the wanted lines, which are sorted."""
    scanned = _Scanned(page)
    for line in wanted:
        if block := scanned.hidden_with(line):
            yield block


class _Scanned:
    def __init__(self, page: Outline) -> None:
        self.page, self.lines, self.structure = page, page.lines, page.structure
        self._parsed: tuple[Lines, bool] = ((0, 0), False)
        self._masking = self._parsed
        self._run = (0, 0)
        self._item = (-1, -1)

    def hidden_with(self, line: int) -> Lines | None:
        """What a mark on this line hides; None where it is no mark."""
        code = block_at(self.structure.code, line)
        note = block_at(self._notes, line)
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
    def _notes(self) -> list[Lines]:
        return notes_of(self.lines, self.page.start)

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
                self._item = self._grown(*item)
            return self._item
        if item:
            return item
        html = block_at(self.structure.html, line)
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

    def _grown(self, first: int, end: int) -> Lines:
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
        if self._parsed[0] != block:
            lines = self.lines[slice(*block)]
            self._parsed = block, bool(parsed_blocks(lines, 0, range(len(lines))))
        return self._parsed[1]

    def _may_mask(self, block: Lines) -> bool:
        if self._masking[0] != block:
            is_some = any(_MAY_MASK.search(line) for line in self.lines[slice(*block)])
            self._masking = block, is_some
        return self._masking[1]

    def _has_mark(self, line: int) -> bool:
        text = self.lines[line]
        below = self.lines[line + 1] if line + 1 < len(self.lines) else ""
        return has_mark(text, text, below)
