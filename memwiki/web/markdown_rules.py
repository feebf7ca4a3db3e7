"""The text of a page as CommonMark, with links and tags in one form; rules of our own for
markdown-it: callouts, tasks, fields, marks and the ids of blocks."""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple, TypeAlias
from urllib.parse import quote

from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token

from memwiki.answers.pages import LinkSpan, PageDrawing
from memwiki.nouns import LOGSEQ, PATH_KINDS
from memwiki.text import MARKS, pattern

LINK_SCHEME = "memwiki:"  # then the number of a link of the drawing
TAG_SCHEME = "memwiki-tag:"
_SPECIAL = pattern(r"([\\\[\]|`*_<>$~=^])")
_EMBED_MACRO = pattern(r"\{\{embed\s+!?(\[(?:\\.|[^\]\\\n])*\]\(memwiki:\d+\))\s*\}\}")
_LOGSEQ_OWN = pattern(r"[ \t]*(?:[-*+][ \t]+)?(?:id|collapsed|heading|logseq\.[\w.-]+)::")
_PROPERTY = pattern(
    r"([ \t]*(?:[-*+][ \t]+)?)"
    r"([^\W\d][\w-]{0,40}::[ \t](?:\[[^\[\]\n]*\]\([^()\n]*\)|[^\[\]\n])*)\Z"
)
_COMMENT_MARK = "%%"
_FENCE = pattern(r"[ \t]*(?:[-*+][ \t]+)?(?:```|~~~)")
_TICKS = pattern("`{3,}")
_LANGUAGE = pattern(
    r"\{[{%][<%-]?[ \t]*+(?:(mermaid)|[\w-]++[ \t]++(?:lang:)?([\w+#-]++)(?![:=\w]))"
)
_BULLET_LESS_HEADING = pattern(r"#{1,6}(?=[ \t])")
_INDENTED_ITEM = pattern(r"\t+[*+-](?=[ \t])")


class Prepared(NamedTuple):
    """Lines of markdown, and the line of the page that each of them is."""

    text: str
    numbers: tuple[int, ...]


class _Change(NamedTuple):
    """Another text for a half-open range."""

    start: int
    end: int
    text: str


def prepare_lines(page: PageDrawing, first: int, last: int) -> Prepared:
    """The lines of a page from the first to the last one, both from 1."""
    text, done, parts = page.text, 0, []
    for change in sorted(_changes(page)):
        if change.start >= done:
            parts += [text[done : change.start], change.text]
            done = change.end
    lines = "".join([*parts, text[done:]]).split("\n")
    _fence(page, lines)
    numbered = list(enumerate(_without_comments(lines[first - 1 : last]), first))
    if page.dialect == LOGSEQ:
        numbered = list(_outline_lines(numbered))
    drawn = "\n".join(line for _, line in numbered)
    return Prepared(_EMBED_MACRO.sub(r"!\1", drawn), tuple(number for number, _ in numbered))


def _fence(page: PageDrawing, lines: list[str]) -> None:
    """Set fences in the place of the tags around code."""
    for first, last in page.tagged_code:
        opening = lines[first - 1]
        ticks = _TICKS.findall("\n".join(lines[first : last - 1]))
        fence = opening[: len(opening) - len(opening.lstrip())] + max(["``", *ticks], key=len) + "`"
        found = _LANGUAGE.match(opening.lstrip())
        lines[first - 1] = fence + ((found[1] or found[2]) if found else "")
        lines[last - 1] = fence


