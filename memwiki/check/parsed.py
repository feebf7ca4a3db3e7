"""Pages on their way to the rules, of which the index holds most of what a parser finds."""

from __future__ import annotations

from bisect import bisect_left

from memwiki.index.cards.parsed import ParsedPage, parsed_pages
from memwiki.index.cards.store import Cards
from memwiki.markdown.outline import Outline
from memwiki.markdown.source import lazy
from memwiki.nouns import Layers, Link, Section
from memwiki.text import pattern

_AT_ONCE = 32  # pages: they are looked at in order, and after an edit few
# The index holds no addresses; one may name a file of this machine, or lead out by its dots.
_FAR = pattern(r"file\\?:|/\\?\.\\?\.")


class ParsedPages:
    """What the index holds of pages, asked for some ahead."""

    def __init__(self, cards: Cards) -> None:
        self._cards = cards
        self._known: dict[str, ParsedPage | None] = {}

    @lazy
    def _paths(self) -> list[str]:
        return sorted(self._cards.digests())

    def of(self, path: str, digest: str) -> ParsedPage | None:
        """What it holds of a page of these bytes."""
        if path not in self._known:
            at = bisect_left(self._paths, path)
            some = self._paths[at : at + _AT_ONCE]
            self._known = {path: None, **dict.fromkeys(some), **parsed_pages(self._cards.db, some)}
        found = self._known[path]
        return found if found and found.digest == digest else None


class ParsedOutline(Outline):
    """A page that was looked over before; only what the index does not hold is looked for."""

    def __init__(self, layers: Layers, path: str, text: str, mark: str, parsed: ParsedPage) -> None:
        super().__init__(layers, path, text, mark)
        self._parsed = parsed

    @property
    def title(self) -> str:
        """The title of the page."""
        return self._parsed.title

    @property
    def links(self) -> tuple[Link, ...]:
        """All links, but for addresses that no rule asks for."""
        may_be_far = "file" in self.text or ".." in self.text
        if may_be_far and _FAR.search(self.text):
            return super().links
        return self._parsed.links

    @property
    def tags(self) -> list[tuple[str, int]]:
        """The tags of the page, wherever they stand."""
        return [(tag, 0) for tag in self._parsed.tags]

    @property
    def sections(self) -> tuple[Section, ...]:
        """The headings as sections."""
        return self._parsed.sections
