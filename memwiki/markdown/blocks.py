"""Blocks that lines are parts of: HTML, tables, items of lists, and those of extensions.

Extensions have display math, code between tags of Hugo, Jekyll and Hexo, and the indented bodies of
admonitions, details and tabs. CommonMark has none of them; each is shown to it as what it is like.

Source: remark-math (a `$$` opens a fence), the block patterns of Python-Markdown's admonition and
of pymdownx's details and tabbed, the shortcodes `highlight` of Hugo and of its docs, and the Liquid
tags `highlight` of Jekyll and `codeblock` of Hexo.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from memwiki.markdown.syntax import LIST_MARKER
from memwiki.nouns import Span
from memwiki.records import NamedTuple
from memwiki.text import pattern

_ATTRIBUTE = (
    r"(?:\s+[a-zA-Z_:][a-zA-Z0-9:._-]*(?:\s*=\s*(?:[^\"'=<>`\x00-\x20]+|'[^']*'|\"[^\"]*\"))?)"
)
TAG = pattern(rf"(?:<[A-Za-z][A-Za-z0-9\-]*{_ATTRIBUTE}*\s*/?>|</[A-Za-z][A-Za-z0-9\-]*\s*>)\s*\Z")
# Source: CommonMark 0.31.2, HTML blocks: kind 6, and the kinds 1 to 5 that end with a mark.
_BLOCK_NAMES_TEXT = """
    address article aside base basefont blockquote body caption center col colgroup dd details
    dialog dir div dl dt fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6
    head header hr html iframe legend li link main menu menuitem nav noframes ol optgroup option p
    param search section summary table tbody td tfoot th thead title tr track ul
"""
_BLOCK_NAMES = frozenset(_BLOCK_NAMES_TEXT.split())
_BLOCK_NAME = pattern(r"</?([A-Za-z][A-Za-z0-9]*)(?=\s|/?>|\Z)")
_RAW_NAMES = frozenset({"script", "pre", "style", "textarea"})
_RAW_NAME = pattern(r"<([A-Za-z]+)(?=\s|>|\Z)")
HEADING = pattern(r"(#{1,6})(?:[ \t]|\Z)")
BLANK_LINE = pattern(r"\Z")
_RAW_END = pattern(r"</(?:script|pre|style|textarea)>", re.IGNORECASE)
_MARKED_ENDS = {
    "<!--": pattern(r"-->"),
    "<?": pattern(r"\?>"),
    "<![CDATA[": pattern(r"\]\]>"),
    "<!": pattern(r">"),
}
# The row of dashes; one that begins with `- ` is a list item.
DELIMITER = pattern(r"(?:-[|:-]|[|:][|: \t-])[|: \t-]*\Z")
_DASHES = pattern(r":?-+:?\Z")
# Rows times columns from which markdown-it no longer fills up cells that are missing, and ends the
# table.
MAX_CELLS = 0x10000
_MARKER = pattern(rf"[ \t]*{LIST_MARKER}([ \t]*)")
BODY_INDENT = 4
STARTERS = frozenset("!?=${")
_WORDS = r"[\w-]++(?:[ ]++[\w-]++)*+"
_TITLE = r"[ ]++\"[^\n]*\""
_CONTAINER = pattern(
    rf"(?:!!![ ]?{_WORDS}(?:{_TITLE})?+|\?\?\?\+?[ ]?(?:{_WORDS}(?:{_TITLE})?+|{_TITLE})"
    rf"|===(?:\+!?|!\+?)?{_TITLE})[ ]*\Z"
)
_MATH = "$$"
_CODE_NAMES = r"(highlight|code|codeblock|code-toggle|mermaid|katex)"
_CODE_OPENING = pattern(
    rf"\{{\{{[<%][ \t]*+{_CODE_NAMES}(?=[ \t>%])[^{{}}\n]*+(?<!/[>%])\}}\}}"
    rf"|\{{%-?[ \t]*+{_CODE_NAMES}(?=[ \t%])[^{{}}\n]*+\}}"
)
_CODE_CLOSING = pattern(
    rf"\{{\{{[<%][ \t]*+/[ \t]*+{_CODE_NAMES}[ \t]*+[%>]\}}\}}[ \t]*+\Z"
    rf"|\{{%-?[ \t]*+end{_CODE_NAMES}[ \t]*+-?%\}}[ \t]*+\Z"
)
# Git's, and not those of the replies of models, which are to search and replace.
CONFLICT = pattern(r"^<{7}(?: (?!SEARCH[ \r]*$)[^\n]*)?$", re.MULTILINE)
_CONFLICT_MARKER = pattern(r"([<|>])\1{6}(?: |\Z)|={7}\Z")
MARKER = "-   ***"  # an item whose text begins in the column of the body, and is no paragraph


def heading_of(line: str) -> tuple[int, str] | None:
    """Level and title of an ATX heading."""
    match = HEADING.match(line)
    if not match:
        return None
    title = line[match.end() :].strip(" \t")
    stem = title.rstrip("#")
    return len(match[1]), (stem if not stem or stem[-1] in " \t" else title).strip()


def end_of_html(text: str) -> re.Pattern[str] | None:
    """What ends the block of HTML that begins with this text, unless it is a lone tag."""
    if (raw := _RAW_NAME.match(text)) and raw[1].lower() in _RAW_NAMES:
        return _RAW_END
    for mark, end in _MARKED_ENDS.items():
        if text.startswith(mark) and (
            mark != "<!" or (text[2:3].isascii() and text[2:3].isalpha())
        ):
            return end
    if (name := _BLOCK_NAME.match(text)) and name[1].lower() in _BLOCK_NAMES:
        return BLANK_LINE
    return None


def columns_of(header: str, delimiter: str) -> int:
    """How many columns the table has that these two lines, without indentation, begin; 0 if
    none."""
    if "|" not in header or not DELIMITER.match(delimiter):
        return 0
    marks = [mark.strip(" \t") for mark in delimiter.split("|")]
    inner = [mark for i, mark in enumerate(marks) if mark or 0 < i < len(marks) - 1]
    if not all(map(_DASHES.match, inner)) or _cells(header) != len(inner):
        return 0
    return len(inner)


def _cells(header: str) -> int:
    """The cells of a header row; a pipe after a backslash parts none."""
    text = header.strip()
    parts = text.replace("\\|", "  ").split("|")
    count = len(parts) - (parts[0] == "")
    return count - (count > 0 and parts[-1] == "")


def written_end(lines: Sequence[str], first: int, end: int, blanks: str | None = None) -> int:
    """The line after the last one from `first` on that is not blank; `first` when all are."""
    while end > first and not lines[end - 1].strip(blanks):
        end -= 1
    return end


def without_blank_edges(lines: Sequence[str], start: int, end: int) -> Span:
    """The range of lines without blank ones at its edges."""
    end = written_end(lines, start, end)
    return next((i for i in range(start, end) if lines[i].strip()), end), end


class ListItem(NamedTuple):
    """A list item: its text without the marker, dedented; lines 0-based, half-open."""

    text: str
    line: int
    line_end: int


def item_at(lines: list[str], first: int, end: int) -> ListItem:
    """The item on these lines."""
    return ListItem(_text([line.expandtabs(4) for line in lines[first:end]]), first, end)


def _text(lines: list[str]) -> str:
    """The text below the marker's end; lazy lines stand further left and stay as they are."""
    match = _MARKER.match(lines[0])
    column = match.end() if match else 0
    if match and len(match[1]) > 4:
        column = match.start(1) + 1
    if len(lines) == 1:
        return lines[0][column:].strip()
    rest = (line[min(column, len(line) - len(line.lstrip(" "))) :].rstrip() for line in lines[1:])
    return "\n".join([lines[0][column:].strip(), *rest]).strip()


