"""A long page part by part, each read and drawn when it is asked for.

What comes of all parts is what comes of the page as a whole: references, footnotes and ids of
headings are those of all of it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeAlias

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock
from markdown_it.rules_core import StateCore
from markdown_it.token import Token

from memwiki.patterns import pattern
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
_DEFINITION = "]:"
_TAIL = "footnote_tail"
_NOTE = "footnote_reference"
_Rule: TypeAlias = Callable[[StateCore], None]


def html_parts(
    md: MarkdownIt, text: str, env: dict[str, object], first_chars: int = FIRST_CHARS
) -> Iterator[str]:
    """The HTML of a text in parts that each close what they open; the first is a short one."""
    state, rules = StateCore(text, md, env), _rules_of(md)
    rules.pop("normalize")(state)
    rules.pop("block")
    tail = rules.pop(_TAIL)
    notes, is_open, html = list[Token](), _OpenElements(), ""
    for tokens, is_last in _parts(md, state.src, env, first_chars):
        state.tokens = tokens
        for rule in rules.values():
            rule(state)
        is_open.read(state.tokens)
        if is_last:
            state.tokens = notes + state.tokens
            tail(state)
            rules["text_join"](state)  # of footnotes that are written where they are referred to
        else:
            state.tokens = _without_notes(state.tokens, notes)
        html += str(md.renderer.render(state.tokens, md.options, env))
        if is_last or not is_open:
            yield html
            html = ""


def _rules_of(md: MarkdownIt) -> dict[str, _Rule]:
    """The rules of a page by name, in their order."""
    ruler = md.core.ruler
    return dict(zip(ruler.get_active_rules(), ruler.getRules(""), strict=True))


def _parts(
    md: MarkdownIt, text: str, env: dict[str, object], most: int
) -> Iterable[tuple[list[Token], bool]]:
    """Blocks that together have so many characters or a few more, and whether they are the last."""
    found = _read_parts(StateBlock(text, md, env, []), most)
    # What a reference means may be said further down.
    return list(found) if _DEFINITION in text else found


def _read_parts(state: StateBlock, most: int) -> Iterator[tuple[list[Token], bool]]:
    rules, end, size = state.md.block.ruler.getRules(""), state.lineMax, 0
    state.line = state.skipEmptyLines(0)
    while state.line < end:
        begun = len(state.tokens)
        any(rule(state, state.line, end, False) for rule in rules)
        state.line = state.skipEmptyLines(state.line)
        size += sum(len(token.content) for token in state.tokens[begun:])
        if size >= most and state.line < end:
            yield state.tokens, False
            state.tokens, size, most = [], 0, most * _GROWTH
    yield state.tokens, True


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
