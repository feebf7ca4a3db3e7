"""A question -> the hits that answer it: exact names first, then the best unit of each page."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import chain, islice
from operator import itemgetter
from typing import NamedTuple

from memwiki.index.cards.lookup import Lookup
from memwiki.index.keyword.backend import Snapshot
from memwiki.index.names import NameKind
from memwiki.index.projection import KEY_BYTES, PAGE_BYTES, hit_of, page_bytes, page_of
from memwiki.model import Hit
from memwiki.names import fold, slug
from memwiki.recall.candidates import Candidates
from memwiki.recall.conversation import with_context
from memwiki.recall.hits import HitMaker, Ranked
from memwiki.recall.keywords import prefix_terms, text_terms
from memwiki.recall.narrow import Conditions, FilterEvaluator
from memwiki.recall.phrases import Phrases, holding_phrases, unquoted
from memwiki.recall.query import Filter, FilterKind, Query
from memwiki.recall.score import score_units
from memwiki.recall.substrings import PageWithParts, pages_with_parts
from memwiki.recall.texts import PageTexts

Admits = Callable[[bytes], bool]  # whether a unit may be a hit, by its key

_NO_PHRASE = "nothing holds {} as it stands there; these hold words of it"
_FEW = 5  # pages that share a heading or tag and still come before mere words
_READ = 500  # units that are read for a phrase even when fewer would do: their total is exact
_MOST_READ = 5_000
_RAW = 0.8  # sources rank a little lower than what was made of them
_NAME_REASONS = {
    NameKind.PATH: "exact path",
    NameKind.TITLE: "exact title",
    NameKind.ALIAS: "exact alias",
    NameKind.STEM: "exact file name",
    NameKind.SLUG: "same name",
}
_REASONS = (*_NAME_REASONS.values(), "exact heading", "exact tag")  # the first come first


class Found(NamedTuple):
    """Hits, how many there were, whether the words were only found as parts of others, and what was taken
    otherwise than it was asked."""

    hits: tuple[Hit, ...]
    total: int
    fallback: bool = False
    undated: int = 0  # of the hits: those that a filter by date judged by the time of a file
    notes: tuple[str, ...] = ()


class Search:
    """Questions to one generation of the index."""

    def __init__(
        self,
        lookup: Lookup,
        snapshot: Snapshot,
        filters: FilterEvaluator,
        texts: PageTexts,
        *,
        explain: bool,
    ) -> None:
        self._lookup, self._snapshot, self._filters = lookup, snapshot, filters
        self._texts = texts
        self._phrases = Phrases(lookup, texts)
        self._maker = HitMaker(lookup, texts, explain=explain)

    @property
    def torn(self) -> int:
        """How many pages changed while the answer was put together."""
        return len(self._texts.changed) + self._maker.lost

    def run(self, query: Query, limit: int) -> Found:
        """The best `limit` hits of a query."""
        query = self._known_fields_only(query)
        found = self._found(query, limit)
        if not query.phrases or _holds_all(found):
            return found
        # Text that was pasted has quotes that are not meant: its words are better than no answer.
        words = self._found(unquoted(query), limit)
        if not words.hits or (found.hits and words.fallback):
            return found
        return words._replace(notes=(_NO_PHRASE.format(_quoted(query.phrases)),))

    def _found(self, query: Query, limit: int) -> Found:
        conditions = self._filters.conditions(query)
        if not query.has_terms:
            return self._listing(query, conditions, limit)
        terms = [*text_terms(query), *prefix_terms(query, self._snapshot)]
        scores = self._scores(query, terms)
        admits = self._admits(query, conditions)
        candidates = Candidates(self._snapshot, scores, admits)
        if query.phrases:
            return self._verified(query, candidates, conditions, terms, limit)
        named = self._named(query, admits, scores)
        taken = {hit_of(row.key) for row in named}
        rest = (Ranked(key, score) for key, score in candidates.best() if hit_of(key) not in taken)
        chosen = list(islice(conditions.dated_first(chain(named, rest), _key), limit))
        if not chosen:
            return self._parts(query, conditions, admits, limit)
        hits = self._maker.hits(chosen, terms, _headings(query))
        every = candidates.hits() | taken
        return Found(tuple(hits), len(every), undated=conditions.undated_in(every))

    def _verified(
        self,
        query: Query,
        candidates: Candidates,
        conditions: Conditions,
        terms: Sequence[str],
        limit: int,
    ) -> Found:
        """The hits that hold the phrases, found by reading the units that hold all their words.

        Past a bound the rest is not read: the total then supposes that as many of it are hits.
        """
        every = candidates.hits()
        if not every:  # beside a phrase, parts of other words would be anything
            if query.words:
                return Found((), 0)
            return self._parts(query, conditions, candidates.admits, limit)
        found: dict[bytes, Ranked] = {}
        read: set[bytes] = set()
        units = conditions.dated_first(candidates.units(), itemgetter(0))
        for count, (key, score) in enumerate(units):
            if count >= _MOST_READ or (count >= _READ and len(found) >= limit):
                break
            hit = hit_of(key)
            read.add(hit)
            if hit not in found and self._phrases.all_in(key, query.phrases):
                found[hit] = Ranked(key, score)
        rest = len(every - read) * len(found) // max(len(read), 1)
        chosen = list(found.values())[:limit]
        hits = self._maker.hits(chosen, terms, _headings(query))
        return Found(tuple(hits), len(found) + rest, undated=conditions.undated_in(found))

    def _scores(self, query: Query, terms: Sequence[str]) -> Mapping[int, float]:
        plain = score_units(self._snapshot, terms)
        scores = with_context(plain, self._snapshot, self._lookup)
        required = holding_phrases(self._snapshot, query.phrases)
        if required is not None:
            scores = {d: score for d, score in scores.items() if d in required}
        raw = set(map(page_bytes, self._filters.raw_pages()))
        if raw:
            keys = zip(scores, self._snapshot.keys(scores), strict=True)
            scores = {d: scores[d] * (_RAW if key[:PAGE_BYTES] in raw else 1) for d, key in keys}
        return scores

    def _admits(self, query: Query, conditions: Conditions) -> Admits | None:
        """What filters and excluded words let through; None when that is everything."""
        excluded = self._phrases.excluded_hits(self._snapshot, query.excluded)
        if not (excluded or conditions.wanted or conditions.unwanted):
            return None

        def admits(key: bytes) -> bool:
            return hit_of(key) not in excluded and conditions.passes(page_of(key), key)

        return admits

    # --- exact names ---

    def _named(
        self,
        query: Query,
        admits: Admits | None,
        scores: Mapping[int, float],
    ) -> list[Ranked]:
        """Pages whose title, alias or file name is the question, then a few with such a heading."""
        asked = query.text.strip() if query.is_plain else " ".join(query.words)
        if query.prefixes or not asked:
            return []
        rows: dict[int, str] = {}
        for kind, reason in _NAME_REASONS.items():
            for path in self._answering(kind, asked):
                card = self._lookup.card(path)
                if card and _admits_page(admits, card.number):
                    rows.setdefault(card.number, reason)
        for reason, numbers in (
            ("exact heading", self._lookup.headed(asked, _FEW + 1)),
            ("exact tag", self._lookup.tagged(asked.lstrip("#"), _FEW + 1)),
        ):
            for number in numbers if len(numbers) <= _FEW else ():
                if _admits_page(admits, number):
                    rows.setdefault(number, reason)
        return self._with_units(rows, scores, admits) if rows else []

    def _answering(self, kind: NameKind, asked: str) -> Sequence[str]:
        if kind is NameKind.SLUG:
            return self._lookup.slugs(slug(asked))
        return self._lookup.pages(kind, asked)

    def _with_units(
        self, rows: Mapping[int, str], scores: Mapping[int, float], admits: Admits | None
    ) -> list[Ranked]:
        """Each page's best block, the pages in the order of reason and score."""
        wanted = {page_bytes(number) for number in rows}
        everything = Candidates(self._snapshot, scores, admits)
        units = {key[:PAGE_BYTES]: (key, score) for key, score in everything.best_of(wanted)}
        named = []
        for number, reason in rows.items():
            page = page_bytes(number)
            first = self._first_unit(number, admits)
            key, score = units.get(page, (first, 0.0))
            named.append(Ranked(key, score, reason))
        named.sort(key=lambda row: (_REASONS.index(row.reason), -row.score))
        return [row for row in named if row.key]

    def _first_unit(self, number: int, admits: Admits | None) -> bytes:
        keys = self._lookup.unit_keys(number)
        return next((key for key in keys if admits is None or admits(key)), b"")

    # --- without words, and without hits ---

    def _listing(self, query: Query, conditions: Conditions, limit: int) -> Found:
        """Everything that the filters let through, by title."""
        if not query.filters and not query.excluded:
            return Found((), 0)
        excluded = self._phrases.excluded_hits(self._snapshot, query.excluded)
        hits: dict[bytes, bytes] = {}
        for number, key in self._lookup.all_units():
            if conditions.passes(number, key) and hit_of(key) not in excluded:
                hits.setdefault(hit_of(key), key)
        cards = {card.number: card for card in self._lookup.cards()}
        rows = [Ranked(key, 1.0, "filter") for key in hits.values()]
        rows.sort(key=lambda row: (fold(cards[row.page].title), cards[row.page].path))
        rows = list(conditions.dated_first(rows, _key))
        shown = tuple(self._maker.hits(rows[:limit], (), _headings(query)))
        return Found(shown, len(rows), undated=conditions.undated_in(hits))

    def _parts(
        self, query: Query, conditions: Conditions, admits: Admits | None, limit: int
    ) -> Found:
        """One scan of all pages for the words as parts of others."""
        words = (*query.words, *query.phrases, *query.prefixes)
        cards = (card for card in self._lookup.cards() if _admits_page(admits, card.number))
        rows = pages_with_parts(words, cards, self._lookup, self._texts)
        rows = list(conditions.dated_first(rows, _page_key))
        ranked = [Ranked(row.key(), row.share, "substring") for row in rows[:limit]]
        hits = tuple(self._maker.hits([row for row in ranked if row.key], words))
        undated = conditions.undated_in(map(_page_key, rows))
        return Found(hits, len(rows), fallback=bool(rows), undated=undated)

    def _known_fields_only(self, query: Query) -> Query:
        """A `word:word` whose first word is no field anywhere is searched as words."""
        strange = [f for f in query.filters if not self._is_known(f)]
        words = (f"{f.name}:{f.value}" for f in strange if not f.is_excluded)
        excluded = (f"{f.name}:{f.value}" for f in strange if f.is_excluded)
        return query._replace(
            filters=tuple(f for f in query.filters if f not in strange),
            words=(*query.words, *words),
            excluded=(*query.excluded, *excluded),
        )

    def _is_known(self, condition: Filter) -> bool:
        return condition.kind is not FilterKind.FIELD or self._filters.is_field(condition.name)


def _key(row: Ranked) -> bytes:
    return row.key


def _page_key(row: PageWithParts) -> bytes:
    return page_bytes(row.card.number)


def _admits_page(admits: Admits | None, number: int) -> bool:
    """Ask about the page as a whole: with a unit key that no unit has."""
    page = page_bytes(number)
    return admits is None or admits(page.ljust(KEY_BYTES, b"\0"))


def _holds_all(found: Found) -> bool:
    """Whether the best hit has all that was asked; as parts of other words a page may have some of it."""
    return bool(found.hits) and (not found.fallback or found.hits[0].score >= 1)


def _quoted(phrases: Sequence[str]) -> str:
    return " and ".join(f'"{phrase}"' for phrase in phrases)


def _headings(query: Query) -> list[str]:
    wanted = (f for f in query.filters if f.kind is FilterKind.SECTION and not f.is_excluded)
    return [f.value for f in wanted]