def _without_comments(lines: Sequence[str]) -> Iterator[str]:
    """The lines with those empty that `%%` at the beginning of one comments out; a comment that
    ends on its line is one of the text."""
    is_code, ends = False, [at for at, line in enumerate(lines) if _COMMENT_MARK in line]
    last = -1  # line of the comment
    for at, line in enumerate(lines):
        is_code ^= at > last and bool(_FENCE.match(line))
        is_open = line.lstrip().startswith(_COMMENT_MARK) and line.count(_COMMENT_MARK) == 1
        if at > last and not is_code and is_open:
            following = bisect(ends, at)
            # Whether these lines are around one: of other programs, both may only begin with the
            # mark.
            if following < len(ends) and (
                line.strip() == _COMMENT_MARK
                or lines[ends[following]].rstrip().endswith(_COMMENT_MARK)
            ):
                last = ends[following]
        if at == last:
            yield line.partition(_COMMENT_MARK)[2]
        else:
            yield "" if at < last else line


def _changes(page: PageDrawing) -> Iterator[_Change]:
    for number, span in enumerate(page.links):
        if change := _of_link(page.text, span, f"{LINK_SCHEME}{number}"):
            yield change
    for tag in page.tag_spans:
        written = page.text[tag.start : tag.end]
        target = f"{TAG_SCHEME}{quote(tag.tag)}"
        yield _Change(tag.start, tag.end, f"[{_escaped(written)}]({target})")


def _of_link(text: str, span: LinkSpan, target: str) -> _Change | None:
    """A link of whatever form as `[label](target)`."""
    start, end, kind = span.start, span.end, span.link.kind
    line = text.rfind("\n", 0, start) + 1
    if text[start - 2 : start] == "((":
        return _of_block(text, span, line, target)
    if kind in PATH_KINDS:
        return _Change(start, end, target)
    opening, closing = text.rfind("[[", line, start), text.find("]]", end)
    if opening >= 0 and closing >= 0 and "]]" not in text[opening:start]:
        if text[opening - 2 : opening] == "](":  # `[label]([[page]])`
            return _Change(opening, closing + 2, target)
        is_embed = text[opening - 1 : opening] == "!"
        label = _escaped(span.link.text or _name(span))
        shown = f"{'!' * is_embed}[{label}]({target})"
        return _Change(opening - is_embed, closing + 2, shown)
    return _Change(start, end, f"[{_escaped(text[start:end])}]({target})")


def _of_block(text: str, span: LinkSpan, line: int, target: str) -> _Change:
    """`((id))`, `{{embed ((id))}}` or `[label](((id)))`; without a label the block says what it
    is."""
    start, end = span.start - 2, span.end + 2
    if text[start - 2 : start] == "](":
        return _Change(start, end, target)
    before = text[line:start]
    is_embed = before.rstrip().endswith("{{embed")
    if is_embed:
        start = line + before.rindex("{{embed")
        end = text.find("}}", end) + 2
    label = _escaped(span.link.text)
    return _Change(start, end, f"{'!' * is_embed}[{label}]({target})")


def _name(span: LinkSpan) -> str:
    """What a link without a label is shown as."""
    name = span.link.written.partition("#")[0]
    parts = (name, *span.heading.split("#"), span.block and f"^{span.block}")
    return " › ".join(filter(None, parts))


def _escaped(text: str) -> str:
    return _SPECIAL.sub(r"\\\1", " ".join(text.replace("\\|", "|").split()))


