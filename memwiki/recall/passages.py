"""Candidates of a recall with all that their scores ask for: where they are, what they say."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from memwiki.dates import iso_date
from memwiki.index.cards.locations import UnitLocation
from memwiki.index.cards.lookup import Card, Lookup
from memwiki.index.unit_key import UnitKey
from memwiki.model import UnitKind
from memwiki.recall.texts import PageTexts


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
    def said(self) -> str:
        """Its text, of a block with the title of its page."""
        return f"{self.card.title}\n\n{self.body}" if self.key.is_block else self.body

    @property
    def date(self) -> str:
        """When it was last written; the time of a file says something of pages alone, and nothing
        of one memory in it."""
        of_file = self.card.changed if self.location.kind == UnitKind.BLOCK else ""
        return date_of(self.card, self.location) or of_file


class Passages:
    """Looks up passages, and reads them."""

    def __init__(self, lookup: Lookup, texts: PageTexts) -> None:
        self._lookup, self._texts = lookup, texts

    def of(self, keys: Sequence[UnitKey]) -> dict[UnitKey, Passage]:
        """The passages of some units; of one that went meanwhile there is none."""
        locations = self._lookup.locations(keys)
        cards = self._lookup.by_number(key.page for key in keys)
        return {
            key: Passage(
                key,
                locations[key],
                cards[key.page],
                "\n".join(self._lines(cards[key.page], locations[key])),
            )
            for key in keys
            if key in locations and key.page in cards
        }

    def _lines(self, card: Card, location: UnitLocation) -> Iterable[str]:
        return self._texts[card].part(location.line_start, location.line_end)


def date_of(card: Card, location: UnitLocation) -> str:
    """When a unit was last written, as it says or its page does; "" when neither does."""
    own = next(filter(None, map(location.fields.get, ("updated", "created", "time"))), "")
    return (iso_date(own) if own else "") or card.written
