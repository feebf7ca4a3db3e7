"""What stands where in a page: headings, sections, code and HTML, as markdown-it sees them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from typing import TYPE_CHECKING

from memwiki.markdown.extensions import is_item, shown
from memwiki.markdown.plain import plain
from memwiki.markdown.scanner import Heading, Structure, scan, shown_to_commonmark
from memwiki.nouns import Section

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

MAX_TITLE = 1_000
# A list is two levels. What is deeper than this, markdown-it leaves out, with all that follows.
_MAX_LEVELS = 100
# The id that a heading says of itself: `{#id}`, `{: #id .class }`, and in MDX `{/* #id */}`.
_ATTRIBUTES = re.compile(r"(?<=\S)[ \t]*+\{(?::?[ \t]*+[#.][^{}\n]*+|/\*[ \t]*+#[^{}*\n]*+\*/)\}\Z")


def structure_of(lines: list[str], start: int) -> Structure:
    """The structure of the lines from `start` on: scanned, and parsed in full where in doubt."""
    scanned = scan(lines, start)
    return scanned if scanned.is_certain else parsed_structure(lines, start)


def parsed_structure(lines: list[str], start: int) -> Structure:
    """The structure as markdown-it's block rules give it."""
    other = shown_to_commonmark(lines, start)
    tokens = _tokens(shown(lines, start, {**other.markers, **other.math}))
    return Structure(
        tuple(_headings(tokens, start)),
        tuple(_ranges(tokens, ("fence", "code_block"), start)),
        tuple(_ranges(tokens, ("html_block",), start)),
        tuple(_items(tokens, lines, start)),
    )


def block_tokens(lines: list[str], start: int, *, has_indented_code: bool = True) -> list[Token]:
    """The blocks of the lines from `start` on, which are counted from there; inline is not
    parsed, and a formula is a paragraph."""
    markers = shown_to_commonmark(lines, start).markers
    return _tokens(shown(lines, start, markers), has_indented_code=has_indented_code)


def _tokens(lines: list[str], *, has_indented_code: bool = True) -> list[Token]:
    # With a line end at the last line too: without one, HTML in a list in a quote is an IndexError.
    return _parser(has_indented_code=has_indented_code).parse("\n".join([*lines, ""]))


@cache
def _parser(*, has_indented_code: bool) -> MarkdownIt:
    # Imported late: 55 ms, and most pages never need it.
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark", {"maxNesting": _MAX_LEVELS}).enable("table")
    parser.core.ruler.enableOnly(["normalize", "block"])
    return parser if has_indented_code else parser.disable("code")


def _headings(tokens: list[Token], start: int) -> Iterable[Heading]:
    for i, token in enumerate(tokens):
        if token.type == "heading_open" and token.level == 0 and token.map:
            line, line_end = token.map
            yield Heading(tokens[i + 1].content, int(token.tag[1]), start + line, start + line_end)


def _ranges(tokens: list[Token], types: tuple[str, ...], start: int) -> Iterable[tuple[int, int]]:
    for token in tokens:
        if token.type in types and token.map:
            yield start + token.map[0], start + token.map[1]


def _items(tokens: list[Token], lines: list[str], start: int) -> Iterable[tuple[int, int]]:
    for token in tokens:
        if token.type == "list_item_open" and token.level == 1 and token.map:
            first, end = start + token.map[0], start + token.map[1]
            if not is_item(lines[first]):
                continue
            while end > first + 1 and not lines[end - 1].strip(" \t"):
                end -= 1
            yield first, end


def sections_of(headings: tuple[Heading, ...], line_count: int) -> tuple[Section, ...]:
    """Headings as sections with trail and 1-based lines, called as a reader sees them."""
    sections = []
    titles = {heading.line: title_of(heading) for heading in headings}
    open_: list[Heading] = []
    ends = _ends(headings, line_count)
    for heading, end in zip(headings, ends, strict=True):
        while open_ and open_[-1].level >= heading.level:
            open_.pop()
        open_.append(heading)
        trail = tuple(titles[h.line] for h in open_)
        sections.append(Section(trail[-1], heading.level, trail, heading.line + 1, end))
    return tuple(sections)


def title_of(heading: Heading) -> str:
    """A heading as a reader sees it; of an endless one the beginning, as every entry below it is
    found under its words."""
    title = _ATTRIBUTES.sub("", heading.title) if "{" in heading.title else heading.title
    return (plain(title) or title or heading.title)[:MAX_TITLE]


def _ends(headings: tuple[Heading, ...], line_count: int) -> list[int]:
    """For each heading the line before the next one of its level or above."""
    ends = [line_count] * len(headings)
    waiting: list[int] = []
    for i, heading in enumerate(headings):
        while waiting and headings[waiting[-1]].level >= heading.level:
            ends[waiting.pop()] = heading.line
        waiting.append(i)
    return ends
