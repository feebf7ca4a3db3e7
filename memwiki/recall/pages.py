"""The text of the pages that are looked at while answering, each read once."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path

from memwiki.errors import MemwikiError
from memwiki.files.read import read
from memwiki.markdown.text import decode


class PageText:
    """A page's text by lines."""

    def __init__(self, text: str) -> None:
        self.text = text

    @cached_property
    def _lines(self) -> list[str]:
        return self.text.split("\n")

    def part(self, start: int, stop: int) -> list[str]:
        """Lines `start` to `stop`, 1-based and inclusive."""
        return [line.rstrip("\r") for line in self._lines[start - 1 : stop]]


class PageTexts:
    """Reads pages of one workspace and keeps them for the length of an answer."""

    def __init__(self, root: Path, max_bytes: int) -> None:
        self._root, self._max_bytes = root, max_bytes
        self._known: dict[str, PageText] = {}

    def __getitem__(self, path: str) -> PageText:
        """The page as it is now; empty when it cannot be read."""
        page = self._known.get(path)
        if page is None:
            page = self._known[path] = self.passing(path)
        return page

    def passing(self, path: str) -> PageText:
        """The page as it is now, not kept: for looking at all of them."""
        try:
            data, _ = read(self._root, path, self._max_bytes)
        except MemwikiError:
            return PageText("")
        return PageText(decode(path, data).text)
