"""Adding text to a section or page, and putting text in a section's place; nothing else changes.

Lines are counted from 0 here, and ranges of them are half-open.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator

from memwiki.markdown.outline import Outline, PageKind
from memwiki.markdown.scanner import Heading, scan
from memwiki.markdown.source import Patch
from memwiki.markdown.structure import title_of
from memwiki.markdown.syntax import LIST_MARKER, heading_of, written_end
from memwiki.names import fold
from memwiki.nouns import Section
from memwiki.records import NamedTuple
from memwiki.text import pattern

_ITEM = pattern(rf"[ \t]*{LIST_MARKER}[ \t]+\S")
_ROW = pattern(r" {0,3}\|")
_BLANK = " \t"


class Splice(NamedTuple):
    """A patch that puts text in the place of lines `start` to `stop`, which may be none."""

    patch: Patch
    start: int
    stop: int

    @property
    def stop_after(self) -> int:
        """The line after the text once the patch is made."""
        return self.start + self.patch.text.count("\n") + (self.start < self.stop)


# Sections that a page ends with, about other pages and not part of what it says.
_BACK_MATTER = frozenset(
    (
        "see also|further reading|external links|references|bibliography|related|related pages"
        "|related notes|sources|footnotes|backlinks|参见|另见|参考|参考资料|参考文献|延伸阅读"
        "|外部链接|相关|相关页面|相关笔记|来源|脚注"
    ).split("|")
)


def body_end(page: Outline) -> int:
    """The line where the text of a page ends: that of `See also` and the like below it, else its
    end."""
    end = len(page.lines)
    is_prose = page.kind is PageKind.PLAIN and not page.is_logseq
    for section in reversed(page.sections if is_prose else ()):
        start = section.line_start - 1
        is_last = section.line_end == end and fold(section.title) in _BACK_MATTER
        if is_last and written_end(page.lines, page.text_start, start, _BLANK) > page.text_start:
            end = start
    return end


def splice_at_end(
    page: Outline, text: str, section: Section | None = None, end: int | None = None
) -> Splice:
    """Text after the last line of a section with its subsections, or of the page before line `end`.

    A list item or table row goes on with the list or table that ends there; anything else has a
    blank line before it. Blank lines that follow stay behind the text.
    """
    first = section.line_start - 1 if section else page.text_start
    end = section.line_end if section else len(page.lines) if end is None else end
    hidden = [line for line in _hidden_from(page) if line > first or section is None]
    end = min([end, *hidden])
    return _inserted(page, written_end(page.lines, first, end, _BLANK), text)


def _hidden_from(page: Outline) -> Iterator[int]:
    """The lines from which on a page holds what a plugin of Obsidian keeps there: the data of a
    drawing, the settings of a board, a comment to the end of the page; and its end."""
    yield len(page.lines)
    if "excalidraw-plugin" in page.fields.values:
        yield from (h.line for h in page.structure.headings if h.title == "Excalidraw Data")
    last = written_end(page.lines, page.text_start, len(page.lines), _BLANK) - 1
    if page.lines[last : last + 1] != ["%%"]:
        return
    marks = [line for line in range(page.text_start, last) if page.lines[line].count("%%") % 2]
    board = (line for line in marks if page.lines[line].startswith("%% kanban:settings"))
    if (settings := next(board, None)) is not None:
        yield settings
    elif len(marks) % 2 == 1 and page.lines[marks[-1]].startswith("%%"):
        yield marks[-1]


def splice_instead(page: Outline, text: str, section: Section) -> Splice:
    """Replace a section's text, subsections too.

    The heading stays, unless the text begins with it. Blank lines around what is replaced stay.
    """
    heading = next(h for h in page.structure.headings if h.line == section.line_start - 1)
    end = written_end(page.lines, heading.line_end, section.line_end, _BLANK)
    start = next((i for i in range(heading.line_end, end) if _is_written(page.lines[i])), end)
    if has_heading(text, section):
        start = heading.line
        end = max(end, heading.line_end)
    elif start == end:
        return _inserted(page, heading.line_end, text)
    is_same = text == "\n".join(page.lines[start:end])
    gap = "" if is_same or not _needs_gap(page, end, text) else "\n"
    return Splice(Patch(page.starts[start], page.end_of(end - 1), text + gap), start, end)


def body_replaced(page: Outline, text: str) -> Splice:
    """Text in the place of all below the front matter; blank lines around that stay."""
    end = written_end(page.lines, page.text_start, len(page.lines), _BLANK)
    start = next((i for i in range(page.text_start, end) if _is_written(page.lines[i])), end)
    if start == end:
        return _inserted(page, page.text_start, text)
    return Splice(Patch(page.starts[start], page.end_of(end - 1), text), start, end)


def first_heading(text: str) -> Heading | None:
    """The heading that a text begins with."""
    return next((each for each in scan(text.split("\n")).headings[:1] if each.line == 0), None)


def has_heading(text: str, section: Section) -> bool:
    """Whether a text begins with the heading of a section, whatever its level."""
    heading = first_heading(text)
    return heading is not None and fold(title_of(heading)) == fold(section.title)


def others(page: Outline, start: int, stop: int) -> list[tuple[str, int, int]]:
    """The headings outside of some lines, where they would be if there were no such lines."""
    found = []
    for heading in page.structure.headings:
        if heading.line < start:
            found.append((heading.title, heading.level, heading.line))
        elif heading.line >= stop:
            found.append((heading.title, heading.level, heading.line - stop + start))
    return found


def _inserted(page: Outline, at: int, text: str) -> Splice:
    """Text after line `at` - 1, behind its line end; where that has none, the text has none."""
    is_next_written = at < len(page.lines) and _is_written(page.lines[at])
    if at == 0:
        return Splice(Patch(0, 0, text + ("\n\n" if is_next_written else "\n")), 0, 0)
    is_joined = _joins(page, at - 1, text)
    before = "\n" if is_joined else "\n\n"
    is_tight = is_joined and not _needs_gap(page, at, text)
    after = "\n" if is_next_written and not is_tight else ""
    location = page.end_of(at - 1)
    behind = page.starts[at] if at < len(page.starts) else location
    if behind > location:  # a line end of another kind than the page's stays where it is
        new = before.removeprefix("\n") + text + "\n" + after
        return Splice(Patch(behind, behind, new), at, at)
    return Splice(Patch(location, location, before + text + after), at, at)


def _joins(page: Outline, last: int, text: str) -> bool:
    """Whether text goes on with what ends on a line: a list, a table, or nothing yet of a
    section."""
    if _ROW.match(text):
        return _ROW.match(page.lines[last]) is not None
    if not _ITEM.match(text):
        return False
    structure = page.structure
    item = bisect_right(structure.items, (last, len(page.lines))) - 1
    is_list = item >= 0 and last < structure.items[item][1]
    return is_list or any(heading.line_end == last + 1 for heading in structure.headings)


def _needs_gap(page: Outline, at: int, text: str) -> bool:
    """Whether line `at` would belong to text that stands right above it."""
    if at >= len(page.lines) or not _is_written(page.lines[at]):
        return False
    if page.is_logseq and _ITEM.match(text) and _ITEM.match(page.lines[at]):
        return False
    return heading_of(page.lines[at].strip(_BLANK)) is None or any(
        end > text.count("\n") for _, end in scan(text.split("\n")).html
    )


def _is_written(line: str) -> bool:
    return bool(line.strip(_BLANK))
