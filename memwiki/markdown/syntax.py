"""Pieces of markdown's syntax: what several patterns are made of, the words a reader sees, and
blocks that lines are parts of: HTML, tables, items of lists, and those of extensions.

Extensions have display math, code between tags of Hugo, Jekyll and Hexo, and the indented bodies of
admonitions, details and tabs. CommonMark has none of them; each is shown to it as what it is like.
Steps that a loop over a page may take are counted, never timed, so that a page means the same on
every machine and at every sync.

Source: remark-math (a `$$` opens a fence), the block patterns of Python-Markdown's admonition and
of pymdownx's details and tabbed, the shortcodes `highlight` of Hugo and of its docs, and the Liquid
tags `highlight` of Jekyll and `codeblock` of Hexo.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache, partial
from operator import itemgetter

from memwiki.nouns import Span
from memwiki.records import NamedTuple
from memwiki.text import holds, pattern

_NO_DEFINITION = pattern(r"\[(?:[^\[\]\\]|\\.)*(?:\[|\](?!:))")  # `[[a]]`, `[a](b)`, `[x] a`
_MARKS = " \t-+*0123456789.)"
LIST_MARKER = r"(?:[-+*]|\d{1,9}[.)])"
ESCAPED = pattern(r"\\([!-/:-@\[-`{-~])")  # punctuation, and the backslash that makes it plain
# What others call a block by: Obsidian six digits and letters, a person a word. `^C` is a key,
# `^10` a power, `^GSPC` an index.
_GIVEN_ID = r"\^(?!m-)((?=[A-Z0-9-]*[a-z]|\d{6}[ \t]*$)[A-Za-z0-9][A-Za-z0-9-]+)[ \t]*"
_GIVEN = pattern(rf"(?<=\S)[ \t]++{_GIVEN_ID}\Z")
ENTRY_ID = pattern(rf"(?:^|[ \t])\^(m-[A-Za-z0-9]+)(?:[ \t]++{_GIVEN_ID}$|[ \t]*$)", re.MULTILINE)
_NEXT_BLOCK = pattern(rf"\n[ \t]*(?:\n|\Z|[>|]|`{{3}}|~{{3}}|{LIST_MARKER}[ \t\n])")
# A line that says where the link `tea` leads, `[tea]: drinks/tea.md "Tea"`, and no footnote.
DEFINITION = (
    r"[ \t>]{0,8}\[[^\[\]\n^][^\[\]\n]*\]:[ \t]*+(?:<[^<>\n]+>|[^\s<]\S*+)"
    r"(?:[ \t]++(?:\"[^\"\n]*\"|'[^'\n]*'|\([^()\n]*\)))?[ \t]*"
)
_DEFINITIONS = pattern(rf"(?:{DEFINITION}(?:\s*\n|\Z))++")
CATALOG_BEGIN = "<!-- memwiki:catalog:begin -->"
# Obsidian's comments, over lines where one begins a line and a mark is alone on its line or ends
# the last one; whoever writes `5%%` or `%%time` and closes nothing has hidden nothing.
COMMENT = pattern(
    r"^[ \t]*+%%(?:(?:(?!%%)[^\n])*+%%|[ \t]*+\n(?:(?!%%).)*+%%|(?:(?!%%).)*+%%[ \t]*+$)"
    r"|(?<!\w)%%(?:(?!%%)[^\n])++%%(?!\w)",
    re.DOTALL | re.MULTILINE,
)
# What MyST calls the place below by: `(name)=`.
PLACE_NAME = pattern(r"^ {0,3}\(([^\s()=]{1,200})\)=[ \t]*$", re.MULTILINE)
# The same as an option of a directive, whose lines are code to others.
_OPTION_NAME = pattern(r"^[ \t]*:(?:name|label):[ \t]+(\S{1,200})[ \t]*$", re.MULTILINE)
# A page as MyST names it: a path in code, perhaps behind a title.
_DOC = r"[\w./-]*\w(?: [\w./-]*\w)*"
DOC_ROLE = pattern(rf"\{{doc\}}`(?:[^`<>\[\]\n]*<(?={_DOC}>`))?({_DOC})>?`")
# And as a card of a grid leads to one.
CARD_LINK = pattern(r"^[ \t]*:link:[ \t]+([^\s:<>()]+\.md(?:#\S*)?)[ \t]*$", re.MULTILINE)
_MARKED = pattern(r"[\[<*_~=`\\&]")
_ENTITY = pattern(r"&(?:#\d|#[xX][\da-fA-F]|[A-Za-z][A-Za-z\d]+;)")
# As `(https://a.example/tea_(drink))`, and Logseq's `(((63a1f0a0-...)))`.
_ADDRESSED = r"\((?:[^()\n]++|\((?:[^()\n]++|\([^()\n]*+\))*+\))*+\)"
_EMBED = pattern(
    rf"!\[\[[^\[\]\n]*\]\]|!\[[^\[\]\n]*\](?:{_ADDRESSED}|\[[^\[\]\n]*\])"
    r"|\[!\[[^\[\]\n]*\]\]\[[^\[\]\n]*\]"
)
_WIKILINK = pattern(r"\[\[([^\[\]|\n]*)(?:\|([^\[\]\n]*))?\]\]")
# A pattern that begins with a sign is looked for a few times as fast as one whose first part says
# what is before the sign.
_LINK = pattern(rf"\[(?!\^)(?<!\\\[)([^\[\]\n]*)\](?:{_ADDRESSED}|\[[^\[\]\n]*\])")
# The group before is `grid[i][j]`, which is no reference to a definition.
_INDEX_OR_LINK = pattern(rf"(\b[A-Za-z_]\w*+(?:\[[^\[\]\n]*+\])++(?!\())|{_LINK.pattern}", re.ASCII)
_BEHIND_WORD = pattern(r"\[(?<=\w\[)", re.ASCII)
# `<https://a.example>` and `<me@a.example>`, which a reader sees without the brackets.
_ADDRESS = pattern(r"<(?<!\\<)([A-Za-z][\w+.-]{1,31}+(?::|@)[^\s<>]{1,500})>")
_HTML = pattern(r"<(?<!\\<)/?[A-Za-z][^<>\n]{0,500}>|<!--[^>]{0,500}-->")
# MyST has a role before it: `{ref}` and in the code a label, then in `<>` what it names.
_CODE = pattern(
    r"(?:`(?<![\\`]`)|\{(?<![\\`]\{)([a-z][\w:+-]{0,40})\}`)(`{0,15}+)([^\n]{1,300}?)(?<!`)`\2(?!`)"
)
_ROLE_TARGET = pattern(r"(?<=\S)[ ]*<[^<>]*>\Z")
_KEPT = "\0"  # in the place of code, in no text that is read
_NUMBERED = pattern(rf"{_KEPT}(\d+){_KEPT}")
# Within a word of Latin letters they are an operator more often: x**2 + y**2, a==b or c==d.
_EMPHASIS = pattern(r"(\*\*|__|~~|==)(?<![\\A-Za-z0-9]..)(?=\S)(.{1,300}?)(?<=\S)\1")
_LIGHT = pattern(r"[*_](?<![\w*\\].)(?=\S)([^*_\n]{1,300})(?<=[^\s\\])[*_](?![\w*])")


def given_id(masked: str) -> re.Match[str] | None:
    """What others call an item by."""
    return _GIVEN.search(masked, 0, end_of_paragraph(masked))


def end_of_paragraph(text: str) -> int:
    """Where the first paragraph of an item ends."""
    found = _NEXT_BLOCK.search(text)
    return found.start() if found else len(text)


def place_names(shown: str, text: str) -> list[str]:
    """What MyST calls places of a page by; `shown` is the text without its code."""
    above = PLACE_NAME.findall(shown) if holds(shown, ")=") else []
    return above + (_OPTION_NAME.findall(text) if holds(text, ":name:", ":label:") else [])


def is_definitions(text: str) -> bool:
    """Whether nothing but where links lead stands in a text."""
    return text.startswith("[") and _DEFINITIONS.fullmatch(text) is not None


def plain(text: str) -> str:
    """The text on one line without links, HTML, emphasis and code marks; code stays as it is."""
    if not _MARKED.search(text):
        return " ".join(text.split())
    if "`" not in text:
        return _without_marks(text)
    code: list[str] = []
    rest = _without_marks(_CODE.sub(partial(_set_aside, code), text.replace(_KEPT, " ")))
    return " ".join(_NUMBERED.sub(lambda match: code[int(match[1])], rest).split())


def _set_aside(code: list[str], match: re.Match[str]) -> str:
    shown = match[3].strip()
    code.append(_ROLE_TARGET.sub("", shown) if match[1] else shown)
    return f"{_KEPT}{len(code) - 1}{_KEPT}"


def _without_marks(text: str) -> str:
    if "[" in text:
        text = _EMBED.sub("", text) if "![" in text else text
        text = _WIKILINK.sub(lambda m: m[2] or m[1], text) if "[[" in text else text
        links = _INDEX_OR_LINK if _BEHIND_WORD.search(text) else _LINK
        text = links.sub(lambda m: m[m.lastindex or 0], text)  # a template takes twice as long
    if "<" in text:
        text = _HTML.sub("", _ADDRESS.sub(r"\1", text))
    if "**" in text or "__" in text or "~~" in text or "==" in text:
        text = _EMPHASIS.sub(itemgetter(2), text)
    if "*" in text or "_" in text:
        text = _LIGHT.sub(itemgetter(1), text)
    if "&" in text and _ENTITY.search(text):
        from html import unescape  # few texts have some

        text = unescape(text)
    if "\\" in text:
        text = ESCAPED.sub(r"\1", text)
    return " ".join(text.split())


_FREE = 1_000


class StuckError(RuntimeError):
    """A loop that does not move on, or takes more steps than the size of the page can explain."""


class StepBudget:
    """What may be spent on so many lines or bytes; `each` is the most that one of them can cost."""

    __slots__ = ("left",)

    def __init__(self, size: int, each: int) -> None:
        self.left = _FREE + size * each

    def spend(self, count: int) -> None:
        """Take steps; StuckError when there are none left."""
        self.left -= count
        if self.left < 0:
            raise StuckError("more steps than the page can need")


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
_RAW_LAST = pattern(rf"{_RAW_END.pattern}\s*\Z", re.IGNORECASE)
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
STARTERS = frozenset("!?=${[")
_WORDS = r"[\w-]++(?:[ ]++[\w-]++)*+"
_TITLE = r"[ ]++\"[^\n]*\""
# What begins an admonition, details, a tab or a footnote, if an indented body follows; without its
# indentation.
CONTAINER = pattern(
    rf"(?:!!![ ]?{_WORDS}(?:{_TITLE})?+|\?\?\?\+?[ ]?(?:{_WORDS}(?:{_TITLE})?+|{_TITLE})"
    rf"|===(?:\+!?|!\+?)?{_TITLE}|\[\^[^\[\]\s]{{1,100}}+\]:[^\n]*+)[ ]*\Z"
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


def is_raw(lines: Sequence[str]) -> bool:
    """Whether a block of HTML is one in which nothing is markdown, and which ends with its tag."""
    is_ended = _RAW_LAST.search(lines[-1]) is not None
    return is_ended and end_of_html(lines[0].lstrip()) is _RAW_END


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
    return ListItem(_text(list(map(_indented, lines[first:end]))), first, end)


def _indented(line: str) -> str:
    """A line whose indent is blanks; a tab between words stays one."""
    if "\t" not in line:
        return line
    marker = _MARKER.match(line)
    end = marker.end() if marker else len(line) - len(line.lstrip(" \t"))
    return line[:end].expandtabs(4) + line[end:]


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


def is_step(line: str) -> bool:
    """Whether an item that begins with this line is one of a numbered list."""
    return line.lstrip(" \t")[:1].isdigit()


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


def lines_for_parser(lines: list[str], start: int, replaced: Mapping[int, str]) -> list[str]:
    """The lines from `start` on, those replaced that CommonMark is to read otherwise."""
    if not replaced:
        return lines[start:]
    return [replaced.get(number, lines[number]) for number in range(start, len(lines))]


@lru_cache(maxsize=1)  # each line of a paragraph asks again of its first one, which may be long
def opens_definition(line: str) -> bool:
    """Whether a line may begin a link reference definition, behind the marks of lists."""
    first = line.lstrip(_MARKS)
    return first.startswith("[") and not _NO_DEFINITION.match(first)
