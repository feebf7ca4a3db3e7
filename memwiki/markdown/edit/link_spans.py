"""Where the links of a front matter stand, found by their tokens, in blocks of broken YAML too."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from typing import NamedTuple, TypeAlias

from memwiki.markdown.edit.yaml.scalars import inside_quotes
from memwiki.markdown.field_links import LABELLED
from memwiki.markdown.fields import WIKILINK
from memwiki.markdown.links import markdown_link, target_span, wikilink
from memwiki.markdown.outline import Outline
from memwiki.nouns import FrontMatter, Link, LinkKind

_HEAD = re.compile(
    r"\s*+(?:- ++)*+(?:(?:\"[^\"]*\"\s*+|'[^']*'\s*+|[^\s:#\"'\[{-][^:]*+):(?:\s++|\Z))?"
)
_SCALAR = re.compile(r"\"(?:[^\"\\]|\\.)*+(?:\"|\Z)|'(?:[^']|'')*+'|[^\s,\[\]{}\"'][^,\[\]{}]*+")
_NO_TARGET = re.compile(r"(?<![\w-])[\"']?(?:type|relation|weight)[\"']?\s*:\s*\Z")
_KEY_WIDTH = 200  # a key with the blanks around it
_FLOW_KEY = re.compile(r"[^\s:]+:\s+")
_COMMENT = re.compile(r"(?:\A|\s)#.*\Z")


_Meant: TypeAlias = tuple[str, str, str]


class LinkSpan(NamedTuple):
    """A link of the front matter and where its target stands in the text."""

    link: Link
    start: int
    end: int
    syntax: str
    quote: str
    is_flow: bool


class _Token(NamedTuple):
    """A piece of a line that may be a link."""

    line: int
    start: int
    end: int
    link: Link | None
    syntax: str
    quote: str
    is_flow: bool = False


def field_places(page: Outline) -> Iterator[LinkSpan]:
    """The links that the reader finds in the fields, in its order, as far as their text is
    found."""
    if not page.front_links:
        return
    tokens: dict[_Meant, list[_Token]] = {}
    for token in _tokens(page.front, page.lines):
        if token.link:
            tokens.setdefault(_meant(token.link), []).append(token)
    for link in page.front_links:
        spans = tokens.get(_meant(link), [])
        at = bisect_left(spans, link.line - 1, key=lambda each: each.line)
        if at == len(spans):
            continue
        token = spans.pop(at)
        start, end = page.offset(token.line, token.start), page.offset(token.line, token.end)
        yield LinkSpan(link, start, end, token.syntax, token.quote, token.is_flow)


def _meant(link: Link) -> _Meant:
    return link.written, link.heading, link.block


def _tokens(front: FrontMatter, lines: list[str]) -> Iterator[_Token]:
    for line in range(front.line_start, max(front.line_end - 1, front.line_start)):
        text = lines[line]
        if text.lstrip().startswith("#"):
            continue
        for start, end, quote, is_flow in _values(text):
            yield from _in_scalar(line, text, start, end, quote, is_flow=is_flow)


def _values(text: str) -> Iterator[tuple[int, int, str, bool]]:
    """The scalars of a line: offsets, quotes included, the quote, whether they are in brackets."""
    head = _HEAD.match(text)
    start = head.end() if head else 0
    rest = text[start:]
    if not rest.strip():
        return
    if rest[0] in "\"'" and (match := _SCALAR.match(rest)):
        yield start, start + match.end(), rest[0], False
        return
    end = start + len(_COMMENT.sub("", rest).rstrip())
    yield start, end, "", False
    if rest[0] in "[{":
        for match in _SCALAR.finditer(text, start, end):
            first, token = match.start(), match[0]
            quote = token[0] if token[0] in "\"'" else ""
            if quote and (len(token) < 2 or token[-1] != quote):
                continue  # goes on in another line
            key = None if quote else _FLOW_KEY.match(token)
            if key and key.end() < len(token):
                first, token = first + key.end(), token[key.end() :]
                quote = token[0] if token[0] in "\"'" else ""
            yield first, first + len(token.rstrip()), quote, True


def _in_scalar(
    line: int, text: str, start: int, end: int, quote: str, *, is_flow: bool
) -> Iterator[_Token]:
    is_whole_line = text[start : start + 1] in "[{" and not is_flow
    if not is_flow or quote:
        for match in WIKILINK.finditer(text, start, end):
            if is_whole_line and _is_quoted_at(text, match.start()):
                continue  # comes again as a scalar of its own
            first, last = target_span(match[1], match.start(1))
            link = wikilink(inside_quotes(match[1], quote), 0, LinkKind.FRONT_MATTER)
            yield _Token(line, first, last, link, "wiki", quote)
    if is_whole_line or _NO_TARGET.search(text, max(start - _KEY_WIDTH, 0), start):
        return
    inner = inside_quotes(text[start + 1 : end - 1] if quote else text[start:end], quote)
    if labelled := LABELLED.match(inner):
        at = text.find(labelled[2], start, end)
        if at >= 0:
            link = markdown_link(labelled[2], labelled[1], 0, LinkKind.SOURCE)
            yield _Token(line, at, at + len(labelled[2]), link, "bare", quote)
        return
    link = markdown_link(inner, "", 0, LinkKind.SOURCE)
    yield _Token(line, start, end, link, "value", quote, is_flow)


def _is_quoted_at(text: str, at: int) -> bool:
    return text[max(at - 1, 0) : at] in ("'", '"')
