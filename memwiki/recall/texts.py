"""The text of the pages that are looked at while answering, each read once."""

from __future__ import annotations

from pathlib import Path

from memwiki.digest import digest_of
from memwiki.errors import MemwikiError
from memwiki.files.read import read
from memwiki.index.cards.lookup import Card
from memwiki.markdown.text import decode


class PageText:
    """A page's text by lines."""

    def __init__(self, text: str) -> None:
        self.text, self._has_returns = text, "\r" in text
        self._lines: list[str] = []
        self._cut = 0  # so many lines are cut off; what follows them is one piece

    def part(self, start: int, stop: int) -> list[str]:
        """Lines `start` to `stop`, 1-based and inclusive."""
        if stop > self._cut:
            # The first time no more is cut than is asked for, the second time all of it.
            self._lines = self.text.split("\n", -1 if self._cut else stop)
            self._cut = len(self.text) if self._cut else stop
        lines = self._lines[start - 1 : stop]
        return [line.rstrip("\r") for line in lines] if self._has_returns else lines


class PageTexts:
    """Reads pages of one workspace and keeps them for the length of an answer."""

    def __init__(self, root: Path, max_bytes: int) -> None:
        self._root, self._max_bytes = root, max_bytes
        self._known: dict[str, PageText] = {}
        self.changed: set[str] = set()  # pages that are no longer what the cards say

    def __getitem__(self, card: Card) -> PageText:
        """A page as it is now; empty when it cannot be read."""
        page = self._known.get(card.path)
        if page is None:
            page = self._known[card.path] = self.passing(card)
        return page

    def passing(self, card: Card) -> PageText:
        """A page as it is now, not kept: for looking at all of them."""
        try:
            data, _ = read(self._root, card.path, self._max_bytes)
        except MemwikiError:
            self.changed.add(card.path)
            return PageText("")
        if len(data) < self._max_bytes and digest_of(data) != card.digest:
            self.changed.add(card.path)
        return PageText(decode(card.path, data).text)