def _outline_lines(numbered: Sequence[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    """Without what Logseq notes for itself, with what else is said of a block as fields; a heading
    with items below it is an item, too."""
    shown = list(_with_fields(numbered))
    below = (line for _, line in [*shown[1:], (0, "")])
    for (number, line), following in zip(shown, below, strict=False):
        is_item = _BULLET_LESS_HEADING.match(line) and _INDENTED_ITEM.match(following)
        yield number, f"- {line}" if is_item else line


def _with_fields(numbered: Sequence[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    is_code = False
    for number, line in numbered:
        is_code ^= bool(_FENCE.match(line))
        if is_code or not _LOGSEQ_OWN.match(line):
            yield number, line if is_code else _PROPERTY.sub(r"\1[\2]", line)


_CALLOUT = pattern(r"\[!([\w-]+)(?:\|[^\]\n]*)?\]([+-]?)[ \t]*([^\n]*)(?:\n|\Z)")
_BLOCK_ID = pattern(r"(?:\A|[ \t\n])\^([A-Za-z0-9][\w-]*)[ \t]*\Z")
_TASK = pattern(r"\[(.)\](?=[ \t])[ \t]+")
TASK_WORDS = "TODO|DOING|DONE|NOW|LATER|WAITING|CANCELED|CANCELLED"  # of Logseq
_MARKER = pattern(rf"({TASK_WORDS})[ \t]+")
_FIELD = pattern(r"\[([^\W\d][\w -]{0,40})::[ \t]*((?:\[[^\[\]\n]*\]\([^()\n]*\)|[^\[\]\n])*)\]")
_MARK = pattern(r"==(?=\S)([^=\n]+?)(?<=\S)==")
_COMMENT = pattern(
    r"%%(?:[^\n]*?%%|(?:(?<=[^\n]..)|[ \t]*\n).*?%%|(?:(?!%%).)*+%%[ \t]*+(?![^\n]))", re.DOTALL
)
_SLUG = pattern(rf"[^\w{MARKS}]+")
_LINED = (
    "paragraph_open",
    "heading_open",
    "list_item_open",
    "fence",
    "table_open",
    "hr",
    "tr_open",
)
_DONE = "xX"


def own_rules(md: MarkdownIt) -> None:
    """Add all of them; `env["numbers"]` says which line of the page each line is."""
    md.core.ruler.after("block", "memwiki_blocks", _blocks)
    md.inline.ruler.before("link", "memwiki_field", _rule("[", _FIELD, _draw_field))
    md.inline.ruler.before("emphasis", "memwiki_mark", _rule("=", _MARK, _draw_mark))
    md.inline.ruler.before("text", "memwiki_comment", _rule("%", _COMMENT, _draw_nothing))


def slug(heading: str) -> str:
    """What a heading is called in an address."""
    return _SLUG.sub("-", heading.casefold()).strip("-")


# --- blocks --------------------------------------------------------------------------------------


def _blocks(state: StateCore) -> None:
    tokens, seen = state.tokens, state.env.setdefault("headings", dict[str, int]())
    numbers = state.env.get("numbers", ())
    for at, token in enumerate(tokens):
        if token.type in _LINED and token.map and token.map[0] < len(numbers):
            token.attrSet("data-line", str(numbers[token.map[0]]))
        if token.type == "inline":
            _block_id(tokens, at)
            _task(tokens, at)
            if tokens[at - 1].type == "heading_open":
                _heading_id(tokens[at - 1], token.content, seen)
        elif token.type == "admonition_open":
            kind = str(token.attrGet("class") or "").split()
            token.attrSet("class", f"md-callout md-callout-{slug(kind[1]) if kind[1:] else 'note'}")
        elif token.type == "admonition_title_open":
            token.attrSet("class", "md-callout-title")
    state.tokens = list(_with_callouts(tokens))


def _heading_id(opening: Token, text: str, seen: dict[str, int]) -> None:
    name = slug(text) or "section"
    seen[name] = count = seen.get(name, 0) + 1
    opening.attrSet("id", f"h-{name}" if count == 1 else f"h-{name}-{count}")


def _block_id(tokens: list[Token], at: int) -> None:
    """`text ^id`: the id leaves the text, and names the block."""
    token = tokens[at]
    found = _BLOCK_ID.search(token.content)
    if found:
        token.content = token.content[: found.start()]
        owner = at - 2 if tokens[at - 2].type == "list_item_open" else at - 1
        tokens[owner].attrSet("id", f"b-{found[1]}")


def _task(tokens: list[Token], at: int) -> None:
    """`- [ ] text`, and where Logseq has a word for it."""
    token = tokens[at]
    if at < 2 or tokens[at - 2].type != "list_item_open":
        return
    found, state = _TASK.match(token.content), ""
    if found:
        state = found[1]
    elif found := _MARKER.match(token.content):
        state = "x" if found[1] == "DONE" else " "
        tokens[at - 2].attrJoin("class", f"md-marker-{found[1].lower()}")
    else:
        return
    token.content = token.content[found.end() :]
    token.meta["task"] = state in _DONE
    tokens[at - 2].attrJoin("class", "md-task md-done" if state in _DONE else "md-task")


def _with_callouts(tokens: list[Token]) -> Iterator[Token]:
    """Quotes that begin with `[!kind] title` as boxes with a title."""
    closing: dict[int, str] = {}
    skipped: set[int] = set()
    for at, token in enumerate(tokens):
        if id(token) in closing:
            token.tag = closing.pop(id(token))
        if at in skipped:
            continue
        yield token
        found = _begins_callout(tokens, at)
        if not found:
            continue
        kind, fold, title = found[1].lower(), found[2], found[3].strip()
        token.tag = "details" if fold else "div"
        token.attrSet("class", f"md-callout md-callout-{slug(kind)}")
        token.attrSet("data-callout", slug(kind))
        if fold == "+":
            token.attrSet("open", "")
        closing[id(_closing_of(tokens, at))] = token.tag
        yield from _title(title or kind.replace("-", " ").capitalize(), token, fold)
        inline = tokens[at + 2]
        inline.content = inline.content[found.end() :]
        if not inline.content.strip():
            skipped |= {at + 1, at + 2, at + 3}


def _begins_callout(tokens: list[Token], at: int) -> re.Match[str] | None:
    is_quote = tokens[at].type == "blockquote_open" and tokens[at + 1].type == "paragraph_open"
    return _CALLOUT.match(tokens[at + 2].content) if is_quote else None


def _closing_of(tokens: list[Token], at: int) -> Token:
    level = tokens[at].level
    rest = range(at + 1, len(tokens))
    return next(
        tokens[i] for i in rest if tokens[i].type == "blockquote_close" and tokens[i].level == level
    )


def _title(text: str, box: Token, fold: str) -> Iterator[Token]:
    tag = "summary" if fold else "p"
    opening = Token("callout_title_open", tag, 1, block=True, attrs={"class": "md-callout-title"})
    inline = Token("inline", "", 0, content=text, children=[], level=box.level + 1, map=box.map)
    yield from (opening, inline, Token("callout_title_close", tag, -1, block=True))


# --- within a line -------------------------------------------------------------------------------


_Draw: TypeAlias = "Callable[[StateInline, re.Match[str]], None]"


def _rule(sign: str, form: re.Pattern[str], draw: _Draw) -> Callable[[StateInline, bool], bool]:
    """What takes a form that begins with a sign out of the text, and draws it."""

    def rule(state: StateInline, silent: bool) -> bool:
        found = form.match(state.src, state.pos) if state.src[state.pos] == sign else None
        if found and not silent:
            draw(state, found)
        if found:
            state.pos = found.end()
        return found is not None

    return rule


def _draw_field(state: StateInline, found: re.Match[str]) -> None:
    """`[key:: value]` of an entry."""
    _span(state, "md-field", found.start(2), found.end(2), key=found[1])


def _draw_mark(state: StateInline, found: re.Match[str]) -> None:
    """`==marked==`."""
    _span(state, "", found.start(1), found.end(1))


def _draw_nothing(_state: StateInline, _found: re.Match[str]) -> None:
    """`%%what nobody is to read%%`."""


def _span(state: StateInline, name: str, start: int, end: int, key: str = "") -> None:
    """What is between two offsets, marked up as it is, in an element."""
    tag = "span" if name else "mark"
    opening = state.push("own_open", tag, 1)
    if name:
        opening.attrSet("class", name)
    if key:
        state.push("own_key_open", "span", 1).attrSet("class", "md-key")
        state.push("text", "", 0).content = key
        state.push("own_key_close", "span", -1)
    most, state.pos, state.posMax = state.posMax, start, end
    state.md.inline.tokenize(state)
    state.pos, state.posMax = end, most
    state.push("own_close", tag, -1)
