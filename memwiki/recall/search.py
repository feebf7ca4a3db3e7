"""A query -> the hits that answer it: exact names first, then the best unit of each page.

This is the first stage of recall, too: its words and names are the candidates there.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from itertools import chain, islice
from typing import TYPE_CHECKING

from memwiki.answers.recall import MAX_COUNTED, SearchAnswer, hits_in_words
from memwiki.clock import local_day
from memwiki.errors import UsageError
from memwiki.index.units import UnitKey, hit_of
from memwiki.names import fold, require_text
from memwiki.nouns import SUPERSEDED, Hit
from memwiki.options import SearchOptions
from memwiki.recall.channels import (
    AnswerIndex,
    Candidates,
    HitCount,
    RankedUnit,
    while_pages_change,
)
from memwiki.recall.filters import Conditions, Passing
from memwiki.recall.hits import HitBuilder
from memwiki.recall.names import NamesChannel
from memwiki.recall.parse import first_unreadable, parse_query
from memwiki.recall.query import (
    FilterKind,
    Query,
    Term,
    known_fields_only,
    prefix_terms,
    term_weights,
)
from memwiki.recall.words import WordsChannel, with_other_spellings
from memwiki.records import NamedTuple
from memwiki.sync.live import LiveIndex
from memwiki.sync.reading import Freshness, linked_reading, reading

if TYPE_CHECKING:
    from memwiki.recall.phrases import Phrases

_TAKES = {
    "since": "a day, a month, a year, an age such as 7d, 2w, 3m, 1y, or a time such as yesterday",
    "is": "is:orphan or is:entry",
    "tag": "the name of a tag",
    "has": "the name of a field",
}
_MIN_READ = 500  # units that are read for a phrase even when fewer would do: their total is exact
_MAX_READ = 5_000
_MAX_SCANNED = 2_000_000  # bytes of pages that are read for parts of words: about 50 ms
_SCANNED = (
    "only some pages were searched for parts of words, likely ones first; a whole word, or wor*, is"
    " looked for in all pages"
)


class SearchResult(NamedTuple):
    """Hits, how many there were, whether the words were only found as parts of others, and what was
    taken otherwise than it was asked."""

    hits: tuple[Hit, ...] = ()
    total: HitCount = HitCount(0)
    fallback: bool = False
    undated: int = 0  # of the hits: those that a filter by date judged by the time of a file
    notes: tuple[str, ...] = ()


def search(live: LiveIndex, text: str, options: SearchOptions) -> SearchAnswer:
    """The best hits for a query, and with `count` how many there are at all.

    UsageError for a query that asks for nothing, or a filter whose value means nothing.
    """
    require_text("search", text)
    if not text.strip():
        hint = "give words, or a filter such as type:note; memwiki list shows all pages"
        raise UsageError("search: nothing to look for", hint=hint)
    today = local_day(live.context.clock())
    if bad := first_unreadable(text, today):
        takes = _TAKES.get(bad.key.lower(), _TAKES["since"])
        hint = f"{takes}; in quotation marks it is text"
        raise UsageError(f"search: {bad.as_typed}: not a value of {bad.key}:", hint=hint)
    query = parse_query(text, today)

    def ask() -> tuple[SearchAnswer, Freshness, int]:
        opened = linked_reading if query.is_about_links else reading
        with opened(live, options.progress) as view:
            found = Search(AnswerIndex(live, view), query, options)
            return found.answer(), view.freshness, found.changed

    return while_pages_change(ask, "searched")


class _Stage(NamedTuple):
    """A query with what it lets through, and the terms that are looked for."""

    query: Query
    conditions: Conditions
    terms: Sequence[str] = ()


class Search:
    """One query to one generation of the index."""

    def __init__(self, index: AnswerIndex, query: Query, options: SearchOptions) -> None:
        self._index, self._asked, self._options = index, query, options
        self._limit = options.limit or 0
        self._query = known_fields_only(query, index.filters.is_known)
        self._maker = HitBuilder(index.lookup, index.texts, explain=options.explain)

    @cached_property
    def _phrases(self) -> Phrases:
        from memwiki.recall.phrases import Phrases  # few questions have any

        return Phrases(self._index.lookup, self._index.texts)

    @property
    def changed(self) -> int:
        """How many pages were no longer what the index says when they were read."""
        return len(self._index.texts.changed) + self._maker.lost

    def answer(self) -> SearchAnswer:
        """The best hits of the query."""
        found = self._answer()
        total, is_exact = found.total
        parts = self._query.texts if found.fallback else ()
        undated = (
            f"{found.undated} of {hits_in_words(total, is_exact=is_exact)} hits have no date:"
            " they come last, ordered by file time"
        )
        return SearchAnswer(
            query=self._asked.text,
            fresh=False,
            pending=None,
            total=total,
            fallback=found.fallback,
            hits=found.hits,
            notes=(*self._asked.notes, *found.notes, *[undated] * bool(found.undated)),
            total_exact=is_exact,
            words=parts or tuple(self._maker.words),
        )

    def _answer(self) -> SearchResult:
        query = self._query
        found = self._find(query)
        # As parts of other words a page may have some of what was asked.
        has_all = found.hits and (not found.fallback or found.hits[0].score >= 1)
        if not query.phrases or has_all:
            return found
        # Text that was pasted has quotes that are not meant: its words are better than no answer.
        from memwiki.recall.phrases import without_phrases

        words = self._find(without_phrases(query))
        if not words.hits or (found.hits and words.fallback):
            return found
        quoted = " and ".join(f'"{phrase}"' for phrase in query.phrases)
        note = f"no page holds the phrase {quoted}; these hold words of it"
        return words._replace(notes=(note, *words.notes))

    def _find(self, query: Query) -> SearchResult:
        if not (query.has_terms or query.filters or query.excluded or query.condition):
            return SearchResult()
        index = self._index
        conditions = self._conditions(query)
        if query.excluded:
            excluded = self._phrases.excluded_hits(index.snapshot, query.excluded)
            conditions = conditions._replace(excluded=excluded)
        if not query.has_terms:
            return self._listing(_Stage(query, conditions))
        weights = term_weights(query, prefix_terms(query, index.snapshot))
        weights = with_other_spellings(weights, query, index.snapshot)
        stage = _Stage(query, conditions, [*weights])
        names = NamesChannel(query, index.lookup, conditions)
        limit = self._limit + conditions.ranked_last
        words = WordsChannel(index, weights, conditions, limit=limit, named=names.reasons)
        if query.phrases:
            return self._verified(stage, words.holding(query.phrases))
        if query.needs_terms:
            return self._ranked(stage, words, names)
        return self._listing(stage, words.holding(()))

    def _ranked(self, stage: _Stage, words: WordsChannel, names: NamesChannel) -> SearchResult:
        """The best of what holds a word."""
        conditions, found = stage.conditions, words.find({})
        first = names.ranked(found)
        taken = {row.key.hit for row in first}
        rows = conditions.in_order(chain(first, found.best(besides=taken)))
        chosen = [
            row._replace(reason=SUPERSEDED) if conditions.holds_no_longer(row.key) else row
            for row in islice(rows, self._limit)
        ]
        if not chosen:
            return SearchResult() if stage.query.condition else self._parts(stage)
        hits = self._hits(chosen, stage)
        if conditions.undated:  # then all of them were looked at
            every = found.hits() | taken
            return SearchResult(hits, HitCount(len(every)), undated=conditions.undated_in(every))
        most = None if self._options.count else max(self._limit, MAX_COUNTED)
        return SearchResult(hits, words.count(taken, most))

    def _verified(self, stage: _Stage, scored: Candidates) -> SearchResult:
        """The hits that hold the phrases, found by reading the units that hold all their words.

        Unless they are to be counted, the rest is not read past a bound.
        """
        if not scored:  # beside a phrase, parts of other words would be anything
            return SearchResult() if stage.query.words else self._parts(stage)
        found: dict[bytes, RankedUnit] = {}
        is_exact = True
        rows = stage.conditions.in_order(scored.units())
        holding = self._phrases.holding(rows, stage.query.phrases, known=found)
        for count, (row, has_all) in enumerate(holding):
            if self._is_enough(count, len(found)):
                is_exact = False
                break
            if has_all:
                found[row.key.hit] = row
        hits = self._hits(list(found.values()), stage)
        total = HitCount(len(found), is_exact=is_exact)
        return SearchResult(hits, total, undated=stage.conditions.undated_in(found))

    def _is_enough(self, read: int, found: int) -> bool:
        """Whether no more units are read for a phrase."""
        is_full = found >= self._limit
        return not self._options.count and (read >= _MAX_READ or (read >= _MIN_READ and is_full))

    # --- without words, and without hits ---

    def _conditions(self, query: Query) -> Conditions:
        filters = self._index.filters
        found = filters.conditions(query)
        if not query.condition:
            return found

        def holding(term: Term) -> Passing:
            hits = self._phrases.hits_with(self._index.snapshot, term)
            return lambda _, unit: hit_of(unit) in hits

        joined = filters.joined(query.condition, holding)
        return found._replace(wanted=(*found.wanted, joined))

    def _listing(self, stage: _Stage, scored: Candidates | None = None) -> SearchResult:
        """Everything that the filters let through: what holds words, then the rest by title."""
        lookup, conditions = self._index.lookup, stage.conditions
        first = list(scored.best()) if scored else []
        hits: dict[bytes, UnitKey] = {}
        for key in filter(conditions.passes, lookup.all_units()):
            hits.setdefault(hit_of(key), UnitKey(key))
        for row in first:
            hits.pop(row.key.hit, None)
        cards = {card.number: card for card in lookup.cards()}
        rows = [RankedUnit(key, 0.0 if first else 1.0, "filter") for key in hits.values()]
        rows.sort(key=lambda row: (fold(cards[row.key.page].title), cards[row.key.page].path))
        rows = list(conditions.in_order(chain(first, rows)))
        undated = conditions.undated_in(row.key for row in rows)
        return SearchResult(self._hits(rows, stage), HitCount(len(rows)), undated=undated)

    def _parts(self, stage: _Stage) -> SearchResult:
        """One scan of pages, as far as it may read, for the words as parts of others."""
        from memwiki.recall.phrases import (
            BoundedCards,
            likely_first,
            pages_with_parts,
            units_with_parts,
        )

        index, conditions, words = self._index, stage.conditions, stage.query.texts
        begun = (row.key.page for row in self._begun(stage).best())
        cards = BoundedCards(likely_first(words, begun, index.lookup), index.texts, _MAX_SCANNED)
        found = pages_with_parts(words, index.lookup, conditions, index.texts, cards)
        rows = list(conditions.in_order(found))
        hits = self._maker.hits(units_with_parts(rows[: self._limit], index.lookup, 1), words)
        undated = conditions.undated_in(row.key for row in rows)
        count = HitCount(len(rows), is_exact=cards.is_whole)
        notes = () if cards.is_whole else (_SCANNED,)
        return SearchResult(hits, count, bool(rows), undated, notes)

    def _begun(self, stage: _Stage) -> Candidates:
        """What holds words that begin with those of the query."""
        begun = Query("", prefixes=stage.query.texts)
        terms = prefix_terms(begun, self._index.snapshot)
        return WordsChannel(
            self._index, dict.fromkeys(terms, 1.0), stage.conditions, limit=_MIN_READ
        ).find({})

    def _hits(self, rows: Sequence[RankedUnit], stage: _Stage) -> tuple[Hit, ...]:
        """The hits that are shown; of a page the section that was asked for by its heading."""
        sections = (f for f in stage.query.every_filter if f.kind is FilterKind.SECTION)
        headings = [f.value for f in sections if not f.is_excluded]
        return self._maker.hits(rows[: self._limit], stage.terms, headings)
