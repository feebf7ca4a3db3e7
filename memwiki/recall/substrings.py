"""The last resort when no word is found: one scan of all pages for parts of words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from memwiki.index.cards.lookup import Card, Lookup
from memwiki.index.keyword.tokens import normalise
from memwiki.recall.texts import PageText, PageTexts

_MOST_WORDS = 8


class PageWithParts(NamedTuple):
    """A page that holds a share of the words as parts of others, and the unit that shows it."""

    share: float
    card: Card
    words: tuple[str, ...]
    lookup: Lookup
    text: PageText

    def key(self) -> bytes:
        """The first unit whose lines hold one of the words, else the page's first."""
        keys = self.lookup.unit_keys(self.card.number)
        for key, place in self.lookup.places(keys).items():
            part = folded("\n".join(self.text.part(place.line_start, place.line_end)))
            if any(word in part for word in self.words):
                return key
        return keys[0] if keys else b""


def folded(text: str) -> str:
    """The form in which parts of words are compared."""
    return normalise(text).casefold()


def pages_with_parts(
    words: Sequence[str], cards: Iterable[Card], lookup: Lookup, texts: PageTexts
) -> list[PageWithParts]:
    """The pages that hold any of the words, those with most of them first."""
    parts = tuple(dict.fromkeys(filter(None, map(folded, words))))[:_MOST_WORDS]
    found = []
    for card in cards if parts else ():
        page = texts.passing(card)
        text = f"{folded(card.path)}\n{folded(page.text)}"
        count = sum(part in text for part in parts)
        if count:
            found.append(PageWithParts(count / len(parts), card, parts, lookup, page))
    return sorted(found, key=lambda row: (-row.share, row.card.path))
