"""Nested data as an indented list below an entry, and back: both ways lose nothing."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence

from memwiki.markdown.entries import end_of_list
from memwiki.nouns import Json
from memwiki.patterns import pattern

_PLAIN = pattern(r"[^\W\d_](?:[\w .,/+-]*[\w])?\Z")
_WORDS = frozenset({"true", "false", "null", "NaN", "Infinity"})
_PAIR = pattern(r"- (?:\"((?:[^\"\\]|\\.)*)\"|([^:\"]*?)):(?: (.*))?\Z")
_MEANT = str.maketrans({sign: f"\\u{ord(sign):04x}" for sign in "[^`$<~"})  # marks of an entry
_INDENT = "  "


def as_field(name: str, data: Json) -> str:
    """A JSON value as an item below an entry."""
    if isinstance(data, dict | list) and data:
        return "\n".join([f"- {name}::", *_lines(data, _INDENT)])
    return f"- {name}:: {_scalar(data)}"


def _lines(data: dict[str, Json] | list[Json], indent: str) -> Iterator[str]:
    if isinstance(data, dict):
        for key, value in data.items():
            yield from _item(f"{indent}- {_scalar(str(key))}:", value, indent)
    else:
        for value in data:
            yield from _item(f"{indent}-", value, indent)


def _item(head: str, value: Json, indent: str) -> Iterator[str]:
    if isinstance(value, dict | list) and value:
        yield head
        yield from _lines(value, indent + _INDENT)
    else:
        yield f"{head} {_scalar(value)}"


def _scalar(value: Json) -> str:
    """Plain words as they are, all else as JSON: what is quoted is text, `3` is a number."""
    if isinstance(value, str) and _PLAIN.match(value) and value not in _WORDS:
        return value
    written = json.dumps(value, ensure_ascii=False)
    return written.translate(_MEANT) if isinstance(value, str) else written


def from_field(text: str) -> Json:
    """The JSON value that the value of such a field says; None of an empty one."""
    lines = [line for line in text.split("\n") if line.strip()]
    if not lines or not re.match(r"\s*-(?:\s|$)", lines[0]):
        return _value(text.strip()) if text.strip() else None
    return _read(lines)


def _read(lines: Sequence[str]) -> Json:
    items = list(_items(lines))
    pairs = [(match, below) for head, below in items if (match := _PAIR.match(head.strip()))]
    if len(pairs) < len(items):
        return [_read(below) if below else _value(head.strip()[1:]) for head, below in items]
    found: dict[str, Json] = {}
    for match, below in pairs:
        quoted, bare, value = match.groups()
        key = bare.strip() if quoted is None else str(json.loads(f'"{quoted}"'))
        found[key] = _read(below) if below else _value(value or "")
    return found


def _items(lines: Sequence[str]) -> Iterator[tuple[str, Sequence[str]]]:
    """Each item of the outermost list, with the lines below it."""
    at = 0
    while at < len(lines):
        end = end_of_list(lines, at)
        yield lines[at], lines[at + 1 : end]
        at = end


def _value(written: str) -> Json:
    written = written.strip()
    try:
        found: Json = json.loads(written)
    except ValueError:
        return written
    return found
