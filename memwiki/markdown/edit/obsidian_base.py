"""Bases: tables of pages in YAML, with expressions that name pages, folders and tags."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from typing import NamedTuple

from memwiki.errors import NotEditableError
from memwiki.markdown.edit.companion import Companion, Inset, StringKind
from memwiki.markdown.edit.encoded import EncodedString, as_it_is, in_backslashes, in_doubled_quotes
from memwiki.markdown.edit.yaml.nodes import YamlKind, YamlNode, compose_any
from memwiki.markdown.frontmatter import MAX_BYTES
from memwiki.markdown.source import read_source

_EXPRESSIONS = frozenset({"filters", "formulas", "summaries"})
# One that is never closed ends with its line: were it no match, each quote in it would be tried
# again.
_LITERAL = re.compile(r"\"(?:[^\"\\\n]|\\.)*+(\"?)|'(?:[^'\\\n]|\\.)*+('?)")
_TOKEN = re.compile(
    rf"(?P<literal>{_LITERAL.pattern})|(?P<word>[^\W\d][\w.]*+)|(?P<mark>==|!=|[(),])"
)
_MEANT = {  # the first value of a call
    "link": StringKind.LINK,
    "hasLink": StringKind.LINK,
    "file": StringKind.LINK,
    "image": StringKind.LINK,
    "inFolder": StringKind.FOLDER,
}
_COMPARED = {"file.path": StringKind.FILE, "file.folder": StringKind.FOLDER}
_TAG_CALL = re.compile(r"(?:.*\.)?(?:hasTag|tags\.contains(?:Any|All)?)\Z")
_TAGS = frozenset({"tags", "file.tags", "note.tags"})


class _Call(NamedTuple):
    """An open parenthesis: what is called, and the value that comes next."""

    name: str
    number: int = 0


def read_base(path: str, data: bytes) -> Companion:
    """The strings in the expressions of a base."""
    source = read_source(path, data)
    text = source.text
    root = root_of(path, text)
    insets, frame = [], []
    for node, is_expression in _scalars(root, is_expression=False) if root else ():
        found = list(_literals(node, text)) if is_expression else []
        insets += found
        frame.append(_LITERAL.sub("", node.value) if found else node.value)
    return Companion(source, tuple(insets), frame)


def root_of(path: str, text: str) -> YamlNode | None:
    """The YAML of a file; NotEditableError where it is none."""
    what = "is too large" if len(text) > MAX_BYTES else "is not valid YAML"
    with suppress(ValueError):
        if len(text) <= MAX_BYTES:
            return compose_any(text)
    raise NotEditableError(f"{path}: {what}", hint="look at it in an editor", path=path)


def _scalars(node: YamlNode, *, is_expression: bool) -> Iterator[tuple[YamlNode, bool]]:
    if node.kind is YamlKind.MAP:
        for key, value in node.pairs():
            yield key, False
            inside = is_expression or key.value in _EXPRESSIONS
            yield from _scalars(value, is_expression=inside)
    elif node.kind is YamlKind.LIST:
        for item in node.items:
            yield from _scalars(item, is_expression=is_expression)
    else:
        yield node, is_expression


def _literals(node: YamlNode, text: str) -> Iterator[Inset]:
    """The strings of an expression with what they mean there."""
    outer = scalar_of(node, text)
    calls: list[_Call] = []
    last: list[str] = ["", ""]  # the two tokens before
    for token in _TOKEN.finditer(outer.text):
        literal, word, mark = token["literal"], token["word"], token["mark"]
        if literal and (token[2] or token[3]):
            inner = in_backslashes(outer.text, token.start() + 1, token.end() - 1, literal[0])
            yield Inset(_meaning(calls, last), (inner, outer))
        elif mark == "(":
            calls.append(_Call(last[1]))
        elif mark == ")" and calls:
            calls.pop()
        elif mark == "," and calls:
            calls[-1] = calls[-1]._replace(number=calls[-1].number + 1)
        last = [last[1], word or mark or ""]


def scalar_of(node: YamlNode, text: str) -> EncodedString:
    """The text of a scalar; one of several lines is found where it begins and can only be read."""
    if node.is_block_text:
        return EncodedString(node.value, [0], [node.start], str)
    if node.style == "'":
        return in_doubled_quotes(text, node.start + 1, node.end - 1)
    if node.style == '"':
        return in_backslashes(text, node.start + 1, node.end - 1, '"')
    return as_it_is(text, node.start, node.end)


def _meaning(calls: list[_Call], last: list[str]) -> StringKind:
    if last[1] in ("==", "!="):
        return StringKind.TAG if last[0] in _TAGS else _COMPARED.get(last[0], StringKind.OTHER)
    if not calls:
        return StringKind.OTHER
    name, number = calls[-1]
    if _TAG_CALL.match(name):
        return StringKind.TAG
    return (
        _MEANT.get(name.rpartition(".")[2], StringKind.OTHER) if number == 0 else StringKind.OTHER
    )
