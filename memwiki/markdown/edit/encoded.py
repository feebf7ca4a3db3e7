"""Text that stands inside another text with some characters escaped: what it says, and where."""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections.abc import Callable, Iterable
from typing import NamedTuple, TypeAlias

from memwiki.names import is_encodable

Escape: TypeAlias = Callable[[str], str]

_JSON = re.compile(
    r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|\\.|[^\\]+",
    re.DOTALL,
)
_BACKSLASHED = re.compile(r"\\.|[^\\]+", re.DOTALL)
_DOUBLED = re.compile(r"''|(?:(?!'').)+", re.DOTALL)


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
    parts, starts, locations, length = [], [], [], 0
    for piece in pieces:
        text = plain(piece[0])
        parts.append(text)
        starts.append(length)
        locations.append(piece.start())
        length += len(text)
    return EncodedString("".join(parts), [*starts, length], [*locations, end], escape)


def as_it_is(text: str, start: int, end: int) -> EncodedString:
    """Text in which nothing is escaped."""
    return EncodedString(text[start:end], [0], [start], str)


def in_json(text: str, start: int, end: int, *, is_ascii: bool) -> EncodedString:
    """The text of a JSON string, given without its quotes; `is_ascii` says that its file escapes
    every other character."""
    has_slashes = text.find("\\/", start, end) >= 0

    def escape(new: str) -> str:
        written = json.dumps(new, ensure_ascii=is_ascii or not is_encodable(new))[1:-1]
        return written.replace("/", "\\/") if has_slashes else written

    return _woven(_JSON.finditer(text, start, end), end, _from_json, escape)


def _from_json(piece: str) -> str:
    return str(json.loads(f'"{piece}"')) if piece[0] == "\\" else piece


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
