"""Reading a canvas, a base or a navigation by its name, and writing other targets into it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import suppress
from posixpath import basename, dirname, normpath
from typing import NoReturn

from memwiki.errors import NotEditableError
from memwiki.markdown.edit.companion import (
    Companion,
    EncodedString,
    Inset,
    StringKind,
    TextChange,
    as_it_is,
    in_backslashes,
    in_doubled_quotes,
    in_json,
)
from memwiki.markdown.edit.yaml.nodes import YamlKind, YamlNode, compose_any
from memwiki.markdown.frontmatter import MAX_BYTES
from memwiki.markdown.source import read_source
from memwiki.names import MKDOCS_CONFIGS, is_page_name, path_in
from memwiki.patterns import pattern
from memwiki.records import NamedTuple

_JSON_TOKEN = pattern(r'"((?:[^"\\]|\\.)*+)"|[\[\]{},]')
# Of a node: a file, the picture behind a group, and the markdown of a text.
_KEYS = {"file": StringKind.FILE, "background": StringKind.FILE, "text": StringKind.TEXT}
_EXPRESSIONS = frozenset({"filters", "formulas", "summaries"})
# One that is never closed ends with its line: were it no match, each quote in it would be tried
# again.
_LITERAL = pattern(r"\"(?:[^\"\\\n]|\\.)*+(\"?)|'(?:[^'\\\n]|\\.)*+('?)")
_TOKEN = pattern(rf"(?P<literal>{_LITERAL.pattern})|(?P<word>[^\W\d][\w.]*+)|(?P<mark>==|!=|[(),])")
_MEANT = {  # the first value of a call
    "link": StringKind.LINK,
    "hasLink": StringKind.LINK,
    "file": StringKind.LINK,
    "image": StringKind.LINK,
    "inFolder": StringKind.FOLDER,
}
_COMPARED = {"file.path": StringKind.FILE, "file.folder": StringKind.FOLDER}
_TAG_CALL = pattern(r"(?:.*\.)?(?:hasTag|tags\.contains(?:Any|All)?)\Z")
_TAGS = frozenset({"tags", "file.tags", "note.tags"})
_DOCS = "docs"


def read_companion(path: str, data: bytes) -> Companion:
    """A navigation, a canvas or a base, by its name; NotEditableError when it is not what it should
    be."""
    if basename(path) in MKDOCS_CONFIGS:
        return read_nav(path, data)
    return (read_canvas if path.lower().endswith(".canvas") else read_base)(path, data)


def rewritten(companion: Companion, changes: Sequence[TextChange]) -> bytes:
    """The bytes of a file with some changes, proven; NotEditableError when they cannot be made."""
    path = companion.source.path
    data = companion.patched(changes)
    after = read_companion(path, data)
    texts = [inset.text for inset in after.insets]
    if after.frame != companion.frame or texts != companion.expected(changes):
        line = companion.line_of(changes[0].inset)
        raise NotEditableError(
            f"{path}: line {line} is written in a form that memwiki does not change",
            "edit this line by hand",
            path=path,
            line=line,
        )
    return data


def read_canvas(path: str, data: bytes) -> Companion:
    """The files and texts of a canvas; an empty file is an empty canvas."""
    source = read_source(path, data)
    frame = _parsed(path, source.text)
    insets = []
    nodes = frame.get("nodes", [])
    is_ascii = "\\u" in source.text and source.text.isascii()
    for number, key, start, end in _strings(source.text):
        what = _KEYS.get(key)
        if what and number < len(nodes):  # `nodes` may stand there twice
            insets.append(Inset(what, (in_json(source.text, start, end, is_ascii=is_ascii),)))
            nodes[number][key] = ""
    return Companion(source, tuple(insets), frame)


def _parsed(path: str, text: str) -> dict[str, list[dict[str, object]]]:
    try:
        value = json.loads(text, parse_constant=_no_constant) if text.strip() else {}
    except (ValueError, RecursionError):
        _refuse(path, "is not valid JSON")
    nodes = value.get("nodes", []) if isinstance(value, dict) else None
    if not isinstance(nodes, list) or not all(isinstance(node, dict) for node in nodes):
        _refuse(path, "is JSON, but not a canvas")
    return value


def _no_constant(name: str) -> NoReturn:
    raise ValueError(name)


def _refuse(path: str, what: str) -> NoReturn:
    raise NotEditableError.at(path, what, "open it in the program that made it")


def _strings(text: str) -> Iterator[tuple[int, str, int, int]]:
    """The strings of the nodes in valid JSON: number of the node, key, and where the string
    stands."""
    trail: list[str | int] = []  # of every open list the number, of every open map the key
    is_key = False
    for token in _JSON_TOKEN.finditer(text):
        mark = token[0]
        if mark in "[{":
            trail.append(0 if mark == "[" else "")
            is_key = mark == "{"
        elif mark in "]}":
            trail.pop()
            is_key = False
        elif mark == ",":
            last = trail[-1]
            is_key = isinstance(last, str)
            trail[-1] = "" if isinstance(last, str) else last + 1
        elif is_key:
            trail[-1] = json.loads(mark)
            is_key = False
        elif len(trail) == 3 and trail[0] == "nodes":
            yield int(trail[1]), str(trail[2]), token.start(1), token.end(1)


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
    raise NotEditableError.at(path, what, "look at it in an editor")


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
    called = "" if number else name.rpartition(".")[2]
    return _MEANT.get(called, StringKind.OTHER)


def read_nav(path: str, data: bytes) -> Companion:
    """The pages of a navigation, each by its path from the folder of all pages."""
    source = read_source(path, data)
    root = root_of(path, source.text)
    if root is not None and root.kind is not YamlKind.MAP:
        raise NotEditableError.at(path, "is no map", "look at it in an editor")
    insets, frame, folder = [], [], _DOCS
    for key, value in root.pairs() if root else ():
        frame.append(key.value)
        folder = _text(value) or folder if key.value == "docs_dir" else folder
        for node in _all_scalars(value):
            is_page = key.value == "nav" and is_page_name(node.value) and "://" not in node.value
            if is_page:
                insets.append(Inset(StringKind.FILE, (scalar_of(node, source.text),)))
            frame.append("" if is_page else node.value)
    base = path_in(dirname(path), normpath(folder))
    return Companion(source, tuple(insets), frame, "" if base == "." else base)


def _text(node: YamlNode) -> str:
    """A value that is written out; "" for none, and for what a tag stands for."""
    value = "" if node.kind is not YamlKind.SCALAR or node.is_marked else node.plain()
    return value if isinstance(value, str) else ""


def _all_scalars(node: YamlNode) -> Iterator[YamlNode]:
    """What stands in a node, the keys of maps too: they are titles."""
    if node.kind is YamlKind.SCALAR:
        yield node
    for item in node.items:
        yield from _all_scalars(item)
