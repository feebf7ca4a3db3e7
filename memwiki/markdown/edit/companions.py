"""Canvases, bases and navigations opened for editing: the strings in them, read by the name of the
file, and other targets written into them.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from enum import StrEnum
from itertools import accumulate
from posixpath import basename, dirname, normpath
from typing import NoReturn, TypeAlias

from memwiki.errors import NotEditableError
from memwiki.markdown.edit.links import LinkSite, Syntax, sites_of
from memwiki.markdown.edit.yaml import YamlKind, YamlNode, compose_any
from memwiki.markdown.fields import WIKILINK
from memwiki.markdown.frontmatter import MAX_BYTES
from memwiki.markdown.links import target_span, wikilink
from memwiki.markdown.outline import Outline
from memwiki.markdown.source import Patch, Source, read_source
from memwiki.names import MKDOCS_CONFIGS, is_encodable, is_page_name, path_in
from memwiki.nouns import Layers, LinkKind
from memwiki.records import NamedTuple
from memwiki.text import pattern

Escape: TypeAlias = Callable[[str], str]

_JSON = pattern(
    r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|\\.|[^\\]+",
    re.DOTALL,
)
_BACKSLASHED = pattern(r"\\.|[^\\]+", re.DOTALL)
_DOUBLED = pattern(r"''|(?:(?!'').)+", re.DOTALL)


class StringKind(StrEnum):
    """What a string means where it stands."""

    TEXT = "text"  # markdown
    FILE = "file"  # a path from the root
    FOLDER = "folder"  # one too
    LINK = "link"  # what stands inside [[ ]]
    TAG = "tag"
    OTHER = "other"


class Inset(NamedTuple):
    """A string of the file; `encodings` lead from it out to the text of the file."""

    what: StringKind
    encodings: tuple[EncodedString, ...]

    @property
    def text(self) -> str:
        """What it says."""
        return self.encodings[0].text

    def at(self, offset: int) -> int:
        """Where a character of it stands in the file."""
        for woven in self.encodings:
            offset = woven.at(offset)
        return offset

    def written(self, text: str) -> str:
        """A text as it has to be written there."""
        for woven in self.encodings:
            text = woven.escape(text)
        return text

    def sites(self, path: str, layers: Layers) -> list[LinkSite]:
        """The links in it, with offsets in its text."""
        if self.what is StringKind.TEXT:
            may_link = "[" in self.text or "<" in self.text
            return sites_of(Outline(layers, path, self.text)) if may_link else []
        if self.what is StringKind.LINK:
            link = wikilink(self.text, 0, LinkKind.WIKILINK)
            return [LinkSite(link, 0, len(self.text), Syntax.WIKI)] if link else []
        if self.what is not StringKind.OTHER:
            return []
        return [
            LinkSite(link, *target_span(match[1], match.start(1)), Syntax.WIKI)
            for match in WIKILINK.finditer(self.text)
            if (link := wikilink(match[1], 0, LinkKind.WIKILINK))
        ]


class TextChange(NamedTuple):
    """Other text for a half-open range of an inset."""

    inset: Inset
    start: int
    end: int
    text: str


class Companion(NamedTuple):
    """Such a file; `frame` is all that it says but for its insets, `base` the folder that the paths
    of files in a navigation begin at, and None elsewhere."""

    source: Source
    insets: tuple[Inset, ...]
    frame: object
    base: str | None = None

    def line_of(self, inset: Inset) -> int:
        """The line, from 1, on which an inset begins."""
        return bisect_right(self.source.starts, inset.at(0))

    def patched(self, changes: Sequence[TextChange]) -> bytes:
        """The bytes of the file with some changes; they must not meet."""
        patches = (
            Patch(inset.at(start), inset.at(end), inset.written(text))
            for inset, start, end, text in changes
        )
        return self.source.patched(patches).data

    def expected(self, changes: Iterable[TextChange]) -> list[str]:
        """What its insets are to say then."""
        texts = [inset.text for inset in self.insets]
        numbers = {id(inset): number for number, inset in enumerate(self.insets)}
        for inset, start, end, text in sorted(changes, key=lambda change: -change.start):
            number = numbers[id(inset)]
            texts[number] = texts[number][:start] + text + texts[number][end:]
        return texts


class EncodedString(NamedTuple):
    """A text, and how it is written where it stands.

    `starts` are the offsets in it at which a run or an escape begins, `locations` those outside.
    """

    text: str
    starts: list[int]
    locations: list[int]
    escape: Escape

    def at(self, offset: int) -> int:
        """Where a character of the text stands outside."""
        run = bisect_right(self.starts, offset) - 1
        return self.locations[run] + offset - self.starts[run]


def _woven(
    pieces: Iterable[re.Match[str]], end: int, plain: Escape, escape: Escape
) -> EncodedString:
    parts, locations = [], []
    for piece in pieces:
        parts.append(plain(piece[0]))
        locations.append(piece.start())
    starts = [*accumulate(map(len, parts), initial=0)]
    return EncodedString("".join(parts), starts, [*locations, end], escape)


def in_json(text: str, start: int, end: int, *, is_ascii: bool) -> EncodedString:
    """The text of a JSON string, given without its quotes; `is_ascii` says that its file escapes
    every other character."""
    has_slashes = text.find("\\/", start, end) >= 0

    def escape(new: str) -> str:
        written = json.dumps(new, ensure_ascii=is_ascii or not is_encodable(new))[1:-1]
        return written.replace("/", "\\/") if has_slashes else written

    def plain(piece: str) -> str:
        return str(json.loads(f'"{piece}"')) if piece[0] == "\\" else piece

    return _woven(_JSON.finditer(text, start, end), end, plain, escape)


def in_backslashes(text: str, start: int, end: int, quote: str) -> EncodedString:
    """Text in quotes where a backslash makes a character literal."""

    def escape(new: str) -> str:
        return new.replace("\\", "\\\\").replace(quote, f"\\{quote}")

    pieces = _BACKSLASHED.finditer(text, start, end)
    return _woven(pieces, end, lambda piece: piece[1:] if piece[0] == "\\" else piece, escape)


def in_doubled_quotes(text: str, start: int, end: int) -> EncodedString:
    """Text in single quotes of YAML, where two of them mean one."""
    pieces = _DOUBLED.finditer(text, start, end)
    return _woven(
        pieces,
        end,
        lambda piece: "'" if piece == "''" else piece,
        lambda new: new.replace("'", "''"),
    )


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


def rewrite_file(companion: Companion, changes: Sequence[TextChange]) -> bytes:
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
    # Text in which nothing is escaped.
    return EncodedString(text[node.start : node.end], [0], [node.start], str)


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
        if key.value == "docs_dir":
            folder = _text(value) or folder
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
