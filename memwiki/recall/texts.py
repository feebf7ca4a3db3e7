"""The texts of the pages and units that are looked at while answering, each page read once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from memwiki.dates import iso_date
from memwiki.digest import digest_of
from memwiki.errors import MemwikiError
from memwiki.files.read import SharedRoot, read
from memwiki.index.cards.locations import UnitLocation
from memwiki.index.cards.lookup import Card, Lookup
from memwiki.index.units import UnitKey
from memwiki.markdown.source import decode
from memwiki.nouns import UnitKind
from memwiki.records import NamedTuple

_BLOCK = 4096  # bytes that a file costs at least


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


class _Described(PageText):
    """A page whose text is nowhere to be had: what it says of itself stands for every part."""

    def part(self, start: int, stop: int) -> list[str]:  # noqa: ARG002 - of any lines
        """The description."""
        return [self.text]


class PageTexts:
    """Reads pages of one workspace and keeps them for the length of an answer."""

    def __init__(self, root: Path, max_bytes: int) -> None:
        self._root, self._max_bytes = root, max_bytes
        self._known: dict[str, PageText] = {}
        self.changed: set[str] = set()  # pages that are no longer what the cards say
        self.bytes_read = 0
        # Else nothing can be looked for in them, and descriptions stand in.
        self.are_there = not isinstance(root, SharedRoot) or root.has_texts

    def __getitem__(self, card: Card) -> PageText:
        """A page as it is now; empty when it cannot be read."""
        page = self._known.get(card.path)
        if page is None:
            page = self._known[card.path] = self.passing(card)
        return page

    def passing(self, card: Card) -> PageText:
        """A page as it is now, not kept: for looking at all of them."""
        if not self.are_there:
            return _Described(card.description or card.title)
        try:
            data, _ = read(self._root, card.path, self._max_bytes)
        except MemwikiError:
            self.changed.add(card.path)
            return PageText("")
        self.bytes_read += max(len(data), _BLOCK)
        if len(data) < self._max_bytes and digest_of(data) != card.digest:
            self.changed.add(card.path)
        return PageText(decode(card.path, data).text)


class Passage(NamedTuple):
    """A unit that may answer."""

    key: UnitKey
    location: UnitLocation
    card: Card
    body: str

    @property
    def is_entry(self) -> bool:
        """Whether it is a memory."""
        return self.key.kind is UnitKind.ENTRY

    @property
    def fields(self) -> Mapping[str, str]:
        """What an entry says of itself."""
        return self.location.fields if self.is_entry else {}

    @property
    def text(self) -> str:
        """Its text, of a block with the title of its page."""
        return f"{self.card.title}\n\n{self.body}" if self.key.is_block else self.body

    @property
    def said(self) -> str:
        """Its text, of a message without the heading that says when and by whom."""
        has_heading = self.key.kind is UnitKind.MESSAGE and self.body.startswith("#")
        return self.body.partition("\n")[2] if has_heading else self.body

    @property
    def date(self) -> str:
        """When it was last written; the time of a file says something of pages alone, and nothing
        of one memory in it."""
        of_file = self.card.changed if self.location.kind == UnitKind.BLOCK else ""
        return date_of(self.card, self.location) or of_file


def located(keys: Iterable[UnitKey], lookup: Lookup) -> dict[UnitKey, tuple[UnitLocation, Card]]:
    """Where units are, and on which pages; without those that went meanwhile."""
    wanted = list(keys)
    cards = lookup.by_number(key.page for key in wanted)
    found = lookup.locations(wanted)
    known = (key for key in wanted if key in found and key.page in cards)
    return {key: (found[key], cards[key.page]) for key in known}


def passages_of(
    keys: Iterable[UnitKey], lookup: Lookup, texts: PageTexts
) -> dict[UnitKey, Passage]:
    """The passages of some units; of one that went meanwhile there is none."""
    return {
        key: Passage(key, at, card, "\n".join(texts[card].part(at.line_start, at.line_end)))
        for key, (at, card) in located(keys, lookup).items()
    }


def date_of(card: Card, location: UnitLocation) -> str:
    """When a unit was last written, as it says or its page does; "" when neither does."""
    own = next(filter(None, map(location.fields.get, ("updated", "created", "time"))), "")
    return (iso_date(own) if own else "") or card.written
