"""The last resort when no word is found: one scan of all pages for parts of words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from memwiki.index.cards.lookup import Card, Lookup
from memwiki.index.keyword.tokens import searchable
from memwiki.index.sql import AT_ONCE, batched
from memwiki.index.units import UnitKey
from memwiki.recall.channels import PageText, PageTexts, RankedUnit
from memwiki.recall.filters import Conditions
from memwiki.recall.query import is_asking
from memwiki.records import NamedTuple

_MAX_WORDS = 8


class PartialMatch(NamedTuple):
    """A page that holds a share of the words as parts of others."""

    share: float
    card: Card
    words: tuple[str, ...]
    text: PageText

    @property
    def key(self) -> UnitKey:
        """The page as a whole."""
        return UnitKey.of_page(self.card.number)

    def shown(self, lookup: Lookup) -> UnitKey | None:
        """The first unit whose lines hold one of the words, else the page's first."""
        keys = lookup.unit_keys(self.card.number)
        for key, location in lookup.locations(keys).items():
            part = folded("\n".join(self.text.part(location.line_start, location.line_end)))
            if any(word in part for word in self.words):
                return key
        return keys[0] if keys else None


def folded(text: str) -> str:
    """The form in which parts of words are compared."""
    return searchable(text).casefold()


class BoundedCards:
    """Pages as long as what was read of them stays below a bound."""

    def __init__(self, cards: Iterable[Card], texts: PageTexts, max_bytes: int) -> None:
        self._cards, self._texts, self._most = cards, texts, max_bytes
        self.is_whole = True

    def __iter__(self) -> Iterator[Card]:
        before = self._texts.bytes_read
        for card in self._cards:
            if self._texts.bytes_read - before >= self._most:
                self.is_whole = False
                return
            yield card


def likely_first(words: Sequence[str], begun: Iterable[int], lookup: Lookup) -> Iterator[Card]:
    """All cards, each once: pages with words that begin so, pages whose path or title has a part,
    then those that came last. As few are looked up as are taken: a part of the name of a folder
    may be in all paths."""
    named = (number for word in words[:_MAX_WORDS] for number in lookup.named_partly(word))
    likely = dict.fromkeys((*begun, *named))
    for part in batched(likely, AT_ONCE):
        cards = lookup.by_number(part)
        yield from filter(None, map(cards.get, part))
    yield from (card for card in lookup.newest_cards() if card.number not in likely)


def pages_with_parts(
    words: Sequence[str],
    lookup: Lookup,
    conditions: Conditions,
    texts: PageTexts,
    cards: Iterable[Card] | None = None,
) -> list[PartialMatch]:
    """The pages that hold any of the words, those with most of them first; of all, or of these."""
    parts = list(dict.fromkeys(filter(None, map(folded, words))))
    parts = ([part for part in parts if not is_asking(part)] or parts)[:_MAX_WORDS]
    found = []
    for card in (lookup.cards() if cards is None else cards) if parts else ():
        if not conditions.passes_page(card.number):
            continue
        page = texts.passing(card)
        text = f"{folded(card.path)}\n{folded(page.text)}"
        count = sum(part in text for part in parts)
        if count:
            found.append(PartialMatch(count / len(parts), card, tuple(parts), page))
    return sorted(found, key=lambda row: (-row.share, row.card.path))


def units_with_parts(matches: Iterable[PartialMatch], lookup: Lookup) -> list[RankedUnit]:
    """The unit that is shown of each page."""
    shown = ((match.shown(lookup), match.share) for match in matches)
    return [RankedUnit(key, share, "substring") for key, share in shown if key]
