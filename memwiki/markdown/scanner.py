"""A line scanner for the block structure of markdown: headings, code and HTML, in one pass.

It follows markdown-it line by line for what people usually write (`is_certain`); on rare constructs
it still answers, but leaves the last word to markdown-it."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import takewhile

from memwiki.markdown.syntax import (
    BLANK_LINE,
    BODY_INDENT,
    CONTAINER,
    DELIMITER,
    HEADING,
    MARKER,
    MAX_CELLS,
    STARTERS,
    TAG,
    ExtensionLines,
    StepBudget,
    StuckError,
    closes_code,
    columns_of,
    conflict_markers,
    end_of_html,
    ends_math,
    heading_of,
    is_item,
    math_lines,
    opens_code,
    opens_definition,
    opens_math,
    written_end,
)
from memwiki.nouns import Span
from memwiki.records import NamedTuple
from memwiki.text import pattern

_FENCE = pattern(r"(`{3,})[^`]*\Z|(~{3,})")
_RULE = pattern(r"(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})\Z")
_SETEXT = pattern(r"(?:=+|-+)[ \t]*\Z")
_MARKER = pattern(r"([-+*]|(\d{1,9})[.)])(?=([ \t]*))(?:[ \t]|\Z)")
# An item at the margin whose text begins no block of its own and no row of a table: most lines of a
# page that collects entries.
_BEGUN = r"[-*+] (?:[^\s#`~<>|+*_=0-9-]|~~(?!~)|\*+\w|_+[^\W_]|`(?!`)|\d+(?![\d.)]))"
_PLAIN_BEGIN = pattern(_BEGUN).match
PLAIN_ITEM = pattern(rf"{_BEGUN}[^|\t]*\Z").match
_QUOTE = pattern(r"(?:> ?)+")
# Code and HTML inside a quote are rare: markdown-it sees to them.
_QUOTED_BLOCK = pattern(r"[-+*>\d.) ]*(?:`{3}|~{3}|<)| {4}|.*[-+*.)>] {5}")
_MAX_ITEMS = 20  # open at a time; deeper ones are left to markdown-it
_STARTERS = frozenset("#`~<>-+*_=[0123456789 \t") | STARTERS
_TABLE_STARTERS = "#`~<>-+*_=0123456789"  # of blocks that a row of dashes below makes a table
_STEPS_A_LINE = 8  # it is met once, and looked ahead at by the blocks and items that end near it


class Heading(NamedTuple):
    """A top-level heading; lines are 0-based, `line_end` is the line after it."""

    title: str
    level: int
    line: int
    line_end: int


class Structure(NamedTuple):
    """Headings, and the 0-based half-open line ranges of code, HTML blocks and top-level items."""

    headings: tuple[Heading, ...]
    code: tuple[Span, ...]
    html: tuple[Span, ...]
    items: tuple[Span, ...] = ()
    is_certain: bool = True


def scan(lines: list[str], start: int = 0) -> Structure:
    """Scan lines (without line ends) from `start` on."""
    scanner = _Scanner(lines)
    scanner.run(start)
    items = scanner.top_items
    if scanner.markers:  # of admonitions and the like, which are no items of a list
        items = [item for item in items if is_item(lines[item[0]])]
    return Structure(
        tuple(scanner.headings),
        tuple(scanner.code),
        tuple(scanner.html),
        tuple(items),
        scanner.is_certain,
    )


def shown_to_commonmark(lines: list[str], start: int) -> ExtensionLines:
    """What the lines from `start` on are to be for a reader that knows CommonMark only."""
    scanner = _Scanner(lines)
    scanner.run(start)
    return ExtensionLines(scanner.markers, scanner.math)


def _measured(line: str) -> tuple[str, int]:
    """A line without its indentation, tabs as blanks, and the column that it begins in."""
    if "\t" in line:
        line = line.expandtabs(4)
    if line[:1] != " ":
        return line, 0
    text = line.lstrip(" ")
    return text, len(line) - len(text)


class _Scanner:
    """The open containers while lines go by.

    `para` says what a following line of text would continue: "" nothing, "top" a paragraph of the
    page, "item" one of a list item, "quote" one of a block quote, "table" a table.
    """

    __slots__ = (
        "code",
        "headings",
        "html",
        "is_certain",
        "is_plain",
        "items",
        "line",
        "lines",
        "markers",
        "math",
        "para",
        "para_line",
        "steps",
        "top_items",
    )

    def __init__(self, lines: list[str]) -> None:
        self.lines = lines
        self.headings: list[Heading] = []
        self.code: list[Span] = []
        self.html: list[Span] = []
        self.is_certain = True
        self.is_plain: Callable[[str], object] | None = None  # whole lines are seldom looked at
        self.items: list[int] = []  # content columns of the open list items
        self.top_items: list[Span] = []
        self.markers: dict[int, str] = {}  # as CommonMark is to read them
        self.math: dict[int, str] = {}
        self.line = 0
        self.para = ""
        self.para_line = 0
        self.steps = StepBudget(len(lines), _STEPS_A_LINE)

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
                elif line[0] in "|:" and self.para != "table":
                    self._is_row(i, line)
                i += 1
            elif line[0] == "#" and "|" not in line and HEADING.match(line):
                self.line = i
                i = self._heading(i, 0)
            elif line[0] in "-*+" and PLAIN_ITEM(line) and len(self.items) < _MAX_ITEMS:
                i = self._plain_items(i)
            else:
                self.line = i
                after = self._line(i, line)
                if after <= i:  # so there are no more of these steps than lines
                    raise StuckError(f"line {i + 1} is read again and again")
                i = after
        self.line = count
        self._close(-1)

    def _plain_items(self, i: int) -> int:
        """What `_item` does of such a line and its like right below, in a twentieth of the time."""
        self.line = i
        self._close(0)
        if not self.is_plain:
            text = "\n".join(self.lines)
            self.is_plain = PLAIN_ITEM if "|" in text or "\t" in text else _PLAIN_BEGIN
        # Not islice, which walks to its start: of 40,000 such runs on a page that took 12 s.
        below = map(self.lines.__getitem__, range(i + 1, len(self.lines)))
        end = i + 1 + len(list(takewhile(self.is_plain, below)))
        self.top_items += zip(range(i, end), range(i + 1, end + 1), strict=True)
        self.items.append(2)
        self.para, self.para_line = "item", end - 1
        return end

    def _line(self, i: int, line: str) -> int:
        text, column = _measured(self.markers.get(i, line))
        if not text:
            self.para = ""
            return i + 1
        base = self._base(column) if self.items else 0
        if column - base >= 4:
            return self._indented(i, column, base)
        if "|" in text and text[0] in _TABLE_STARTERS:
            self._doubt_table(i)
        return self._block(i, text, column)

    def _base(self, column: int) -> int:
        return next((item for item in reversed(self.items) if item <= column), 0)

    def _indented(self, i: int, column: int, base: int) -> int:
        """A line four columns in: code, unless a paragraph goes on."""
        if self.para and self.para != "table":
            self._doubt_paragraph()
            if self.items and base < self.items[-1]:
                self.is_certain = False
            return i + 1
        self._close(column)
        self.para = ""
        j = end = i + 1
        for j in range(i + 1, len(self.lines)):
            text, indent = _measured(self.lines[j])
            if text and indent < base + 4:
                break
            if text:
                end = j + 1
        self.steps.spend(j - i)
        self.code.append((i, end))
        return end

    def _doubt_paragraph(self) -> None:
        """After a definition or a quote it depends on what exactly came before."""
        is_open = self.para and opens_definition(self.lines[self.para_line])
        if self.para == "quote" or is_open:
            self.is_certain = False

    def _close(self, column: int) -> None:
        """Leave the list items this column is outside of."""
        if not self.items:
            return
        while self.items and self.items[-1] > column:
            self.items.pop()
        if not self.items:
            first = self.top_items[-1][0]
            end = written_end(self.lines, first + 1, self.line, " \t")
            self.steps.spend(self.line - end)
            self.top_items[-1] = first, end

    def _block(self, i: int, text: str, column: int) -> int:
        first = text[0]
        if first in STARTERS and (after := self._extension(i, text, column)):
            return after
        if first in "-=*_" and self._is_line(i, text, column):
            return i + 1
        if first in "-+*0123456789" and (match := _MARKER.match(text)):
            return self._item(i, match, text, column)
        if first == "#" and HEADING.match(text):
            return self._heading(i, column)
        if first in "`~" and (match := _FENCE.match(text)):
            return self._fence(i, match[1] or match[2], column)
        other = self._quote if first == ">" else self._html_or_text
        return other(i, text, column)

    def _extension(self, i: int, text: str, column: int) -> int:
        """The line after what CommonMark does not know begins here; 0 when nothing of it does."""
        if text[0] == "$":
            return self._as_code(i, column, self._math_end(i, text, column))
        if text[0] == "{":
            return self._as_code(i, column, self._tag_end(i, opens_code(text)))
        if not CONTAINER.match(text) or not self._has_body(i + 1, column + BODY_INDENT):
            return 0
        if len(self.items) >= _MAX_ITEMS:
            self.is_certain = False
            return 0
        self._close(column)
        if not self.items:
            self.top_items.append((i, i + 1))
        self.markers[i] = self.lines[i].expandtabs(4)[:column] + MARKER
        self.items.append(column + BODY_INDENT)
        self.para = ""
        return i + 1

    def _has_body(self, i: int, column: int) -> bool:
        """Whether the next line with text is indented so far."""
        line = self._next_written(i)
        return line.expandtabs(4).startswith(" " * column) and line != ""

    def _next_written(self, i: int) -> str:
        """The first line from `i` on that is not blank, "" for none."""
        start = i
        while i < len(self.lines) and not self.lines[i].strip(" \t"):
            i += 1
        self.steps.spend(i - start)
        return self.lines[i] if i < len(self.lines) else ""

    def _as_code(self, i: int, column: int, after: int) -> int:
        """Take the lines up to `after` for code, which for 0 are none."""
        if not after:
            return 0
        self._close(column)
        self.para = ""
        self.math |= math_lines(i, after, self.lines[i].expandtabs(4)[:column])
        self.code.append((i, after))
        return after

    def _math_end(self, i: int, text: str, column: int) -> int:
        """The line after the formula that begins on line `i`; 0 for none. The next `$$` ends it or
        shows that there is none, so that no line is looked at twice."""
        if not opens_math(text):
            return 0
        base = self._base(column) if self.items else 0
        is_lone = text.rstrip(" ") == "$$"
        for j in range(i + 1, len(self.lines)):
            is_end = ends_math(self.lines[j], is_lone=is_lone)
            text, column = _measured(self.lines[j])
            if is_end is None or (base and text and column < base):
                break
            if is_end:
                return j + 1
        return 0

    def _tag_end(self, i: int, name: str) -> int:
        """The line after the code that a tag of this name begins on line `i`; 0 for none. The next
        tag of that name ends it or shows that it has no end, so that few lines are looked at
        twice."""
        for j in range(i + 1, len(self.lines) if name else 0):
            if closes_code(self.lines[j]) == name:
                return j + 1
            if opens_code(self.lines[j].lstrip(" \t")) == name:
                break
        return 0

    def _html_or_text(self, i: int, text: str, column: int) -> int:
        if text.startswith("<<<<<<<") and (markers := conflict_markers(self.lines, i)):
            self.markers |= markers
            self.is_certain &= len(markers) < 4  # of three sides the base may be taken for text
            return self._line(i, text)
        end = self._html_end(text) if text[0] == "<" else None
        return self._html(i, text, column, end) if end else self._text(i, text, column)

    def _is_line(self, i: int, text: str, column: int) -> bool:
        """Whether this is a line of dashes or the like: under a heading, or a rule."""
        if text[0] == "-" and self.para and "|" in self.lines[i - 1] and self._is_row(i, text):
            return True
        if self._is_setext(text, column):
            self._setext(i, text)
        elif _RULE.match(text):
            self._close(column)
        else:
            return False
        self.para = ""
        return True

    def _text(self, i: int, text: str, column: int) -> int:
        if self.para == "table" and self.items and column < self.items[-1]:
            self.para = ""  # a row is never lazy
        if self.para:  # lazy or not, it goes on
            if self.items and column < self.items[-1]:
                self._doubt_paragraph()
            elif text[0] in "|:-":
                self._is_row(i, text)
            return i + 1
        self._close(column)
        self.para, self.para_line = ("item" if self.items else "top"), i
        return i + 1

    def _is_row(self, i: int, text: str) -> bool:
        """Whether this line of a paragraph is the row of dashes below the first row of a table."""
        if self.para == "table" or not DELIMITER.match(text):
            return False
        first, column = _measured(self.lines[i - 1])
        columns = columns_of(first, text)
        base = self.items[-1] if self.items else 0
        if columns and self.para != "quote" and 0 <= column - base < 4:
            self.para, self.para_line = "table", i - 1
            self.is_certain &= columns * (len(self.lines) - i) < MAX_CELLS
        elif columns:
            self.is_certain = False
        return columns > 0

    def _doubt_table(self, i: int) -> None:
        """Whatever a line begins, markdown-it takes it for a table's if a row of dashes follows."""
        following = self.lines[i + 1].strip(" \t") if i + 1 < len(self.lines) else ""
        self.is_certain &= not DELIMITER.match(following)

    def _heading(self, i: int, column: int) -> int:
        self._close(column)
        self.para = ""
        if not self.items:
            level, title = heading_of(self.lines[i].lstrip(" ")) or (1, "")
            self.headings.append(Heading(title, level, i, i + 1))
        return i + 1

    def _is_setext(self, text: str, column: int) -> bool:
        if not _SETEXT.match(text):
            return False
        self.is_certain &= self.para != "quote"
        if self.items:
            return self.para == "item" and column >= self.items[-1]
        return self.para == "top"

    def _setext(self, i: int, text: str) -> None:
        self._doubt_paragraph()
        if self.items:
            return
        title = "\n".join(self.lines[self.para_line : i]).strip()
        self.headings.append(Heading(title, 1 if text[0] == "=" else 2, self.para_line, i + 1))

    def _quote(self, i: int, text: str, column: int) -> int:
        self._close(column)
        inner = _QUOTE.sub("", text, count=1)
        if "\t" in self.lines[i] or _QUOTED_BLOCK.match(inner):
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
            text, column = _measured(line)
            if text and column < base:
                return j
            if column - base < 4 and text.startswith(mark) and not text.rstrip(" ").strip(char):
                return j + 1
        return len(lines)

    def _is_item(self, match: re.Match[str], text: str, column: int) -> bool:
        """A marker interrupts a paragraph of its own container only as `1.` or as a bullet with
        text."""
        if len(self.items) >= _MAX_ITEMS:
            self.is_certain = False
            return False
        if self.para in ("", "table") or (self.items and column < self.items[-1]):
            return True
        is_first = match[2] is None or int(match[2]) == 1
        if is_first and len(match[0].rstrip(" ")) < len(text.rstrip(" ")):
            return True
        self._doubt_paragraph()
        return False

    def _item(self, i: int, match: re.Match[str], text: str, column: int) -> int:
        if not self._is_item(match, text, column):
            return self._text(i, text, column)
        self._close(column)
        if not self.items:
            self.top_items.append((i, i + 1))
        gap, width = len(match[3]), len(match[1])
        rest = text[width + gap :]
        self.para = ""
        if not rest:
            self.is_certain &= self._next_written(i + 1)[:1] not in (" ", "\t")  # none goes on
            self.items.append(column + width + 1)
            return i + 1
        if gap > 4:
            self.is_certain = False
            gap = 1
        self.items.append(column + width + gap)
        return self._block(i, rest, column + width + gap)

    def _html_end(self, text: str) -> re.Pattern[str] | None:
        if end := end_of_html(text):
            return end
        if not TAG.match(text):
            return None
        self._doubt_paragraph()
        return None if self.para else BLANK_LINE

    def _html(self, i: int, text: str, column: int, end: re.Pattern[str]) -> int:
        self._close(column)
        self.para = ""
        after = i + 1
        if end is BLANK_LINE or not end.search(text):
            after = self._html_after(i + 1, end, self.items[-1] if self.items else 0)
        self.steps.spend(after - i)
        self.html.append((i, after))
        return after

    def _html_after(self, i: int, end: re.Pattern[str], base: int) -> int:
        """The line after a block of HTML, of which the lines from `i` on are looked at."""
        for j in range(i, len(self.lines)):
            text, column = _measured(self.lines[j])
            if text and column < base:
                self.is_certain = False
                return j
            if end is BLANK_LINE and not text:
                return j
            if end is not BLANK_LINE and end.search(text):
                return j + 1
        return len(self.lines)
