"""Files that are no pages and yet have links and tags: where these are, and new bytes.

They are canvases (JSON Canvas, https://jsoncanvas.org), bases, the tables of Obsidian (YAML with
expressions in it), and navigations. They are never written anew as a whole: a place changes, every
other byte stays, and what comes of it must read as the file read before, with only that place as
it was to be.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from enum import StrEnum
from itertools import accumulate
from typing import TypeAlias

from memwiki.markdown.edit.links import LinkSite, Syntax, sites_of
from memwiki.markdown.fields import WIKILINK
from memwiki.markdown.links import target_span, wikilink
from memwiki.markdown.outline import Outline
from memwiki.markdown.source import Patch, Source
from memwiki.names import is_encodable, is_within, path_in
from memwiki.nouns import Layers, LinkKind
from memwiki.patterns import pattern
from memwiki.records import NamedTuple

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
            return sites_of(Outline(layers, path, self.text)) if "[" in self.text else []
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
    of files in it begin at."""

    source: Source
    insets: tuple[Inset, ...]
    frame: object
    base: str = ""

    def location(self, inset: Inset) -> str:
        """The path from the root that an inset means, which is a file."""
        return path_in(self.base, inset.text) if self.base else inset.text

    def written(self, location: str) -> str:
        """A path from the root as it is written here, "" where that cannot be."""
        return location[len(self.base) :].lstrip("/") if is_within(location, self.base) else ""

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
