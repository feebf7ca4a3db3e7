"""A question -> the hits that answer it: exact names first, then the best unit of each page."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, islice
from typing import NamedTuple

from memwiki.answers.search import MOST_COUNTED
from memwiki.index.cards.lookup import Lookup
from memwiki.index.keyword.backend import Snapshot
from memwiki.index.unit_key import UnitKey, hit_of
from memwiki.model import Hit
from memwiki.names import fold
from memwiki.recall.candidates import Candidates, Collector, RankedUnit, Total
from memwiki.recall.filters import Conditions, FilterEvaluator, Hits, Passing
from memwiki.recall.hits import HitBuilder
from memwiki.recall.keywords import prefix_terms, text_terms
from memwiki.recall.named import answering, named
from memwiki.recall.phrases import Phrases, unquoted
from memwiki.recall.query import FilterKind, Query, Term, known_fields_only
from memwiki.recall.substrings import pages_with_parts
from memwiki.recall.texts import PageTexts

_NO_PHRASE = "no page holds the phrase {}; these hold words of it"
_READ = 500  # units that are read for a phrase even when fewer would do: their total is exact
_MOST_READ = 5_000


class SearchResult(NamedTuple):
    """Hits, how many there were, whether the words were only found as parts of others, and what was
    taken otherwise than it was asked."""

    hits: tuple[Hit, ...]
    total: Total
    fallback: bool = False
    undated: int = 0  # of the hits: those that a filter by date judged by the time of a file
    notes: tuple[str, ...] = ()
    words: tuple[str, ...] = ()  # of the excerpts, those that match
    changed_meanwhile: int = 0  # pages that are no longer what the index says


_NOTHING = SearchResult((), Total(0))


class Shown(NamedTuple):
    """How much of the answer is shown: so many hits, whether why, and how many there are at all."""

    limit: int
    explain: bool = False
    is_counted: bool = False

    @property
    def most_counted(self) -> int | None:
        """How many hits are counted."""
        return None if self.is_counted else max(self.limit, MOST_COUNTED)


class Search:
    """One question to one generation of the index."""

    def __init__(
        self,
        lookup: Lookup,
        snapshot: Snapshot,
        filters: FilterEvaluator,
        texts: PageTexts,
        shown: Shown,
    ) -> None:
        self._lookup, self._snapshot, self._filters = lookup, snapshot, filters
        self._texts, self._shown, self._limit = texts, shown, shown.limit
        self._phrases = Phrases(lookup, texts)
        self._maker = HitBuilder(lookup, texts, explain=shown.explain)

    def run(self, query: Query) -> SearchResult:
        """The best hits of a query."""
        found = self._answer(known_fields_only(query, self._filters.is_known))
        changed = len(self._texts.changed) + self._maker.lost
        parts = (*query.words, *query.phrases, *query.prefixes) if found.fallback else ()
        words = parts or tuple(self._maker.words)
        return found._replace(changed_meanwhile=changed, words=words)

    def _answer(self, query: Query) -> SearchResult:
        found = self._found(query)
        if not query.phrases or _holds_all(found):
            return found
        # Text that was pasted has quotes that are not meant: its words are better than no answer.
        words = self._found(unquoted(query))
        if not words.hits or (found.hits and words.fallback):
            return found
        return words._replace(notes=(_NO_PHRASE.format(_quoted(query.phrases)),))

    def _found(self, query: Query) -> SearchResult:
        if not (query.has_terms or query.filters or query.excluded or query.condition):
            return _NOTHING
        excluded = self._phrases.excluded_hits(self._snapshot, query.excluded)
        conditions = self._conditions(query)._replace(excluded=excluded)
        if not query.has_terms:
            return self._listing(query, conditions)
        terms = [*text_terms(query), *prefix_terms(query, self._snapshot)]
        sources = self._filters.raw_pages()
        units = Collector(self._snapshot, self._lookup, terms, sources, conditions)
        if query.phrases:
            return self._verified(query, units.holding(query.phrases), conditions, terms)
        if query.needs_terms:
            return self._ranked(query, units, conditions, terms)
        return self._listing(query, conditions, terms, units.holding(()))

    def _ranked(
        self, query: Query, units: Collector, conditions: Conditions, terms: Sequence[str]
    ) -> SearchResult:
        """The best of what holds a word."""
        reasons = answering(query, self._lookup, conditions)
        scored = units.best(self._limit + conditions.ranked_last, reasons)
        first = named(reasons, self._lookup, conditions, scored)
        taken = {row.key.hit for row in first}
        rows = conditions.in_order(chain(first, scored.best(besides=taken)))
        chosen = [_said_over(row, conditions) for row in islice(rows, self._limit)]
        if not chosen:
            return _NOTHING if query.condition else self._parts(query, conditions)
        hits = self._maker.hits(chosen, terms, _headings(query))
        if conditions.undated:  # then all of them were looked at
            every = scored.hits() | taken
            return SearchResult(hits, Total(len(every)), undated=conditions.undated_in(every))
        return SearchResult(hits, units.count(taken, self._shown.most_counted))

    def _verified(
        self,
        query: Query,
        scored: Candidates,
        conditions: Conditions,
        terms: Sequence[str],
    ) -> SearchResult:
        """The hits that hold the phrases, found by reading the units that hold all their words.

        Unless they are to be counted, the rest is not read past a bound.
        """
        if not scored.hits():  # beside a phrase, parts of other words would be anything
            return _NOTHING if query.words else self._parts(query, conditions)
        found: dict[bytes, RankedUnit] = {}
        is_exact = True
        rows = conditions.in_order(scored.units())
        held = self._phrases.holding(rows, query.phrases, known=found)
        for count, (row, is_held) in enumerate(held):
            if self._is_enough(count, len(found)):
                is_exact = False
                break
            if is_held:
                found[row.key.hit] = row
        hits = self._maker.hits(list(found.values())[: self._limit], terms, _headings(query))
        total = Total(len(found), is_exact=is_exact)
        return SearchResult(hits, total, undated=conditions.undated_in(found))

    def _is_enough(self, read: int, found: int) -> bool:
        """Whether no more units are read for a phrase."""
        is_full = found >= self._limit
        return not self._shown.is_counted and (read >= _MOST_READ or (read >= _READ and is_full))

    # --- without words, and without hits ---

    def _conditions(self, query: Query) -> Conditions:
        found = self._filters.conditions(query)
        if not query.condition:
            return found

        def holding(term: Term) -> Passing:
            return Hits(self._phrases.hits_with(self._snapshot, term))

        joined = self._filters.joined(query.condition, holding)
        return found._replace(wanted=(*found.wanted, joined))

    def _listing(
        self,
        query: Query,
        conditions: Conditions,
        terms: Sequence[str] = (),
        scored: Candidates | None = None,
    ) -> SearchResult:
        """Everything that the filters let through: what holds words, then the rest by title."""
        first = list(scored.best()) if scored else []
        hits: dict[bytes, UnitKey] = {}
        for key in filter(conditions.passes, self._lookup.all_units()):
            hits.setdefault(hit_of(key), UnitKey(key))
        for row in first:
            hits.pop(row.key.hit, None)
        cards = {card.number: card for card in self._lookup.cards()}
        rows = [RankedUnit(key, 0.0 if first else 1.0, "filter") for key in hits.values()]
        rows.sort(key=lambda row: (fold(cards[row.key.page].title), cards[row.key.page].path))
        rows = list(conditions.in_order(chain(first, rows)))
        shown = self._maker.hits(rows[: self._limit], terms, _headings(query))
        return SearchResult(
            shown, Total(len(rows)), undated=conditions.undated_in(row.key for row in rows)
        )

    def _parts(self, query: Query, conditions: Conditions) -> SearchResult:
        """One scan of all pages for the words as parts of others."""
        words = (*query.words, *query.phrases, *query.prefixes)
        found = pages_with_parts(words, self._lookup, conditions, self._texts)
        rows = list(conditions.in_order(found))
        shown = ((row.shown(self._lookup), row.share) for row in rows[: self._limit])
        ranked = [RankedUnit(key, share, "substring") for key, share in shown if key]
        undated = conditions.undated_in(row.key for row in rows)
        hits = self._maker.hits(ranked, words)
        return SearchResult(hits, Total(len(rows)), fallback=bool(rows), undated=undated)


def _holds_all(found: SearchResult) -> bool:
    """Whether the best hit has all that was asked; as parts of other words a page may have some of
    it."""
    return bool(found.hits) and (not found.fallback or found.hits[0].score >= 1)


def _said_over(row: RankedUnit, conditions: Conditions) -> RankedUnit:
    """The row, and that what it holds is superseded."""
    return row._replace(reason="superseded") if row.key in conditions.superseded else row


def _quoted(phrases: Sequence[str]) -> str:
    return " and ".join(f'"{phrase}"' for phrase in phrases)


def _headings(query: Query) -> list[str]:
    wanted = (f for f in query.every_filter if f.kind is FilterKind.SECTION and not f.is_excluded)
    return [f.value for f in wanted]
