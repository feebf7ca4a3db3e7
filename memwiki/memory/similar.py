"""Entries that are like a text: found by the keyword index, so that none is compared with all."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from heapq import nlargest
from typing import NamedTuple

from memwiki.answers.entries import NearEntry, SimilarEntries
from memwiki.facts.status import is_current
from memwiki.index.cards.entries import EntryCard, EntryCards
from memwiki.index.cards.filters import Filters
from memwiki.index.keyword.backend import Snapshot
from memwiki.index.unit_key import ENTRY_MARK, page_of
from memwiki.memory.finding import PageOutlines
from memwiki.memory.judgement.fact import Fact, identity, without_last_tags
from memwiki.memory.judgement.similarity import jaccard, words_of
from memwiki.memory.view import Located, entities_of, views_of
from memwiki.model import Entry
from memwiki.names import require_text
from memwiki.recall.bm25 import BM25
from memwiki.sync.live import LiveIndex
from memwiki.sync.reading import Reading, used_reading

_COMPARED = 32  # best entries by their words that are looked at


class KnownFact(NamedTuple):
    """An entry of the index, as it is now."""

    located: Located
    fact: Fact


class KnownFacts:
    """What the index knows, asked text by text."""

    def __init__(self, live: LiveIndex, view: Reading) -> None:
        self._cards = EntryCards(view.stores.cards.db)
        self._scope, self._seen = view.scope, Filters(view.stores.cards.db).seen(view.scope)
        self._snapshot: Snapshot = live.snapshot(view.stores, must_agree=view.freshness.fresh)
        context = view.context
        self._pages = PageOutlines(context.root, context.layers, context.max_bytes)
        self._attributes = context.config.memory.entity_attributes

    def like(self, text: str, aside: Collection[bytes] = ()) -> Iterator[KnownFact]:
        """The entries in force that share most words with a text, best first, but for those whose
        units have the keys `aside`."""
        keys = self._best(words_of(text), aside)
        return self._facts(filter(None, map(self._cards.with_keys(keys).get, keys)))

    def with_key(self, key: str) -> Iterator[KnownFact]:
        """The entries in force that have a key."""
        return self._facts(self._cards.with_key(key))

    def _facts(self, cards: Iterable[EntryCard]) -> Iterator[KnownFact]:
        """Those that are in force: seen, and neither superseded nor kept in core since."""
        for card in cards:
            is_in_force = self._scope.sees(card.path) and is_current(card.fields, is_struck=False)
            if is_in_force and (located := self._pages.of(card)):
                yield KnownFact(located, fact_of(located.entry, self._attributes))

    def has_id(self, id_: str) -> bool:
        """Whether an entry bears an id."""
        return bool(self._cards.with_id(id_))

    def _best(self, words: Collection[str], aside: Collection[bytes]) -> list[bytes]:
        scores = BM25(self._snapshot, words).every()
        keys = self._snapshot.keys(scores)
        rows = zip(scores.values(), keys, strict=True)
        entries = (row for row in rows if row[1][-1:] == ENTRY_MARK and row[1] not in aside)
        seen = (row for row in entries if self._seen.has(page_of(row[1])))
        return [key for _, key in nlargest(_COMPARED, seen)]


def fact_of(entry: Entry, attributes: Sequence[str] = ()) -> Fact:
    """What an entry says, to be compared."""
    fields, named = entry.fields, ("entities", *attributes)
    return Fact(
        without_last_tags(entry.text)[0],
        entry.type,
        fields.get("key", ""),
        fields.get("subject", ""),
        fields.get("topic", ""),
        fields.get("object", ""),
        entities_of("", {each: fields.get(each, "") for each in named}, attributes),
        fields.get("created", ""),
    )


def similar_entries(
    live: LiveIndex, text: str, threshold: float | None, limit: int | None
) -> SimilarEntries:
    """The entries that are like a text, the likest first; without a threshold (from 0 to 1), the
    most alike where none is near."""
    require_text("entry similar", text)
    wanted, folded = words_of(without_last_tags(text)[0]), identity(text)

    def likeness(known: str) -> float:
        return 1.0 if identity(known) == folded else jaccard(words_of(known), wanted)

    with used_reading(live) as view:
        views = views_of(live.context, view.stores)
        found = [
            NearEntry(views.of(each.located), round(likeness(each.fact.text), 4))
            for each in KnownFacts(live, view).like(text)
        ]
        found.sort(key=lambda each: (-each.similarity, each.entry.path, each.entry.line_start))
        least = live.context.config.memory.near_threshold if threshold is None else threshold
        near = [each for each in found if each.similarity >= least]
        alike = [] if near or threshold is not None else [each for each in found if each.similarity]
        notes = (f"none is near ({least:g} or more); these are the most alike",) if alike else ()
        return SimilarEntries(tuple((near or alike)[:limit]), view.freshness.fresh, notes)
