"""The recall verb: a question -> the passages that answer, scored in several ways and explained; of
two values of one slot the newer one first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Sequence, Set
from datetime import date
from heapq import merge
from itertools import islice

from memwiki.answers.recall import Recall
from memwiki.clock import local_day
from memwiki.facts.value import validity
from memwiki.index.keyword.tokens import query_terms
from memwiki.index.units import UnitKey, hit_of
from memwiki.markdown.entries import is_template_text
from memwiki.markdown.syntax import is_definitions
from memwiki.names import fold, require_text
from memwiki.nouns import SUPERSEDED, Hit
from memwiki.options import (
    RecallMode,
    RecallOptions,
    RecallSource,
    Strategy,
    texts_of,
    with_search_mode,
)
from memwiki.recall.bm25 import Said
from memwiki.recall.cache import RecallCache
from memwiki.recall.channels import (
    LOOKED_AT,
    AnswerIndex,
    Candidates,
    Passage,
    RankedUnit,
    Scores,
    passages_of,
    while_pages_change,
)
from memwiki.recall.days import DaysChannel
from memwiki.recall.filters import Matches, filters_of
from memwiki.recall.fusion import Fusion, ScoredPassage, Trust, weights_for, weights_of
from memwiki.recall.graph import GraphChannel
from memwiki.recall.grouping import distinct
from memwiki.recall.hits import HitBuilder
from memwiki.recall.meaning import Meaning
from memwiki.recall.memories import IN_OTHER_WORDS, crowded_out, in_other_words, other_words
from memwiki.recall.names import AlongNames, NamesChannel
from memwiki.recall.order import (
    ANSWERS,
    MAX_COMPARED,
    ScoredRow,
    age_of,
    held_then,
    is_later,
    newer_first,
    newer_of_equals,
    said_of,
    times_first,
)
from memwiki.recall.parse import read_question
from memwiki.recall.phrases import pages_with_parts, units_with_parts
from memwiki.recall.prompt import fitting
from memwiki.recall.query import is_light, term_weights
from memwiki.recall.words import WordsChannel, with_other_spellings
from memwiki.sync.live import LiveIndex
from memwiki.sync.reading import Freshness, Reading, linked_reading, reading
from memwiki.times.days import asked_of

# 0.7 of what a good hit of questions about chats gives, 0.36 to 0.47 (2026-11-22).
_WEAK = 0.28
_ABOUT_AS_GOOD = 0.9  # of the best one's total: what may be meant
_AMOUNTS, _ZH_AMOUNT = frozenset(("mani", "much", "often")), frozenset("多少几幾")  # how many
_RELEVANT = 0.4  # words of the question; less is chance: chosen on one half, decision 24


def recall(live: LiveIndex, text: str, options: RecallOptions, cache: RecallCache) -> Recall:
    """The passages that answer a question, best first.

    UsageError for a text that is none, or a day that is none.
    """
    require_text("recall", text, *texts_of(options))
    options = with_search_mode(options)
    return while_pages_change(_Asking(live, text, options, cache), "read")


class _Asking:
    """A question that is asked once, or again with the graph."""

    def __init__(
        self, live: LiveIndex, text: str, options: RecallOptions, cache: RecallCache
    ) -> None:
        self._live, self._text, self._options, self._cache = live, text, options, cache
        is_of_graph = options.strategy is Strategy.GRAPH or options.channel is RecallSource.GRAPH
        is_asked = bool(options.relation) or options.mode is RecallMode.DEEP
        self._is_deep = is_of_graph or is_asked
        weights = weights_of(options.strategy, live.context.config.recall.weights)
        self._needs_links = options.explain or "reference" in weights

    def __call__(self) -> tuple[Recall, Freshness, int]:
        context, options = self._live.context, self._options
        opened = linked_reading if self._is_deep or self._needs_links else reading
        with opened(self._live, options.progress) as view:
            key, settings = self._key(view), context.config.recall
            known = self._cache.get(key, context.clock(), settings.cache_seconds)
            if known:
                return known, view.freshness, 0
            index = AnswerIndex(self._live, view)
            answer = RecallPipeline(index, self._text, options, is_deep=self._is_deep).answer()
            changed = len(index.texts.changed)
        if answer is None:
            self._is_deep = True
            return self()
        if not changed:
            self._cache.put(key, context.clock(), answer, settings.cache_size)
        return answer, view.freshness, changed

    def _key(self, view: Reading) -> Hashable:
        """All that an answer depends on but how memories were used lately."""
        context = self._live.context
        options = self._options._replace(progress=None, record=True, private=False)
        asked = repr((self._text, options, context.config, view.scope.name, context.root))
        vectors, tree = self._live.vectors, view.stores.cards.tree()
        version = vectors.version() if vectors else ""
        return asked, context.is_public, tree, local_day(context.clock()), version


class RecallPipeline:
    """One question to one generation of the index: channels, fusion, what is left out, excerpts."""

    def __init__(
        self, index: AnswerIndex, text: str, options: RecallOptions, *, is_deep: bool
    ) -> None:
        self._index, self._options, self._is_deep = index, options, is_deep
        self._limit = options.limit or 0
        self._min_score = 0.0 if options.min_score is None else options.min_score
        read = read_question(text, index.today, index.filters.is_known)
        filters = (*read.query.filters, *filters_of(options, index.today))
        self._question = read._replace(query=read.query._replace(filters=filters))
        query, settings = self._question.query, index.context.config.recall
        self._terms = with_other_spellings(term_weights(query), query, index.snapshot)
        asked = weights_of(options.strategy, settings.weights)
        self._weights = weights_for(self._question, asked)
        self._guides = index.filters.guides(query, options)
        self._conditions = index.filters.of_recall(query, options, self._guides)
        self._graph = GraphChannel(index, self._question, options, self._conditions)
        days = self._question.days if len(self._weights) > 1 else ()
        self._days = DaysChannel(index, days, self._conditions, is_of_now=read.is_of_now)
        self._asked_days = asked_of(text, self._question.days, index.today)
        self._until = self._asked_until = self._asked_days.end(index.today)
        self._over = over = self._conditions.superseded_pages
        self._fusion = Fusion(index, self._question, options, self._days, self._weights, over)
        self._meaning = Meaning(index, self._question.text, options, self._conditions)
        self._maker = HitBuilder(index.lookup, index.texts, explain=options.explain)
        self._left_out, self._archived = Counter[str](), Counter[str]()
        self._times: list[UnitKey] = []
        self._said: Sequence[Said] = ()

    def answer(self) -> Recall | None:
        """The hits as far as they fit; None where the graph is to be asked, too."""
        first = [] if self._meaning.is_alone else self._first_stage()
        if self._may_go_deeper(first):
            return None
        ranked = self._ranked(first)
        if ranked is None:
            return self._by_parts()
        compared = self._compared(ranked)
        known = {row.passage.key for row, _ in compared}
        rest = [each for each in ranked if each[0].passage.key not in known]
        every = times_first([*newer_first(compared, self._holds, self._terms), *rest], self._times)
        enough = [row for row in every if row[0].total >= self._min_score]
        self._left_out["below min_score"] += len(every) - len(enough)
        shown = enough[: self._limit]
        self._left_out["over limit"] += len(enough) - len(shown)
        is_relevant = any(self._is_relevant(each) for each, _ in shown)
        hits = self._hits(shown)
        if ranked and all(each.reason == IN_OTHER_WORDS for each, _ in ranked):
            return self._by_parts(hits, is_relevant=is_relevant)
        return self._recalled(hits, len(enough), is_relevant=is_relevant)

    def _ranked(self, first: list[RankedUnit]) -> list[ScoredRow] | None:
        """What may answer, best first; None where nothing was found.

        What meaning alone found is read only as far as it could be shown: 50 passages took half of
        what meaning costs (2026-11-28).
        """
        rows, around = self._find(first)
        sure = self._looked_at(first, rows)
        scored = self._scored(rows[:sure], around)
        named = self._named_by(scored)
        ranked = self._choose(self._along(scored, named))
        late = self._in_reach(rows[sure:], ranked, named)
        if late:
            scored += self._scored(late, around)
            ranked = self._choose(self._along(scored, named))
        self._left_out["not near enough"] = len(rows) - sure - len(late)
        return ranked if scored else None

    def _compared(self, rows: Sequence[ScoredRow]) -> list[ScoredRow]:
        """The best rows, with newer memories that contradict those that answer behind them."""
        best = list(rows[:MAX_COMPARED])
        least = _ABOUT_AS_GOOD * best[0][0].total if best else 0.0
        close = (row for row, _ in best[:ANSWERS] if row.total >= least)
        answers = [row.passage for row in close if row.passage.is_entry]
        if not answers:
            return best
        if all(is_later(each, self._until) for each in answers):
            self._until = date.max  # nothing of then is known
        from memwiki.recall.rivals import news_of  # not where no memory answers

        found = {row.passage.key: (row, twins) for row, twins in rows}
        for news in news_of(self._index, self._conditions, answers, self._terms, self._is_news):
            known = found.get(news.key) or _saying(rows, said_of(news))
            row, twins = known or (self._unfound(news), 0)
            key = row.passage.key
            best = [*(each for each in best if each[0].passage.key != key), (row, twins)]
        return sorted(best, key=lambda each: -each[0].total)

    def _is_news(self, passage: Passage) -> bool:
        """Whether somebody of ours said it, not after the days that are asked for, and it may
        answer."""
        trust = self._fusion.trust.of(passage)
        return not (is_later(passage, self._until) or trust.is_low or self._why_not(passage, trust))

    def _holds(self, passage: Passage) -> bool:
        """Whether it may be so in the days that are asked for."""
        return not (self._validity(passage) or is_later(passage, self._until))

    def _validity(self, passage: Passage) -> str:
        is_over = passage.key.page in self._over
        return SUPERSEDED if is_over else validity(passage.fields, *self._asked_days)

    def _unfound(self, passage: Passage) -> ScoredPassage:
        """A memory that no channel found."""
        unit = RankedUnit(passage.key, 0.0, "newer than what answers")
        return self._fusion.scored([unit], {passage.key: passage}, {})[0]

    def _choose(self, scored: Sequence[ScoredPassage]) -> list[ScoredRow]:
        """Those that may answer, best first, each with how many others say the same."""
        if self._options.channel is RecallSource.GRAPH:
            scored = [each for each in scored if each.scores.get("graph")]
        reasons = [self._why_not(each.passage, each.trust) for each in scored]
        kept = [each for each, why in zip(scored, reasons, strict=True) if not why]
        kept.sort(key=lambda each: -round(each.total, 9))  # else in the order of search
        kept = newer_of_equals(kept)
        times = {key: place for place, key in enumerate(self._times)}  # of equal ones they stay
        kept.sort(key=lambda each: times.get(each.passage.key, len(times)))
        # Of texts that were not fed nothing is told apart.
        chosen = (
            distinct(kept, lambda each: each.passage.text)
            if self._index.texts.are_there
            else [(each, 0) for each in kept]
        )
        self._left_out = self._archived + Counter(reasons)
        self._left_out["same as another"] = len(kept) - len(chosen)
        return chosen

    # --- the channels ---

    def _first_stage(self) -> list[RankedUnit]:
        """What names and words find as a search does, words by the share of the most that they
        could give."""
        count = max(LOOKED_AT, self._limit)
        names = NamesChannel(self._question.query, self._index.lookup, self._conditions)
        words = WordsChannel(
            self._index,
            self._terms,
            self._conditions,
            self._guides,
            limit=count,
            named=names.reasons,
            question=self._question.text,
        )
        found = words.find({})
        first = [row._replace(score=1.0) for row in names.ranked(found)]
        first += self._of_times(words, {row.key for row in first})
        best = found.best(besides={row.key.hit for row in first}, reach=words.reach)
        rest = [row._replace(score=min(row.score, 1.0)) for row in islice(best, count)]
        self._count_archived(count, words, found)
        every = [*first, *rest]
        if len(rest) == count:
            every += crowded_out(self._index, words, every)
        if not self._index.cards.with_entries():
            return every
        self._said = other_words(self._question, self._terms, self._index.snapshot)
        if not self._said:
            return every
        asked = {**self._terms, **{each.term: each.weight for each in self._said}}
        more = WordsChannel(self._index, asked, self._conditions, self._guides, limit=count)
        return in_other_words(self._index, more, self._said, every, words.reach)

    def _of_times(self, words: WordsChannel, known: Set[UnitKey]) -> Iterator[RankedUnit]:
        """What says the last or the first time, where one is asked for."""
        if not self._question.occasion:
            return
        from memwiki.recall.occasions import occasions  # few questions ask for one

        self._times = occasions(self._index, self._question, self._conditions)
        pages = {key.page for key in self._times}
        scores = words.of(self._index.snapshot.documents_of(pages))
        for key in self._times:
            if key not in known:
                why = f"the {self._question.occasion} time"
                yield RankedUnit(key, min(scores.get(key, 0.0) / words.reach, 1.0), why)

    def _count_archived(self, count: int, words: WordsChannel, found: Candidates) -> None:
        """How many of the best would be retired ones, if these were not left out."""
        archive = self._index.filters.archived_pages()
        unwanted = self._conditions.unwanted
        others = tuple(each for each in unwanted if each != Matches(archive))
        if archive and len(others) < len(unwanted):
            retired = words.on_pages(archive, self._conditions._replace(unwanted=others))
            both = merge(
                found.best(reach=1), retired.best(reach=1), key=lambda row: (-row.score, row.key)
            )
            self._archived["archived"] = sum(row.key.page in archive for row in islice(both, count))

    def _may_go_deeper(self, first: Sequence[RankedUnit]) -> bool:
        """Whether the graph is asked, too: it is what the question is about, or its words find
        little and it names a page."""
        is_alone = self._meaning.is_alone
        if self._is_deep or is_alone or self._options.mode is not RecallMode.AUTO:
            return False
        if "graph" not in self._weights:
            return False
        is_weak = max((each.score for each in first), default=0.0) < _WEAK
        return self._question.is_deep or (is_weak and bool(self._graph.named))

    def _find(self, first: list[RankedUnit]) -> tuple[list[RankedUnit], Scores]:
        """What all channels find, that of words first; and what the graph gives hits."""
        around: Scores = {}
        rows = _with(first, self._meaning.find(first), "meaning")
        if self._meaning.is_alone:
            rows.sort(key=lambda row: -self._meaning.share(row.key.hit))
        if self._is_deep:
            around = self._graph.find({row.key: row.score for row in rows})
            rows = _with(rows, around, "links")
        if self._days.is_asked or "time" in self._weights:
            rows = [*self._days.at_their_days(rows)]
            found = self._days.find({row.key: row.score for row in rows})
            rows = _with(rows, found, "the days asked for")
        return rows, {hit_of(key): score for key, score in around.items()}

    def _scored(self, rows: Sequence[RankedUnit], around: Scores) -> list[ScoredPassage]:
        """Units as passages with all scores."""
        passages = passages_of([row.key for row in rows], self._index.lookup, self._index.texts)
        return self._meaning.joined(self._fusion.scored(rows, passages, around))

    def _named_by(self, scored: Sequence[ScoredPassage]) -> Scores:
        """The pages that the best of what words found names, with the totals of that."""
        if self._meaning.is_alone:
            return {}
        said: dict[bytes, float] = {e.passage.key: e.total for e in scored if e.scores["text"]}
        return AlongNames(self._index, self._conditions).find(said)

    def _along(self, scored: Sequence[ScoredPassage], named: Scores) -> list[ScoredPassage]:
        """The same with the pages that are named, which are worth a part of what names them."""
        index = self._index
        theirs = {hit_of(key): score for key, score in named.items()}
        known = {each.passage.key.hit for each in scored}
        added = [RankedUnit(UnitKey(key), 0.0) for key in named if hit_of(key) not in known]
        passages = passages_of([row.key for row in added], index.lookup, index.texts)
        every = [*scored, *self._fusion.scored(added, passages, {})]
        return [each.lifted(theirs.get(each.passage.key.hit, 0.0)) for each in every]

    # --- what is not read ---

    def _looked_at(self, first: Sequence[RankedUnit], rows: Sequence[RankedUnit]) -> int:
        """How many of the hits are read in any case."""
        if self._meaning.is_alone:
            return min(len(rows), max(self._limit, MAX_COMPARED))
        return len(first) if self._may_leave_unread() else len(rows)

    def _may_leave_unread(self) -> bool:
        """Whether it can be said without its text what a hit of none of the words gets at most."""
        is_plain = self._weights.keys() <= {"text", "overlap", "graph"} and not self._is_deep
        is_bare = not (self._question.phrases or self._days.is_asked or self._options.session)
        return is_plain and is_bare and self._meaning.is_bonus

    def _in_reach(
        self, rows: Sequence[RankedUnit], ranked: Sequence[ScoredRow], named: Scores
    ) -> list[RankedUnit]:
        """Those that may be shown, or stand among those that are compared for newer values."""
        count = max(self._limit, MAX_COMPARED)
        least = ranked[count - 1][0].total if len(ranked) >= count else 0.0
        hits = {hit_of(key) for key in named}
        cards = self._index.lookup.by_number(row.key.page for row in rows if row.key.is_block)

        def most(row: RankedUnit) -> float:
            if self._meaning.is_alone:
                return self._meaning.share(row.key.hit)
            card = cards.get(row.key.page) if row.key.is_block else None
            return self._fusion.most_unread(card) + self._meaning.added(row.key.hit)

        return [row for row in rows if row.key.hit in hits or most(row) >= least]

    # --- what may answer ---

    def _why_not(self, passage: Passage, trust: Trust) -> str:
        """Why a passage may not answer, "" where it may."""
        session, asked = passage.fields.get("session", ""), self._options.session
        if trust.is_superseded and not held_then(passage, self._asked_until, self._terms):
            return SUPERSEDED
        if is_template_text(passage.body):
            return "of a template"
        if is_definitions(passage.body):
            return "link definitions"
        is_of_another = asked and session and fold(session) != fold(asked)
        return "of another session" if is_of_another else ""

    def _is_relevant(self, each: ScoredPassage) -> bool:
        """Whether a hit has, by its words or the graph, so much of the question: a share of a long
        one is more than the same share of a short one."""
        share = max(each.scores["text"], each.scores["graph"])
        is_of_the_days = self._days.is_asked and each.scores.get("time") == 1
        is_near = share * len(self._terms) >= _RELEVANT
        return is_of_the_days or is_near or self._has_all(each.passage)

    def _has_all(self, passage: Passage) -> bool:
        """Whether a memory holds every word that says what the question is about, or what is said
        for it, however many of a small memory do."""
        asked = {
            term for term in self._terms if term in _AMOUNTS or not _ZH_AMOUNT.isdisjoint(term)
        }
        about = {term for term in self._terms if not is_light(term)} - asked
        held = set(query_terms(passage.body))
        held.update(*(each.own for each in self._said if each.term in held))
        return passage.is_entry and 0 < len(about) == len(about & held)

    # --- what is shown ---

    def _hits(self, rows: Sequence[tuple[ScoredPassage, int]]) -> list[Hit]:
        found = []
        for each, _ in rows:
            unit = RankedUnit(each.passage.key, min(each.total, 1.0), each.reason)
            found.append((unit, each.passage.location, each.passage.card))
        hits = self._maker.located(found, [*self._terms, *self._days.terms])
        return [self._explained(hit, *row) for hit, row in zip(hits, rows, strict=True)]

    def _explained(self, hit: Hit, each: ScoredPassage, twins: int) -> Hit:
        age = self._validity(each.passage) or age_of(each, self._until, self._asked_until)
        more = filter(None, (f"{twins} more like it" * bool(twins), age))
        shown = each.scores if self._options.explain else {}
        return hit._replace(
            reasons=(*hit.reasons, *more),
            scores={name: round(score, 4) for name, score in shown.items()},
        )

    def _by_parts(self, first: Sequence[Hit] = (), *, is_relevant: bool = False) -> Recall:
        """One scan of all pages for the words as parts of others; what says them in other words
        comes first."""
        index, words = self._index, self._question.query.words
        found = pages_with_parts(words, index.lookup, self._conditions, index.texts)
        ranked = units_with_parts(found[: self._limit], index.lookup, LOOKED_AT)
        passages = passages_of([row.key for row in ranked], index.lookup, index.texts)
        read = [(row, passages[row.key]) for row in ranked if row.key in passages]
        trust = self._fusion.trust.of
        reasons = [self._why_not(passage, trust(passage)) for _, passage in read]
        open_ = [row for (row, _), why in zip(read, reasons, strict=True) if not why]
        self._left_out += Counter(reasons)
        known = {(hit.path, hit.line_start) for hit in first}
        parts = self._maker.hits(open_[: self._limit], words)
        hits = [*first, *(hit for hit in parts if (hit.path, hit.line_start) not in known)]
        total = len(hits) + max(len(found) - self._limit, 0)
        self._left_out["over limit"] += max(total - self._limit, 0)
        answer = self._recalled(hits[: self._limit], total, is_relevant=is_relevant)
        return answer._replace(fallback=bool(found))

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
            min_score=self._min_score,
            has_relevant=is_relevant,
            hits=tuple(kept),
            left_out={why: count for why, count in self._left_out.items() if why and count},
            tokens=used,
            vectors=self._meaning.use,
            weights=self._weights if self._options.explain else {},
        )


def _saying(rows: Iterable[ScoredRow], said: str) -> ScoredRow | None:
    return next((each for each in rows if said_of(each[0].passage) == said), None)


def _with(rows: Sequence[RankedUnit], found: Scores, why: str) -> list[RankedUnit]:
    """The units so far, then those that a channel adds, which have none of the words."""
    known = {row.key.hit for row in rows}
    added = (RankedUnit(UnitKey(key), 0.0, why) for key in found if hit_of(key) not in known)
    return [*rows, *added]
