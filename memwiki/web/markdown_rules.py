"""Rules of our own for markdown-it: callouts, tasks, fields, marks and the ids of blocks."""

from __future__ import annotations

import re
from collections.abc import Iterator

from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token

from memwiki.text import pattern

_CALLOUT = pattern(r"\[!([\w-]+)(?:\|[^\]\n]*)?\]([+-]?)[ \t]*([^\n]*)(?:\n|\Z)")
_BLOCK_ID = pattern(r"(?:\A|[ \t\n])\^([A-Za-z0-9][\w-]*)[ \t]*\Z")
_TASK = pattern(r"\[(.)\](?=[ \t])[ \t]+")
TASK_WORDS = "TODO|DOING|DONE|NOW|LATER|WAITING|CANCELED|CANCELLED"  # of Logseq
_MARKER = pattern(rf"({TASK_WORDS})[ \t]+")
_FIELD = pattern(r"\[([^\W\d][\w -]{0,40})::[ \t]*((?:\[[^\[\]\n]*\]\([^()\n]*\)|[^\[\]\n])*)\]")
_MARK = pattern(r"==(?=\S)([^=\n]+?)(?<=\S)==")
_COMMENT = pattern(r"%%.*?%%", re.DOTALL)
_SLUG = pattern(r"[^\w]+")
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
    md.inline.ruler.before("link", "memwiki_field", _field)
    md.inline.ruler.before("emphasis", "memwiki_mark", _mark)
    md.inline.ruler.before("text", "memwiki_comment", _comment)


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


def _field(state: StateInline, silent: bool) -> bool:
    """`[key:: value]` of an entry."""
    if state.src[state.pos] != "[":
        return False
    found = _FIELD.match(state.src, state.pos)
    if not found:
        return False
    if not silent:
        _span(state, "md-field", found.start(2), found.end(2), key=found[1])
    state.pos = found.end()
    return True


def _mark(state: StateInline, silent: bool) -> bool:
    """`==marked==`."""
    found = _MARK.match(state.src, state.pos) if state.src[state.pos] == "=" else None
    if not found:
        return False
    if not silent:
        _span(state, "", found.start(1), found.end(1))
    state.pos = found.end()
    return True


def _comment(state: StateInline, silent: bool) -> bool:  # noqa: ARG001 - as a rule is called
    """`%%what nobody is to read%%`."""
    found = _COMMENT.match(state.src, state.pos) if state.src[state.pos] == "%" else None
    if not found:
        return False
    state.pos = found.end()
    return True


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
