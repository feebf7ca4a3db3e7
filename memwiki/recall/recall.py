"""The recall verb: a question -> the passages that answer, scored in several ways and explained."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date
from functools import cached_property
from itertools import islice
from math import inf
from typing import NamedTuple

from memwiki.answers.recall import Channel, Recall, RecallMode
from memwiki.clock import day_of
from memwiki.dates import named_day
from memwiki.index.cards.entry_lines import EntryLines
from memwiki.index.cards.filters import Filters
from memwiki.index.fill import Progress
from memwiki.index.keyword.tokens import is_cjk, query_terms
from memwiki.index.unit_key import UnitKey
from memwiki.markdown.template_text import is_template_text
from memwiki.model import Hit
from memwiki.names import fold, require_text
from memwiki.recall import scores
from memwiki.recall.around import CAUSES, Seed, beginning, named_in, unit_of, walked
from memwiki.recall.asked import KnowledgeOf, RecallOptions, Trust
from memwiki.recall.cache import RecallCache
from memwiki.recall.candidates import Collector, RankedUnit
from memwiki.recall.diversity import distinct
from memwiki.recall.filters import Conditions, FilterEvaluator, Matches
from memwiki.recall.guides import guide_pages, types_asked
from memwiki.recall.hits import HitBuilder
from memwiki.recall.keywords import text_terms
from memwiki.recall.named import answering, named
from memwiki.recall.passages import Passage, Passages
from memwiki.recall.phrases import words_of
from memwiki.recall.prompt import fitting
from memwiki.recall.question import Question, read_question
from memwiki.recall.substrings import pages_with_parts
from memwiki.recall.texts import PageTexts
from memwiki.scope import layers_below
from memwiki.sync.live import LiveIndex
from memwiki.sync.reading import Freshness, Reading, linked_reading, reading
from memwiki.times.days import Days

LOOKED_AT = 50  # best hits by their words, of which all scores are worked out
_LOW_TRUST = 0.8  # what is staged or of uncertain origin ranks a little lower
_PREFERRED = 1.25  # with a session its own messages and memories rank as much higher
# 0.7 of what a good hit of questions about chats gives, 0.36 to 0.47 (2026-11-22).
_WEAK = 0.28
_RELEVANT = 0.4  # words of the question; less is chance: chosen on one half, decision 21
_MOST_DAYS = 3  # times that a question names
_ATTEMPTS = 3  # an answer while whose making pages changed is asked for again


class Scored(NamedTuple):
    """A passage with its scores."""

    passage: Passage
    scores: Mapping[str, float]
    total: float
    reason: str = ""
    trust: Trust = Trust()


class _Candidate(NamedTuple):
    key: UnitKey
    text: float
    reason: str = ""


def recall(
    live: LiveIndex,
    text: str,
    options: RecallOptions,
    know: KnowledgeOf,
    cache: RecallCache,
    progress: Progress | None = None,
) -> Recall:
    """The passages that answer a question, best first."""
    require_text("recall", text, *options.texts)
    settings, is_deep = live.context.config.recall, options.is_deep
    ask = _Asking(live, text, options, know, cache, progress)
    for _ in range(_ATTEMPTS):
        asked = ask(is_deep=is_deep)
        if asked.wants_graph:
            is_deep = True
            asked = ask(is_deep=True)
        if not (asked.answer.fresh and asked.changed):
            if asked.is_new and not asked.changed:
                cache.put(asked.key, ask.now_ns, asked.answer, settings.cache_size)
            return asked.answer
    state = Freshness(fresh=False, pending=asked.changed, reason="pages change while they are read")
    return _with_freshness(asked.answer, state)


class _Asked(NamedTuple):
    answer: Recall
    key: Hashable
    changed: int = 0
    wants_graph: bool = False
    is_new: bool = True


class _Asking(NamedTuple):
    """A question that is asked once, or again with the graph."""

    live: LiveIndex
    text: str
    options: RecallOptions
    know: KnowledgeOf
    cache: RecallCache
    progress: Progress | None

    @property
    def now_ns(self) -> int:
        return self.live.context.clock()

    def __call__(self, *, is_deep: bool) -> _Asked:
        opened = linked_reading if is_deep or self.options.needs_links else reading
        with opened(self.live, self.progress) as view:
            key = self._key(view)
            seconds = self.live.context.config.recall.cache_seconds
            known = self.cache.get(key, self.now_ns, seconds)
            if known:
                return _Asked(_with_freshness(known, view.freshness), key, is_new=False)
            asked = _Recalling(self.live, view, self.text, self.options, self.know, is_deep=is_deep)
            answer = _with_freshness(asked.answer(), view.freshness)
            return _Asked(answer, key, asked.changed, asked.wants_graph)

    def _key(self, view: Reading) -> Hashable:
        """All that an answer depends on but how memories were used lately."""
        context, weights = self.live.context, tuple(self.options.weights.items())
        asked = (self.text, self.options._replace(weights={}), weights)
        said = repr((asked, context.config, view.scope.name))
        return said, context.is_public, view.stores.cards.tree(), day_of(context.clock())


class _Recalling:
    """One question to one generation of the index."""

    def __init__(
        self,
        live: LiveIndex,
        view: Reading,
        text: str,
        options: RecallOptions,
        know: KnowledgeOf,
        *,
        is_deep: bool,
    ) -> None:
        context = live.context
        self._view, self._options, self._know = view, options, know(view)
        self._is_deep, self._today = is_deep, day_of(context.clock())
        self._snapshot = live.snapshot(view.stores, must_agree=view.freshness.fresh)
        db = view.stores.cards.db
        self._cards = Filters(db)
        self._filters = FilterEvaluator(self._cards, view.graph, view.scope)
        self._layers = layers_below(context.layers, view.scope.base)
        self._question = self._read(text)
        self._terms = text_terms(self._question.query)
        self._texts = PageTexts(context.root, context.max_bytes)
        self._passages = Passages(view.lookup, self._texts)
        self._lines = EntryLines(db)
        self._left_out = Counter[str]()
        self.wants_graph = False

    def _read(self, text: str) -> Question:
        read = read_question(text, self._today, self._filters.is_known)
        filters = (*read.query.filters, *self._options.filters(self._today))
        return read._replace(query=read.query._replace(filters=filters))

    @property
    def changed(self) -> int:
        """How many pages are no longer what the index says."""
        return len(self._texts.changed)

    @cached_property
    def _conditions(self) -> Conditions:
        found = self._filters.conditions(self._question.query)
        asked = self._options.conditions(found, self._cards, self._layers)
        unwanted = (*asked.unwanted, Matches(self._guides)) if self._guides else asked.unwanted
        return asked._replace(unwanted=unwanted)

    @cached_property
    def _guides(self) -> frozenset[int]:
        """What is not recalled, since it only tells how a memory is used."""
        types = types_asked(self._question.query.every_filter)
        return guide_pages(self._cards, (*self._options.types, *types))

    # --- from the question to the hits ---

    def answer(self) -> Recall:
        """Candidates, scores, what is left out, order, excerpts, as many as fit."""
        found = self._candidates()
        self.wants_graph = self._may_go_deeper(found)
        if self.wants_graph:  # then it is asked once more
            return self._recalled((), 0, is_relevant=False)
        around = self._around(found) if self._is_deep else {}
        rows = self._with_days(self._with_graph(found, around))
        scored = self._scored(rows, around)
        if not scored:
            return self._by_parts()
        if self._options.channel is Channel.GRAPH:
            scored = [each for each in scored if each.scores.get("graph")]
        kept = [each for each in scored if self._may_answer(each)]
        kept.sort(key=lambda each: -round(each.total, 9))  # else in the order of search
        chosen = distinct(kept, lambda each: each.passage.said)
        self._left_out["same as another"] += len(kept) - len(chosen)
        enough = [row for row in chosen if row[0].total >= self._options.min_score]
        self._left_out["below min_score"] += len(chosen) - len(enough)
        shown = enough[: self._options.limit]
        self._left_out["over limit"] += len(enough) - len(shown)
        is_relevant = any(self._is_relevant(each) for each, _ in shown)
        return self._recalled(self._hits(shown), len(enough), is_relevant=is_relevant)

    def _candidates(self) -> list[_Candidate]:
        """The best unit of each hit with its share of the most that the words could give."""
        count = max(LOOKED_AT, self._options.limit)
        collector = self._collector(self._conditions)
        reasons = answering(self._question.query, self._view.lookup, self._conditions)
        found = collector.best(count, reasons)
        first = named(reasons, self._view.lookup, self._conditions, found)
        rows = [_Candidate(row.key, 1.0, row.reason) for row in first]
        taken, reach = {row.key.hit for row in rows}, collector.reach or 1.0
        rows += [
            _Candidate(key, min(score / reach, 1.0))
            for key, score in found.top(count, besides=taken)
        ]
        self._count_archived(count)
        return rows

    def _collector(self, conditions: Conditions) -> Collector:
        sources, uncounted = self._filters.raw_pages(), self._guides
        return Collector(
            self._snapshot, self._view.lookup, self._terms, sources, conditions, uncounted
        )

    def _count_archived(self, count: int) -> None:
        """How many of the best would be retired ones, if these were not left out."""
        archive = self._filters.archived_pages()
        hidden = [each for each in self._conditions.unwanted if each == Matches(archive)]
        if archive and hidden:
            others = tuple(each for each in self._conditions.unwanted if each not in hidden)
            everywhere = self._conditions._replace(unwanted=others)
            best = self._collector(everywhere).best(count, ()).top(count)
            self._left_out["archived"] += sum(key.page in archive for key, _ in best)

    # --- the graph ---

    def _may_go_deeper(self, found: Sequence[_Candidate]) -> bool:
        """Whether the graph is asked, too: it is what the question is about, or its words find
        little and it names a page."""
        if self._is_deep or self._options.mode is not RecallMode.AUTO:
            return False
        if "graph" not in self._options.weights:
            return False
        is_weak = max((each.text for each in found), default=0.0) < _WEAK
        return self._question.is_deep or (is_weak and bool(self._named))

    @cached_property
    def _named(self) -> Mapping[str, str]:
        return named_in(self._question.query.words, self._view.lookup)

    def _around(self, found: Sequence[_Candidate]) -> Mapping[bytes, tuple[UnitKey, float]]:
        """Hits that the graph leads to, each with its unit and score."""
        seeds = list(self._named_seeds())
        if self._question.is_deep or self._options.relations:
            seeds += self._seeds_of(found[:3])
        relations = self._relations()
        nodes = walked(self._view.graph, seeds, self._options.depth, relations)
        best = sorted(nodes.items(), key=lambda row: (-row[1], row[0]))[:LOOKED_AT]
        rows = ((unit_of(node, self._view.lookup, self._lines), score) for node, score in best)
        return {
            bytes(key.hit): (key, score)
            for key, score in rows
            if key and self._conditions.passes(key)
        }

    def _named_seeds(self) -> Iterator[Seed]:
        """The pages that the question names; where it names none, those whose names it begins."""
        for path, name in self._named.items():
            yield Seed(path, self._share(name))
        words = () if self._named else self._question.query.words
        for path, (start, fit) in beginning(words, self._view.lookup).items():
            yield Seed(path, fit * self._share(start))

    def _share(self, name: str) -> float:
        """How much of the question a name is, so that a page called `list` is little of it; all
        where the question asks what is related."""
        if self._question.is_relational:
            return 1.0
        said = query_terms(name)
        return min(sum(term in said for term in self._terms) / max(len(self._terms), 1), 1.0)

    def _relations(self) -> Sequence[str]:
        """Which relations are followed: those asked for, causal ones for a why; () for all."""
        if self._options.relations:
            return self._options.relations
        is_why = self._question.is_causal and not self._question.is_relational
        return CAUSES if is_why else ()

    def _seeds_of(self, rows: Sequence[_Candidate]) -> Iterator[Seed]:
        """The best hits as nodes of the graph, each by its share of the best."""
        best = max((row.text for row in rows), default=0.0) or 1.0
        locations = self._view.lookup.locations(row.key for row in rows)
        cards = self._view.lookup.by_number(row.key.page for row in rows)
        for row in rows:
            card, location = cards.get(row.key.page), locations.get(row.key)
            if card and location:
                entry = self._lines.at(card.path, location.line_start)
                node = card.path if row.key.is_block or not entry else entry.address
                yield Seed(node, row.text / best, is_named=False)

    def _with_graph(
        self, rows: Sequence[_Candidate], around: Mapping[bytes, tuple[UnitKey, float]]
    ) -> list[_Candidate]:
        known = {bytes(row.key.hit) for row in rows}
        added = (_Candidate(key, 0.0) for hit, (key, _) in around.items() if hit not in known)
        return [*rows, *added]

    def _with_days(self, rows: Sequence[_Candidate]) -> list[_Candidate]:
        """What was written in the days that the question names may answer whatever it says."""
        known = {bytes(row.key.hit) for row in rows}
        added: dict[bytes, UnitKey] = {}
        for days in self._question.days[:_MOST_DAYS] if "time" in self._weights else ():
            for key in self._written_in(days):
                if key.hit not in known and self._conditions.passes(key):
                    added.setdefault(bytes(key.hit), key)
        return [*rows, *(_Candidate(key, 0.0) for key in islice(added.values(), LOOKED_AT))]

    def _written_in(self, days: Days) -> Iterator[UnitKey]:
        found = self._filters.written_within(days.first.isoformat(), days.last.isoformat())
        for page in sorted(found.pages)[:LOOKED_AT]:
            keys = self._view.lookup.unit_keys(page)
            yield from (key for key in keys if key not in found.excluded)
        yield from map(UnitKey, sorted(found.units)[:LOOKED_AT])

    # --- scores ---

    def _scored(
        self, rows: Sequence[_Candidate], around: Mapping[bytes, tuple[UnitKey, float]]
    ) -> list[Scored]:
        passages = self._passages.of([row.key for row in rows])
        references = self._references(passages.values())
        found = []
        for row in rows:
            passage = passages.get(row.key)
            if passage:
                graph = around.get(bytes(row.key.hit), (row.key, 0.0))[1]
                found.append(self._one(passage, row, graph, references.get(passage.card.path, 0)))
        return found

    @cached_property
    def _weights(self) -> Mapping[str, float]:
        """What is weighed: the graph, or time, as much as all else where the question asks for it;
        one score alone stays alone."""
        weights = self._options.weights
        weights = scores.with_links(weights) if self._question.is_deep else weights
        is_asked = self._question.days and len(weights) > 1
        return scores.with_days(weights) if is_asked else weights

    def _references(self, passages: Iterable[Passage]) -> Mapping[str, int]:
        if not self._wants("reference"):
            return {}
        paths = {each.card.path for each in passages}
        return self._view.graph.reference_counts(paths)

    def _wants(self, name: str) -> bool:
        return self._options.is_explained or name in self._weights

    def _one(self, passage: Passage, row: _Candidate, graph: float, references: int) -> Scored:
        trust = self._know(passage)
        text = scores.with_phrase(row.text) if self._has_phrases(passage) else row.text
        found = {"text": text, "graph": graph}
        if self._wants("overlap"):
            found["overlap"] = self._overlap(passage)
        if self._wants("time"):
            found["time"] = scores.by_age(self._days(passage.date))
        if self._wants("reference"):
            found["reference"] = scores.by_references(references)
        found["importance"] = trust.importance
        found["usage"] = scores.by_usage(trust.value)
        if "recalled" in self._options.weights:
            found["recalled"] = scores.by_last_recall(trust.last_recall_days)
        total = scores.weighted(found, self._weights) * (_LOW_TRUST if trust.is_low else 1)
        if self._options.prefers(passage):
            total = min(total * _PREFERRED, 1.0)
        return Scored(passage, found, total, row.reason, trust)

    def _overlap(self, passage: Passage) -> float:
        card, is_block = passage.card, passage.key.is_block
        title, description = (card.title, card.description) if is_block else ("", "")
        return scores.overlap(self._question.text, title, description, passage.body)

    def _has_phrases(self, passage: Passage) -> bool:
        if not self._question.phrases:
            return False
        said = words_of(passage.said)
        return all(_says(said, words_of(each)) for each in self._question.phrases)

    def _days(self, written: str) -> float:
        """The days since it was written, or to the nearest day that the question names."""
        day = named_day(written[:10], self._today, is_end=False)
        if day is None:
            return inf
        return min(self._distances(day), default=(self._today - day).days)

    def _distances(self, day: date) -> list[int]:
        return [each.distance(day) for each in self._question.days]

    # --- what may answer ---

    def _may_answer(self, each: Scored) -> bool:
        why = self._why_left_out(each)
        self._left_out[why] += bool(why)
        return not why

    def _why_left_out(self, each: Scored) -> str:
        if each.trust.is_superseded:
            return "superseded"
        if is_template_text(each.passage.body):
            return "of a template"
        session = each.passage.fields.get("session", "")
        is_other = session and fold(session) != fold(self._options.session)
        return "of another session" if self._options.session and is_other else ""

    def _is_relevant(self, each: Scored) -> bool:
        """Whether a hit has, by its words or the graph, so much of the question: a share of a long
        one is more than the same share of a short one."""
        share = max(each.scores["text"], each.scores["graph"])
        is_of_the_days = bool(self._question.days) and each.scores.get("time") == 1
        return is_of_the_days or share * len(self._terms) >= _RELEVANT

    # --- what is shown ---

    def _hits(self, rows: Sequence[tuple[Scored, int]]) -> list[Hit]:
        maker = HitBuilder(self._view.lookup, self._texts, explain=self._options.is_explained)
        passages = ((each.passage, each) for each, _ in rows)
        found = [
            (RankedUnit(passage.key, each.total, each.reason), passage.location, passage.card)
            for passage, each in passages
        ]
        hits = maker.located(found, self._terms)
        return [self._told(hits[each.passage.key], each, twins) for each, twins in rows]

    def _told(self, hit: Hit, each: Scored, twins: int) -> Hit:
        more = (f"{twins} more like it",) if twins else ()
        shown = each.scores if self._options.is_explained else {}
        return hit._replace(
            reasons=(*hit.reasons, *more),
            scores={name: round(score, 4) for name, score in shown.items()},
        )

    def _by_parts(self) -> Recall:
        """One scan of all pages for the words as parts of others."""
        words = self._question.query.words
        found = pages_with_parts(words, self._view.lookup, self._conditions, self._texts)
        shown = found[: self._options.limit]
        rows = [(row.shown(self._view.lookup), row.share) for row in shown]
        ranked = [RankedUnit(key, share, "substring") for key, share in rows if key]
        keys = self._passages.of([row.key for row in ranked])
        open_ = [r for r in ranked if r.key in keys and self._is_open(keys[r.key])]
        maker = HitBuilder(self._view.lookup, self._texts, explain=self._options.is_explained)
        self._left_out["over limit"] += len(found) - len(shown)
        answer = self._recalled(maker.hits(open_, words), len(found), is_relevant=False)
        return replace(answer, fallback=bool(found))

    def _is_open(self, passage: Passage) -> bool:
        return self._may_answer(Scored(passage, {}, 0.0, trust=self._know(passage)))

    def _recalled(self, hits: Sequence[Hit], total: int, *, is_relevant: bool) -> Recall:
        kept, used = fitting(hits, self._options.budget)
        self._left_out["over budget"] += len(hits) - len(kept)
        return Recall(
            question=self._question.text,
            mode=(RecallMode.DEEP if self._is_deep else RecallMode.FAST).value,
            fresh=False,
            pending=None,
            reason="",
            total=total,
            fallback=False,
            min_score=self._options.min_score,
            has_relevant=is_relevant,
            hits=tuple(kept),
            left_out={why: count for why, count in self._left_out.items() if count},
            tokens=used,
        )


def _says(said: str, phrase: str) -> bool:
    """Whether words hold a phrase: whole words, but any part of a CJK run."""
    return (phrase.strip() if is_cjk(phrase) else phrase) in said


def _with_freshness(answer: Recall, state: Freshness) -> Recall:
    return replace(answer, fresh=state.fresh, pending=state.pending, reason=state.reason)
