"""A question -> the hits that answer it: exact names first, then the best unit of each page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from heapq import nlargest
from typing import NamedTuple

from memwiki.clock import day_of
from memwiki.index.backend import Snapshot
from memwiki.index.lookup import Card, Lookup, UnitPlace
from memwiki.index.names import NameKind
from memwiki.index.projection import hit_of
from memwiki.index.tokens import query_terms
from memwiki.markdown.text import fold, slug
from memwiki.model import Hit, Layers, UnitKind
from memwiki.recall.excerpt import excerpt
from memwiki.recall.keywords import prefix_terms, text_terms
from memwiki.recall.narrow import Conditions, Narrowing
from memwiki.recall.pages import PageText, PageTexts, flatten
from memwiki.recall.query import Filter, FilterKind, Query
from memwiki.recall.score import holding_all, score_units

_FEW = 5  # pages that share a heading or tag and still come before mere words
_RAW = 0.8  # sources rank a little lower than what was made of them
_FALLBACK_WORDS = 8
_NAME_REASONS = {
    NameKind.TITLE: "exact title",
    NameKind.ALIAS: "exact alias",
    NameKind.STEM: "exact file name",
    NameKind.SLUG: "same name",
}


class Found(NamedTuple):
    """Hits, how many there were, and whether the words were only found as parts of others."""

    hits: tuple[Hit, ...]
    total: int
    fallback: bool = False


class _Ranked(NamedTuple):
    key: bytes
    score: float
    reasons: tuple[str, ...] = ()

    @property
    def page(self) -> int:
        return int.from_bytes(self.key[:8], "big", signed=True)


class Search:
    """One question to one generation of the index."""

    def __init__(
        self,
        lookup: Lookup,
        snapshot: Snapshot,
        narrowing: Narrowing,
        texts: PageTexts,
        layers: Layers,
    ) -> None:
        self._lookup, self._snapshot, self._narrowing = lookup, snapshot, narrowing
        self._texts, self._layers = texts, layers

    def run(self, query: Query, limit: int) -> Found:
        """The best `limit` hits of a query."""
        query = self._known_fields_only(query)
        conditions = self._narrowing.conditions(query)
        if not query.has_terms:
            return self._listing(query, conditions, limit)
        terms = [*text_terms(query), *prefix_terms(query, self._snapshot)]
        ranked = self._rank(query, terms, conditions)
        named = self._named(query, conditions, ranked) if not query.phrases else []
        taken = {hit_of(row.key) for row in named}
        order = [*named, *(ranked[hit] for hit in self._best(ranked, limit) if hit not in taken)]
        chosen, refused = self._verified(query, order, ranked, limit)
        if not chosen:
            return self._fallback(query, conditions, limit)
        total = len(ranked.keys() | taken) - refused
        return Found(tuple(self._hits(chosen, terms)), total)

    # --- ranking ---

    def _rank(
        self, query: Query, terms: Sequence[str], conditions: Conditions
    ) -> dict[bytes, _Ranked]:
        """The best unit of each hit, by hit."""
        scores = score_units(self._snapshot, terms).by_document
        highest = max(scores.values(), default=1.0)
        documents = self._required(query, scores)
        excluded = self._excluded(query)
        is_open = not conditions.wanted and not conditions.unwanted
        best: dict[bytes, tuple[float, bytes]] = {}
        for document, key in zip(documents, self._snapshot.keys(documents), strict=True):
            hit = key if key[-1] else key[:8]
            score = scores[document]
            held = best.get(hit)
            if held is not None and held[0] >= score:
                continue
            if excluded and (hit in excluded or key in excluded):
                continue
            if is_open or conditions.passes(int.from_bytes(key[:8], "big", signed=True), key):
                best[hit] = (score, key)
        raw = self._raw_pages()
        return {
            hit: _Ranked(key, score / highest * (_RAW if hit[:8] in raw else 1))
            for hit, (score, key) in best.items()
        }

    def _required(self, query: Query, scores: Mapping[int, float]) -> list[int]:
        """The units worth a look: with phrases, those that hold all words of each."""
        documents = set(scores)
        for phrase in query.phrases:
            documents &= holding_all(self._snapshot, query_terms(phrase))
        return list(documents) if query.phrases else list(scores)

    def _excluded(self, query: Query) -> set[bytes]:
        """The hits that hold an excluded word; excluded phrases are looked for in the text."""
        words = [word for word in query.excluded if " " not in word]
        found: set[bytes] = set()
        for word in words:
            terms = query_terms(word.rstrip("*"))
            if word.endswith("*"):
                terms = prefix_terms(Query(word, prefixes=(word[:-1],)), self._snapshot)
                documents = {d for t in terms for run, _ in self._snapshot.postings(t) for d in run}
            else:
                documents = holding_all(self._snapshot, terms)
            found.update(hit_of(key) for key in self._snapshot.keys(documents))
        return found

    def _best(self, ranked: Mapping[bytes, _Ranked], limit: int) -> Iterator[bytes]:
        """Hits by score; only as many as are likely shown are sorted at first."""
        # Equal scores go by key, so that an answer does not depend on the order of commits.
        first = nlargest(4 * limit + 20, ranked, key=lambda hit: (ranked[hit].score, hit))
        yield from first
        seen = set(first)
        rest = (hit for hit in ranked if hit not in seen)
        yield from sorted(rest, key=lambda hit: (ranked[hit].score, hit), reverse=True)

    def _raw_pages(self) -> set[bytes]:
        if not self._layers.raw:
            return set()
        cards = self._lookup.cards("path glob ?", (f"{self._layers.raw}/*",))
        return {card.number.to_bytes(8, "big", signed=True) for card in cards}

    # --- names ---

    def _named(
        self, query: Query, conditions: Conditions, ranked: Mapping[bytes, _Ranked]
    ) -> list[_Ranked]:
        """Pages whose title, alias or file name is the question, then a few with such a heading."""
        asked = " ".join(query.words)
        if query.prefixes or not asked:
            return []
        rows: dict[int, str] = {}
        for kind, reason in _NAME_REASONS.items():
            for path in self._names(kind, asked):
                card = self._lookup.card(path)
                if card and card.number not in rows and conditions.passes(card.number, b""):
                    rows[card.number] = reason
        named = [self._first(number, reason, ranked) for number, reason in rows.items()]
        named.sort(key=lambda row: -row.score)
        for reason, numbers in (
            ("exact heading", self._lookup.headed(asked)),
            ("exact tag", self._lookup.tagged(asked.lstrip("#"))),
        ):
            new = [n for n in numbers if n not in rows and conditions.passes(n, b"")]
            if len(numbers) <= _FEW:
                rows |= dict.fromkeys(new, reason)
                named += [self._first(number, reason, ranked) for number in new]
        return [row for row in named if row.key]

    def _names(self, kind: NameKind, asked: str) -> Sequence[str]:
        if kind is NameKind.SLUG:
            return self._lookup.slugs(slug(asked))
        return self._lookup.pages(kind, asked)

    def _first(self, page: int, reason: str, ranked: Mapping[bytes, _Ranked]) -> _Ranked:
        """The page's own best unit if its words were found, else its first."""
        row = ranked.get(page.to_bytes(8, "big", signed=True))
        if row is not None:
            return row._replace(reasons=(reason,))
        keys = self._lookup.unit_keys(page)
        return _Ranked(keys[0] if keys else b"", 0.0, (reason,))

    # --- phrases ---

    def _verified(
        self, query: Query, order: Iterable[_Ranked], ranked: object, limit: int
    ) -> tuple[list[_Ranked], int]:
        """The first hits whose text holds the phrases and none of the excluded ones, and how many
        were refused on the way."""
        wanted = [flatten(phrase) for phrase in query.phrases]
        unwanted = [flatten(phrase) for phrase in query.excluded if " " in phrase]
        chosen: list[_Ranked] = []
        refused = 0
        for row in order:
            if len(chosen) == limit:
                break
            if (wanted or unwanted) and not self._holds(row, wanted, unwanted):
                refused += 1
                continue
            chosen.append(row)
        return chosen, refused

    def _holds(self, row: _Ranked, wanted: Sequence[str], unwanted: Sequence[str]) -> bool:
        place = self._lookup.places([row.key]).get(row.key)
        card = self._lookup.by_number([row.page]).get(row.page)
        if place is None or card is None:
            return False
        page = self._texts[card.path]
        flat = page.flat
        if place.kind != UnitKind.BLOCK:
            flat = flatten("\n".join(page.part(place.line_start, place.line_end)))
        names = flatten(f"{card.title}\n{card.description}")
        return all(phrase in flat or phrase in names for phrase in wanted) and not any(
            phrase in flat for phrase in unwanted
        )

    # --- without words, and without hits ---

    def _listing(self, query: Query, conditions: Conditions, limit: int) -> Found:
        """Everything that the filters let through, by title."""
        if not query.filters and not query.excluded:
            return Found((), 0)
        excluded = self._excluded(query)
        hits: dict[bytes, bytes] = {}
        for number, key in self._lookup.all_units():
            if conditions.passes(number, key) and hit_of(key) not in excluded:
                hits.setdefault(hit_of(key), key)
        cards = {card.number: card for card in self._lookup.cards()}
        rows = [_Ranked(key, 1.0, ("filter",)) for key in hits.values()]
        rows.sort(key=lambda row: (fold(cards[row.page].title), cards[row.page].path))
        return Found(tuple(self._hits(rows[:limit], ())), len(rows))

    def _fallback(self, query: Query, conditions: Conditions, limit: int) -> Found:
        """One scan of all pages for the words as parts of others."""
        words = [flatten(w) for w in (*query.words, *query.phrases, *query.prefixes)]
        words = [word for word in words if word][:_FALLBACK_WORDS]
        rows: list[tuple[int, Card]] = []
        for card in self._lookup.cards():
            if words and conditions.passes(card.number, b""):
                flat = f"{fold(card.path)} {self._texts.without_keeping(card.path).flat}"
                count = sum(word in flat for word in words)
                if count and (count == len(words) or not query.phrases):
                    rows.append((count, card))
        rows.sort(key=lambda row: (-row[0], row[1].path))
        ranked = [
            _Ranked(self._unit_with(card, words), count / len(words), ("substring",))
            for count, card in rows[:limit]
        ]
        hits = tuple(self._hits([row for row in ranked if row.key], words))
        return Found(hits, len(rows), fallback=bool(rows))

    def _unit_with(self, card: Card, words: Sequence[str]) -> bytes:
        """The first unit of a page whose lines hold one of the words, else its first."""
        page, keys = self._texts[card.path], self._lookup.unit_keys(card.number)
        places = self._lookup.places(keys)
        for key in keys:
            place = places[key]
            flat = flatten("\n".join(page.part(place.line_start, place.line_end)))
            if any(word in flat for word in words):
                return key
        return keys[0] if keys else b""

    # --- hits ---

    def _hits(self, rows: Sequence[_Ranked], terms: Sequence[str]) -> Iterator[Hit]:
        places = self._lookup.places(row.key for row in rows)
        cards = self._lookup.by_number(row.page for row in rows)
        for row in rows:
            place, card = places.get(row.key), cards.get(row.page)
            if place is not None and card is not None:
                yield self._hit(row, place, card, terms)

    def _hit(self, row: _Ranked, place: UnitPlace, card: Card, terms: Sequence[str]) -> Hit:
        page: PageText = self._texts[card.path]
        shown = excerpt(page.part(place.line_start, place.line_end), place.line_start, terms)
        start, stop, section = place.line_start, place.line_end, place.section
        if place.kind == UnitKind.BLOCK:
            start, stop, section = self._section_at(shown.line, place, card)
        return Hit(
            path=card.path,
            title=card.title,
            type=place.type or card.type,
            section=section,
            line_start=start,
            line_end=stop,
            score=round(row.score, 4),
            excerpt=shown.text,
            tags=place.tags or self._lookup.tags_of(card),
            updated=card.updated or day_of(card.mtime_ns).isoformat(),
            reasons=row.reasons or self._reasons(page, place, terms),
        )

    def _section_at(self, line: int, place: UnitPlace, card: Card) -> tuple[int, int, str]:
        """The innermost section around a line, as far as it lies in the unit."""
        around = [s for s in self._lookup.sections(card) if s.line_start <= line <= s.line_end]
        if not around:
            return place.line_start, place.line_end, place.section
        start = max(place.line_start, around[-1].line_start)
        stop = min(place.line_end, around[-1].line_end)
        return start, stop, " > ".join(section.title for section in around)

    def _reasons(self, page: PageText, place: UnitPlace, terms: Sequence[str]) -> tuple[str, ...]:
        wanted = set(terms)
        text = "\n".join(page.part(place.line_start, place.line_end))
        found = [term for term in query_terms(text[:20_000]) if term in wanted]
        return (f"words: {', '.join(found[:8])}",) if found else ("title or names",)

    def _known_fields_only(self, query: Query) -> Query:
        """A `word:word` whose first word is no field anywhere is searched as words."""
        strange = [f for f in query.filters if not self._is_known(f)]
        kept = tuple(f for f in query.filters if self._is_known(f))
        words = (f"{f.name}:{f.value}" for f in strange if not f.is_excluded)
        excluded = (f"{f.name}:{f.value}" for f in strange if f.is_excluded)
        return query._replace(
            filters=kept,
            words=(*query.words, *words),
            excluded=(*query.excluded, *excluded),
        )

    def _is_known(self, condition: Filter) -> bool:
        return condition.kind is not FilterKind.FIELD or self._narrowing.is_field(condition.name)
