"""Files that are no pages and yet hold links and tags: where these stand, and other bytes for them.

They are canvases (JSON Canvas, https://jsoncanvas.org) and bases, the tables of Obsidian (YAML with
expressions in it). They are never written anew as a whole: a place changes, every other byte stays,
and what comes of it must read as the file read before, with only that place as it was to be.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from enum import StrEnum
from typing import NamedTuple

from memwiki.markdown.edit.encoded import EncodedString
from memwiki.markdown.edit.links import LinkSite, Syntax, sites_of
from memwiki.markdown.fields import WIKILINK
from memwiki.markdown.links import target_span, wikilink
from memwiki.markdown.outline import Outline
from memwiki.markdown.source import Patch, Source
from memwiki.names import is_within, path_in
from memwiki.nouns import Layers, LinkKind


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
