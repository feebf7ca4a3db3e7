"""A long page part by part, each read and drawn when it is asked for.

What comes of all parts is what comes of the page as a whole: references, footnotes and ids of
headings are those of all of it. Long tables and lists are cut between rows and items; all of them
are sent, so that they can be searched, printed and read without scripts.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple, TypeAlias

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock
from markdown_it.rules_core import StateCore
from markdown_it.token import Token

from memwiki.answers.pages import MAX_DRAWN_CHARS
from memwiki.text import pattern
from memwiki.web.markdown_clean import ELEMENTS

FIRST_CHARS = 1_500  # about a screen
_GROWTH = 4  # each part costs a turn of a thread
_TAG = pattern(r"<!--.*?-->|<(/?)([a-zA-Z][a-zA-Z0-9-]*)", re.DOTALL)
_VOID = frozenset("br col hr img input".split())
# Those that decide what becomes of elements within them, though nothing of them is shown.
_READ_OTHERWISE = frozenset(
    "annotation-xml applet button form iframe marquee noembed noframes noscript object plaintext "
    "script select style svg template textarea title xmp".split()
)
_LASTING = (ELEMENTS - _VOID) | _READ_OTHERWISE  # of all others nothing is left
_DECLARATION = ("<!", "<?")
_CLOSING = {
    "table_open": "</tbody>\n</table>\n",
    "bullet_list_open": "</ul>\n",
    "ordered_list_open": "</ol>\n",
}
_OPENING = {
    "": "",
    "</tbody>\n</table>\n": "<table>\n<tbody>\n",
    "</ul>\n": "<ul>\n",
    "</ol>\n": "<ol>\n",
}
_BETWEEN = {("tr_close", "tr_open"): 2, ("list_item_close", "list_item_open"): 1}  # at this level
_DEFINITION = "]:"
_TAIL = "footnote_tail"
_NOTE = "footnote_reference"
_Rule: TypeAlias = Callable[[StateCore], None]


class DrawnPart(NamedTuple):
    """A piece of a page that closes what it opens."""

    html: str
    before: str = ""  # what it opens for itself, and the part before it left open
    after: str = ""  # what it closes for itself, and the next part goes on with


class _Tokens(NamedTuple):
    """The tokens of a part."""

    tokens: list[Token]
    after: str = ""  # what closes the table or list that goes on
    is_last: bool = False


def html_parts(
    md: MarkdownIt, text: str, env: dict[str, object], first_chars: int = FIRST_CHARS
) -> Iterator[DrawnPart]:
    """The HTML of a text in parts; the first is a short one."""
    state, rules = StateCore(text, md, env), _rules_of(md)
    rules.pop("normalize")(state)
    rules.pop("block")
    tail = rules.pop(_TAIL)
    notes, is_open, html, before = list[Token](), _OpenElements(), "", ""
    for piece in _pieces(md, state.src, env, first_chars):
        state.tokens = piece.tokens
        for token in filter(_is_too_long, state.tokens):
            token.type = "text"  # is shown as it is written
        for rule in rules.values():
            rule(state)
        is_open.read(state.tokens)
        if piece.is_last:
            state.tokens = notes + state.tokens
            tail(state)
            rules["text_join"](state)  # of footnotes that are written where they are referred to
        else:
            state.tokens = _without_notes(state.tokens, notes)
        html += str(md.renderer.render(state.tokens, md.options, env))
        if piece.is_last or not is_open:
            yield DrawnPart(before + html + piece.after, before, piece.after)
            html, before = "", _OPENING[piece.after]


def _is_too_long(token: Token) -> bool:
    is_long = token.type == "inline" and len(token.content) > MAX_DRAWN_CHARS
    return is_long and max(map(len, token.content.split("\n"))) > MAX_DRAWN_CHARS


def _rules_of(md: MarkdownIt) -> dict[str, _Rule]:
    """The rules of a page by name, in their order."""
    ruler = md.core.ruler
    return dict(zip(ruler.get_active_rules(), ruler.getRules(""), strict=True))


def _pieces(md: MarkdownIt, text: str, env: dict[str, object], most: int) -> Iterable[_Tokens]:
    """What together has so many characters or a few more."""
    found = _read_pieces(StateBlock(text, md, env, []), most)
    # What a reference means may be said further down.
    return list(found) if _DEFINITION in text else found


def _read_pieces(state: StateBlock, most: int) -> Iterator[_Tokens]:
    piece, size = list[Token](), 0
    for block, is_last in _blocks(state):
        closing = _CLOSING.get(block[0].type, "") if block and _is_whole(block) else ""
        for at, token in enumerate(block):
            between = _BETWEEN.get((block[at - 1].type, token.type))
            if closing and size >= most and between == token.level:
                yield _Tokens(piece, closing)
                piece, size, most = [], 0, most * _GROWTH
            piece.append(token)
            size += len(token.content)
        if size >= most and not is_last:
            yield _Tokens(piece)
            piece, size, most = [], 0, most * _GROWTH
    yield _Tokens(piece, is_last=True)


def _blocks(state: StateBlock) -> Iterator[tuple[list[Token], bool]]:
    """One block after the other, and whether it is the last."""
    rules, end = state.md.block.ruler.getRules(""), state.lineMax
    state.line = state.skipEmptyLines(0)
    while state.line < end:
        any(rule(state, state.line, end, False) for rule in rules)
        state.line = state.skipEmptyLines(state.line)
        block, state.tokens = state.tokens, []
        yield block, state.line >= end


def _is_whole(block: Sequence[Token]) -> bool:
    """Whether no cell and no item opens or closes an element of another one."""
    return all(_is_closed(token.content) for token in block if "<" in token.content)


def _is_closed(html: str) -> bool:
    """Whether all that is opened here is closed here, and nothing else."""
    names = list[str]()
    for found in _TAG.finditer(html):
        name = (found[2] or "").lower()
        if name in _LASTING and not found[1]:
            names.append(name)
        elif name in _LASTING and (not names or names.pop() != name):
            return False
    return not names and not any(sign in html for sign in _DECLARATION)


def _without_notes(tokens: Sequence[Token], notes: list[Token]) -> list[Token]:
    """The tokens but for what footnotes say, which is put with the notes for the end."""
    kept, is_note = list[Token](), False
    for token in tokens:
        is_note |= token.type == f"{_NOTE}_open"
        (notes if is_note else kept).append(token)
        is_note &= token.type != f"{_NOTE}_close"
    return kept


class _OpenElements:
    """What a page opened as HTML, and did not close yet: true while there is any."""

    def __init__(self) -> None:
        self._names = list[str]()

    def __bool__(self) -> bool:
        return bool(self._names)

    def read(self, tokens: Sequence[Token]) -> None:
        """Note what these open and close."""
        for token in tokens:
            if token.type.startswith("html_"):
                self._read(token.content)
            self.read(token.children or ())

    def _read(self, html: str) -> None:
        for found in _TAG.finditer(html):
            name = (found[2] or "").lower()
            if name not in _LASTING:
                continue
            if not found[1]:
                self._names.append(name)
            elif name in self._names:
                while self._names.pop() != name:
                    pass
