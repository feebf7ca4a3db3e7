"""A line scanner for the block structure of markdown: headings, code and HTML, in one pass.

It follows markdown-it line by line for everything people usually write, and says so
(`is_certain`); on rare constructs it still answers, but leaves the last word to markdown-it.
"""

from __future__ import annotations

import re
from typing import NamedTuple

_HEADING = re.compile(r"(#{1,6})(?:[ \t]|\Z)")
_FENCE = re.compile(r"(`{3,})[^`]*\Z|(~{3,})")
_RULE = re.compile(r"(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})\Z")
_SETEXT = re.compile(r"(?:=+|-+)[ \t]*\Z")
_MARKER = re.compile(r"([-+*]|(\d{1,9})[.)])(?=([ \t]*))(?:[ \t]|\Z)")
_QUOTE = re.compile(r"(?:> ?)+")
# Code and HTML inside a quote are rare: markdown-it sees to them.
_QUOTED_BLOCK = re.compile(
    r" *(?:(?:[-+*]|\d{1,9}[.)]) +)*(?:`{3}|~{3}|<)|.*> *(?:`{3}|~{3}|<)| {4}"
)
_ATTRIBUTE = (
    r"(?:\s+[a-zA-Z_:][a-zA-Z0-9:._-]*(?:\s*=\s*(?:[^\"'=<>`\x00-\x20]+|'[^']*'|\"[^\"]*\"))?)"
)
_TAG = re.compile(
    rf"(?:<[A-Za-z][A-Za-z0-9\-]*{_ATTRIBUTE}*\s*/?>|</[A-Za-z][A-Za-z0-9\-]*\s*>)\s*\Z"
)
# Source: CommonMark 0.31.2, HTML blocks: kind 6, and the kinds 1 to 5 that end with a mark.
_BLOCK_NAMES_TEXT = """
    address article aside base basefont blockquote body caption center col colgroup dd details
    dialog dir div dl dt fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6
    head header hr html iframe legend li link main menu menuitem nav noframes ol optgroup option p
    param search section summary table tbody td tfoot th thead title tr track ul
"""
_BLOCK_NAMES = frozenset(_BLOCK_NAMES_TEXT.split())
_BLOCK_NAME = re.compile(r"</?([A-Za-z][A-Za-z0-9]*)(?=\s|/?>|\Z)")
_RAW_NAMES = frozenset({"script", "pre", "style", "textarea"})
_RAW_NAME = re.compile(r"<([A-Za-z]+)(?=\s|>|\Z)")
_BLANK_LINE = re.compile(r"\Z")
_RAW_END = re.compile(r"</(?:script|pre|style|textarea)>", re.IGNORECASE)
_MARKED_ENDS = {
    "<!--": re.compile(r"-->"),
    "<?": re.compile(r"\?>"),
    "<![CDATA[": re.compile(r"\]\]>"),
    "<!": re.compile(r">"),
}
MAX_NESTING = 20
_STARTERS = frozenset("#`~<>-+*_=[0123456789 \t")


class Heading(NamedTuple):
    """A top-level heading; lines are 0-based, `line_end` is the line after it."""

    title: str
    level: int
    line: int
    line_end: int


class Structure(NamedTuple):
    """Headings, and the 0-based half-open line ranges of code, HTML blocks and top-level items."""

    headings: tuple[Heading, ...]
    code: tuple[tuple[int, int], ...]
    html: tuple[tuple[int, int], ...]
    items: tuple[tuple[int, int], ...] = ()
    is_certain: bool = True


def scan(lines: list[str], start: int = 0) -> Structure:
    """Scan lines (without line ends) from `start` on."""
    scanner = _Scanner(lines)
    scanner.run(start)
    return Structure(
        tuple(scanner.headings),
        tuple(scanner.code),
        tuple(scanner.html),
        tuple(scanner.top_items),
        scanner.is_certain,
    )


def heading_of(line: str) -> tuple[int, str] | None:
    """Level and title of an ATX heading."""
    match = _HEADING.match(line)
    if not match:
        return None
    title = line[match.end() :].strip()
    stem = title.rstrip("#")
    return len(match[1]), stem.rstrip() if not stem or stem[-1] in " \t" else title


