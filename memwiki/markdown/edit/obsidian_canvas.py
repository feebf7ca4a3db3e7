"""Canvases: boards of cards in JSON, with the files and texts on them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import NoReturn

from memwiki.errors import NotEditableError
from memwiki.markdown.edit.companion import Companion, Inset, StringKind
from memwiki.markdown.edit.encoded import in_json
from memwiki.markdown.source import read_source

_TOKEN = re.compile(r'"((?:[^"\\]|\\.)*+)"|[\[\]{},]')
# Of a node: a file, the picture behind a group, and the markdown of a text.
_KEYS = {"file": StringKind.FILE, "background": StringKind.FILE, "text": StringKind.TEXT}


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
    hint = "open it in the program that made it"
    raise NotEditableError(f"{path}: {what}", hint=hint, path=path)


def _strings(text: str) -> Iterator[tuple[int, str, int, int]]:
    """The strings of the nodes in valid JSON: number of the node, key, and where the string
    stands."""
    trail: list[str | int] = []  # of every open list the number, of every open map the key
    is_key = False
    for token in _TOKEN.finditer(text):
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
