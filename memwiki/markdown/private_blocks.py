"""The blocks of a page that carry a mark of privacy, as markdown-it parts them."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, TypeAlias

from memwiki.markdown.mask import mask_comments, mask_leaf
from memwiki.markdown.private_marks import KEY, has_mark, is_property
from memwiki.markdown.structure import block_tokens

if TYPE_CHECKING:
    from markdown_it.token import Token

Lines: TypeAlias = tuple[int, int]  # from 0 and half-open

_CONTAINERS = frozenset({"list_item_open", "blockquote_open"})
_TOP = frozenset({"paragraph_open", "heading_open", "table_open"})
_NOTE = re.compile(r" {0,3}(?:\[\^[^\]\n]+\]:|:[ \t])")


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
                self.innermost.update((line, block) for line in self._wanted_in(block))
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
            if has_mark(text, text, self._below(line)):
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
            if has_mark(texts[at], masked[at], self._below(line)):
                is_field = at == 0 and is_property(texts[0], masked[0], self._below(line))
                self.found[self._around(block, is_field=is_field)] = None

    def _html(self, block: Lines, wanted: Sequence[int]) -> None:
        lines = self.lines[slice(*block)]
        masked = mask_comments("\n".join(lines)).split("\n")
        for line in wanted:
            self.read[line] = len(self.lines[line])
            at = line - block[0]
            if has_mark(lines[at], masked[at]):
                self.found[self._around(block)] = None

    def _code(self, token: Token, wanted: Sequence[int]) -> None:
        for line in wanted:
            self.read[line] = len(self.lines[line])
            note = block_at(self.notes, line)
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

    def _below(self, line: int) -> str:
        return self.lines[line + 1] if line + 1 < len(self.lines) else ""

    def _wanted_in(self, block: Lines) -> Sequence[int]:
        return self.wanted[bisect_left(self.wanted, block[0]) : bisect_left(self.wanted, block[1])]

    def _lines_of(self, token: Token) -> Lines:
        first, end = token.map or (0, 0)
        return self.start + first, self.start + end


def block_at(blocks: Sequence[Lines], line: int) -> Lines | None:
    """The one of some blocks, in order and apart, that has a line."""
    at = bisect_right(blocks, line, key=_first) - 1
    return blocks[at] if at >= 0 and line < blocks[at][1] else None


def _first(block: Lines) -> int:
    return block[0]


def merged(blocks: Iterable[Lines]) -> list[Lines]:
    """The same lines as blocks in order and apart."""
    found = list[Lines]()
    for first, end in sorted(blocks):
        if found and first <= found[-1][1]:
            found[-1] = found[-1][0], max(found[-1][1], end)
        else:
            found.append((first, end))
    return found


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