class _Scanner:
    """The open containers while lines go by.

    `para` says what a following line of text would continue: "" nothing, "top" a paragraph of the
    page, "item" one of a list item, "quote" one of a block quote.
    """

    __slots__ = (
        "code",
        "headings",
        "html",
        "is_certain",
        "items",
        "line",
        "lines",
        "para",
        "para_line",
        "top_items",
    )

    def __init__(self, lines: list[str]) -> None:
        self.lines = lines
        self.headings: list[Heading] = []
        self.code: list[tuple[int, int]] = []
        self.html: list[tuple[int, int]] = []
        self.is_certain = True
        self.items: list[int] = []  # content columns of the open list items
        self.top_items: list[tuple[int, int]] = []
        self.line = 0
        self.para = ""
        self.para_line = 0

    def run(self, i: int) -> None:
        """One line or one block at a time, to the end."""
        lines, count = self.lines, len(self.lines)
        while i < count:
            line = lines[i]
            if not line:
                self.para = ""
                i += 1
            elif line[0] not in _STARTERS and not self.items:
                if not self.para:
                    self.para, self.para_line = "top", i
                i += 1
            else:
                self.line = i
                i = self._line(i, line)
        self.line = count
        self._close(-1)

    def _line(self, i: int, line: str) -> int:
        if "\t" in line:
            line = line.expandtabs(4)
        text = line.lstrip(" ")
        if not text:
            self.para = ""
            return i + 1
        column = len(line) - len(text)
        base = self._base(column)
        if column - base >= 4:
            return self._indented(i, column, base)
        return self._block(i, text, column)

    def _base(self, column: int) -> int:
        return next((item for item in reversed(self.items) if item <= column), 0)

    def _indented(self, i: int, column: int, base: int) -> int:
        """A line four columns in: code, unless a paragraph goes on."""
        if self.para:
            self._doubt_paragraph()
            if self.items and base < self.items[-1]:
                self.is_certain = False
            return i + 1
        self._close(column)
        end = i + 1
        for j in range(i + 1, len(self.lines)):
            line = self.lines[j].expandtabs(4)
            text = line.lstrip(" ")
            if text and len(line) - len(text) < base + 4:
                break
            if text:
                end = j + 1
        self.code.append((i, end))
        return end

    def _doubt_paragraph(self) -> None:
        """After a definition or a quote it depends on what exactly came before."""
        if self.para == "quote" or (self.para and self.lines[self.para_line].lstrip()[:1] == "["):
            self.is_certain = False

    def _close(self, column: int) -> None:
        """Leave the list items this column is outside of."""
        if not self.items:
            return
        while self.items and self.items[-1] > column:
            self.items.pop()
        if not self.items:
            self._end_item(self.top_items[-1][0], self.line)

    def _end_item(self, first: int, end: int) -> None:
        while not self.lines[end - 1].strip(" \t"):
            end -= 1
        self.top_items[-1] = first, end

    def _block(self, i: int, text: str, column: int) -> int:
        first = text[0]
        if first in "-=*_" and self._is_line(i, text, column):
            return i + 1
        if first in "-+*0123456789" and (match := _MARKER.match(text)):
            return self._item(i, match, text, column)
        if first == "#" and heading_of(text):
            return self._heading(i, text, column)
        if first in "`~" and (match := _FENCE.match(text)):
            return self._fence(i, match[1] or match[2], column)
        if first == ">":
            return self._quote(i, text, column)
        return self._html_or_text(i, text, column)

    def _html_or_text(self, i: int, text: str, column: int) -> int:
        end = self._html_end(text) if text[0] == "<" else None
        return self._html(i, text, column, end) if end else self._text(i, column)

    def _is_line(self, i: int, text: str, column: int) -> bool:
        """Whether this is a line of dashes or the like: under a heading, or a rule."""
        if self._is_setext(text, column):
            self._setext(i, text)
        elif _RULE.match(text):
            self._close(column)
        else:
            return False
        self.para = ""
        return True

    def _text(self, i: int, column: int) -> int:
        if self.para:  # lazy or not, it goes on
            return i + 1
        self._close(column)
        self.para, self.para_line = ("item" if self.items else "top"), i
        return i + 1

    def _heading(self, i: int, text: str, column: int) -> int:
        self._close(column)
        self.para = ""
        if not self.items:
            level, title = heading_of(text) or (1, "")
            self.headings.append(Heading(title, level, i, i + 1))
        return i + 1

    def _is_setext(self, text: str, column: int) -> bool:
        if not _SETEXT.match(text):
            return False
        if self.para == "quote":
            self.is_certain = False
        if self.items:
            return self.para == "item" and column >= self.items[-1]
        return self.para == "top"

    def _setext(self, i: int, text: str) -> None:
        if self.items:
            return
        title = "\n".join(self.lines[self.para_line : i]).strip()
        if title.startswith("["):
            self.is_certain = False
        self.headings.append(Heading(title, 1 if text[0] == "=" else 2, self.para_line, i + 1))

    def _quote(self, i: int, text: str, column: int) -> int:
        self._close(column)
        inner = _QUOTE.sub("", text, count=1)
        if _QUOTED_BLOCK.match(inner):
            self.is_certain = False
        self.para, self.para_line = "quote", i
        return i + 1

    def _fence(self, i: int, mark: str, column: int) -> int:
        self._close(column)
        self.para = ""
        end = self._fence_end(i + 1, mark, self.items[-1] if self.items else 0)
        self.code.append((i, end))
        return end

    def _fence_end(self, i: int, mark: str, base: int) -> int:
        lines, char = self.lines, mark[0]
        for j in range(i, len(lines)):
            line = lines[j]
            if not base and char not in line[:4]:
                continue
            line = line.expandtabs(4)
            text = line.lstrip(" ")
            column = len(line) - len(text)
            if text and column < base:
                return j
            if column - base < 4 and text.startswith(mark) and not text.rstrip(" ").strip(char):
                return j + 1
        return len(lines)

    def _is_item(self, match: re.Match[str], text: str, column: int) -> bool:
        """A marker interrupts a paragraph of its own container only as `1.` or as a bullet with text."""
        if len(self.items) >= MAX_NESTING:
            return False
        if not self.para or (self.items and column < self.items[-1]):
            return True
        is_first = match[2] is None or int(match[2]) == 1
        if is_first and len(match[0].rstrip()) < len(text.rstrip()):
            return True
        self._doubt_paragraph()
        return False

    def _item(self, i: int, match: re.Match[str], text: str, column: int) -> int:
        if not self._is_item(match, text, column):
            return self._text(i, column)
        self._close(column)
        if not self.items:
            self.top_items.append((i, i + 1))
        gap, width = len(match[3]), len(match[1])
        rest = text[width + gap :]
        self.para = ""
        if not rest:
            self.is_certain = self.is_certain and not self._goes_on(i + 1)
            self.items.append(column + width + 1)
            return i + 1
        if gap > 4:
            self.is_certain = False
            gap = 1
        self.items.append(column + width + gap)
        return self._block(i, rest, column + width + gap)

    def _goes_on(self, i: int) -> bool:
        """Whether something indented follows an item that begins with an empty line."""
        while i < len(self.lines) and not self.lines[i].strip(" \t"):
            i += 1
        return i < len(self.lines) and self.lines[i][0] in " \t"

    def _html_end(self, text: str) -> re.Pattern[str] | None:
        if (raw := _RAW_NAME.match(text)) and raw[1].lower() in _RAW_NAMES:
            return _RAW_END
        for mark, end in _MARKED_ENDS.items():
            if text.startswith(mark) and (
                mark != "<!" or (text[2:3].isascii() and text[2:3].isalpha())
            ):
                return end
        if (name := _BLOCK_NAME.match(text)) and name[1].lower() in _BLOCK_NAMES:
            return _BLANK_LINE
        if not _TAG.match(text):
            return None
        self._doubt_paragraph()
        return None if self.para else _BLANK_LINE

    def _html(self, i: int, text: str, column: int, end: re.Pattern[str]) -> int:
        self._close(column)
        self.para = ""
        base = self.items[-1] if self.items else 0
        j = i if end is not _BLANK_LINE and end.search(text) else i + 1
        while j < len(self.lines):
            line = self.lines[j].expandtabs(4)
            text = line.lstrip(" ")
            if text and len(line) - len(text) < base:
                self.is_certain = False
                break
            if end is _BLANK_LINE:
                if not text:
                    break
            elif end.search(line):
                j += 1
                break
            j += 1
        self.html.append((i, j))
        return j