class ExtensionLines(NamedTuple):
    """The lines that CommonMark is to read otherwise: `markers` of admonitions, merge conflicts and
    the like, and those of `math`, by their number."""

    markers: Mapping[int, str]
    math: Mapping[int, str]


def is_container(text: str) -> bool:
    """Whether a line without its indentation begins an admonition, details or a tab, if an indented
    body follows."""
    return _CONTAINER.match(text) is not None


def opens_math(text: str) -> bool:
    """Whether a line without its indentation begins a formula that ends on another line."""
    return text.startswith(_MATH) and _MATH not in text[2:]


def ends_math(line: str, *, is_lone: bool) -> bool | None:
    """Whether a line ends a formula: None where there cannot be one. Only one whose `$$` stands
    alone may hold empty lines: `$$` in a sentence is slang."""
    text = line.strip(" \t")
    if _MATH in text:
        return text.endswith(_MATH) or None
    return False if text or is_lone else None


def opens_code(text: str) -> str:
    """The name of the tag that begins code with this line, which ends on another one; "" for
    none, and for one that has nothing in it, `{{< code file=a />}}`."""
    opening = _CODE_OPENING.match(text)
    return "" if opening is None or closes_code(text) else opening[1] or opening[2]


def closes_code(line: str) -> str:
    """The name of the tag of which this line ends the code; "" for none."""
    closing = _CODE_CLOSING.search(line) if "}" in line else None
    return closing[1] or closing[2] if closing else ""


def is_item(line: str) -> bool:
    """Whether what begins with this line is an item of a list, and no admonition."""
    return line.lstrip(" \t")[:1] not in STARTERS


def math_lines(first: int, end: int, opener: str) -> dict[int, str]:
    """What stands for the lines of a formula: a fence behind what stands before its `$$`, in which
    nothing means anything."""
    indent = " " * len(opener)
    inner = dict.fromkeys(range(first + 1, end - 1), f"{indent}x")
    return {first: f"{opener}```", **inner, end - 1: f"{indent}```"}


def conflict_markers(lines: list[str], first: int) -> dict[int, str]:
    """What stands for the markers of the merge conflict that begins on line `first`: rules, as
    they are part of no block; nothing for one that is not whole. The next one that begins ends the
    search, so that no line is looked at twice."""
    markers = [first]
    for i in range(first + 1, len(lines) if CONFLICT.match(lines[first]) else 0):
        marker = _CONFLICT_MARKER.match(lines[i])
        if marker and marker[1] == "<":
            break
        markers += [i] if marker else []
        if marker and marker[1] == ">":
            return dict.fromkeys(markers, "***") if len(markers) > 2 else {}
    return {}


def shown(lines: list[str], start: int, replaced: Mapping[int, str]) -> list[str]:
    """The lines from `start` on, those replaced that CommonMark is to read otherwise."""
    if not replaced:
        return lines[start:]
    return [replaced.get(number, lines[number]) for number in range(start, len(lines))]
