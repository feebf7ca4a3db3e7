"""The text of the pages that are looked at while answering, each read once."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from re import compile as compile_pattern

from memwiki.errors import MemwikiError
from memwiki.files.read import read
from memwiki.index.tokens import normalise
from memwiki.markdown.text import decode

_SPACE = compile_pattern(r"\s+")


class PageText:
    """A page's lines, and its words on one line for comparing phrases."""

    def __init__(self, text: str) -> None:
        self.lines = text.split("\n")

    @cached_property
    def flat(self) -> str:
        """The whole page, folded, every stretch of white space as one blank."""
        return flatten("\n".join(self.lines))

    def part(self, start: int, stop: int) -> list[str]:
        """Lines `start` to `stop`, 1-based and inclusive."""
        return [line.rstrip("\r") for line in self.lines[start - 1 : stop]]


class PageTexts:
    """Reads pages of one workspace and keeps them for the length of an answer."""

    def __init__(self, root: Path, max_bytes: int) -> None:
        self._root, self._max_bytes = root, max_bytes
        self._known: dict[str, PageText] = {}

    def __getitem__(self, path: str) -> PageText:
        """The page as it is now; empty when it cannot be read."""
        page = self._known.get(path)
        if page is None:
            try:
                data, _ = read(self._root, path, self._max_bytes)
            except MemwikiError:
                data = b""
            page = self._known[path] = PageText(decode(path, data).text)
        return page

    def without_keeping(self, path: str) -> PageText:
        """The page as it is now, forgotten again: for looking at all of them."""
        page = self[path]
        self._known.pop(path, None)
        return page


def flatten(text: str) -> str:
    """Folded text with every stretch of white space as one blank."""
    return _SPACE.sub(" ", normalise(text).casefold()).strip()
