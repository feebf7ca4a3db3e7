"""What the index knows that is like a text: near duplicates, conflicts, keys, descriptions."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import chain, islice
from typing import NamedTuple

from memwiki.answers.entries import EntryConflict, EntryView, NearEntry, SimilarEntries
from memwiki.config.schema import MemoryConfig
from memwiki.errors import ManyMatchesError, ModelError, NotFoundError
from memwiki.facts.identity import identity, without_last_tags
from memwiki.facts.value import is_current
from memwiki.index.cards.entries import EntryCard, EntryCards
from memwiki.index.cards.filters import Filters
from memwiki.index.keyword.backend import Snapshot
from memwiki.index.units import page_of
from memwiki.judgement.conflicts import (
    judge_conflict,
    judge_conflicting,
    read_statement,
    weighted_words,
    words_beside,
)
from memwiki.judgement.lexicon import ConflictRules
from memwiki.judgement.similarity import (
    Fact,
    Verdict,
    jaccard,
    judge_readings,
    words_of,
)
from memwiki.markdown.describe import inner_path
from memwiki.markdown.outline import Outlines
from memwiki.memory.addresses import PageOutlines, find_entry
from memwiki.memory.draft import AddOptions, EntryDraft
from memwiki.memory.insertion import (
    ConflictingEntry,
    JudgedDraft,
    NearDuplicate,
    RivalDraft,
    is_before,
    is_said_before,
    random_ids,
)
from memwiki.memory.placement import EntryPage
from memwiki.memory.view import LocatedEntry, entities_of, entry_name, views_of
from memwiki.names import is_in_folder, require_text
from memwiki.nouns import Entry
from memwiki.recall.bm25 import memories_like
from memwiki.recall.filters import Conditions
from memwiki.sync.live import LiveIndex
from memwiki.sync.reading import Reading, reading, used_reading

_MAX_COMPARED = 32  # best entries by their words that are looked at
_MAX_DRAFTS = 1_000  # of one call that are all compared: twice the time of one that are not
_TOPIC = {"subject", "topic"}
_MAX_TOLD = 3  # drafts before one in the same call that it may contradict


class KnownFact(NamedTuple):
    """An entry of the index, as it is now."""

    located: LocatedEntry
    fact: Fact


class KnownFacts:
    """What the index knows, asked text by text."""

    def __init__(self, live: LiveIndex, view: Reading, outlines: Outlines | None = None) -> None:
        """`outlines` are those of a plan, see `PageOutlines`."""
        self._cards = EntryCards(view.stores.cards.db)
        self._scope, self._seen = view.scope, Filters(view.stores.cards.db).seen(view.scope)
        self._snapshot: Snapshot = live.snapshot(view.stores, must_agree=view.freshness.is_swept)
        context = view.context
        self._layers = context.layers
        self._pages = PageOutlines(context, outlines)
        self._attributes = context.config.memory.entity_attributes
        self._vectors = live.vectors

    def like(
        self, text: str, aside: Collection[bytes] = (), beside: Iterable[str] = ()
    ) -> Iterator[KnownFact]:
        """The entries in force that share most words with a text, best first, but for those whose
        units have the keys `aside`; the terms `beside` count for less."""
        keys = memories_like(
            self._snapshot,
            weighted_words(words_of(text), beside),
            lambda key: key not in aside and self._seen.has(page_of(key)),
            _MAX_COMPARED,
        )
        return self._facts(filter(None, map(self._cards.with_keys(keys).get, keys)))

    def near_in_meaning(self, text: str, *, is_asked: bool) -> Iterator[tuple[KnownFact, float]]:
        """The entries in force that mean nearly what a text says, with their cosines, where a model
        is set. One that is not loaded, or at a server, is asked only where a person asked."""
        vectors = self._vectors
        if vectors is None or not vectors.is_there():
            return
        if not (is_asked or (vectors.model.is_local and vectors.model.is_loaded)):
            return
        from memwiki.recall.meaning import nearest_entries  # few have vectors

        with suppress(ModelError):
            asked = vectors.question(text)
            seen = Conditions(wanted=(lambda page, _: self._seen.has(page),))
            cosines = nearest_entries(vectors, asked, seen, _MAX_COMPARED)
            for key, card in self._cards.with_keys([*cosines]).items():
                yield from ((fact, cosines[key]) for fact in self._facts([card]))

    def with_key(self, key: str) -> Iterator[KnownFact]:
        """The entries in force that have a key."""
        return self._facts(self._cards.with_key(key))

    def is_source(self, known: LocatedEntry) -> bool:
        """Whether it stands in a source, which says what it says."""
        return is_in_folder(inner_path(known.path, self._layers), self._layers.raw)

    def _facts(self, cards: Iterable[EntryCard]) -> Iterator[KnownFact]:
        """Those that are in force: seen, and neither superseded nor kept in core since."""
        for card in cards:
            is_in_force = self._scope.sees(card.path) and is_current(card.fields, is_struck=False)
            if is_in_force and (located := self._pages.of(card)):
                yield KnownFact(located, fact_of(located.entry, self._attributes))


def fact_of(entry: Entry | EntryDraft | EntryView, attributes: Sequence[str] = ()) -> Fact:
    """What an entry says, to be compared."""
    fields, named = entry.fields, ("entities", *attributes)
    about = {each: fields[each] for each in named if each in fields}
    return Fact(
        without_last_tags(entry.text)[0],
        entry.type,
        fields.get("key", ""),
        fields.get("subject", ""),
        fields.get("topic", ""),
        fields.get("object", ""),
        entities_of("", about, attributes) if about else (),
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
        known = KnownFacts(live, view)
        alike = {each.located.place: (each, likeness(each.fact.text)) for each in known.like(text)}
        for each, cosine in known.near_in_meaning(text, is_asked=True):
            _, by_words = alike.get(each.located.place, (each, likeness(each.fact.text)))
            alike[each.located.place] = each, max(by_words, cosine)
        found = [NearEntry(views.of(e.located), round(share, 4)) for e, share in alike.values()]
        found.sort(key=lambda each: (-each.similarity, each.entry.path, each.entry.line_start))
        least = live.context.config.memory.near_threshold if threshold is None else threshold
        near = [each for each in found if each.similarity >= least]
        others = [] if near or threshold is not None else [x for x in found if x.similarity > 0]
        notes = (f"none is near ({least:g} or more); these are the most alike",) if others else ()
        return SimilarEntries(tuple((near or others)[:limit]), view.freshness.fresh, notes)


def conflicting_entries(live: LiveIndex, name: str) -> tuple[EntryConflict, ...]:
    """The entries in force that may contradict one, the surest first; of one that is over none."""
    settings = live.context.config.memory
    rules = rules_of(settings)
    with used_reading(live) as view:
        this, known = find_entry(name, view), KnownFacts(live, view)
        if this.entry.is_superseded:
            return ()
        fact = fact_of(this.entry, settings.entity_attributes)
        keyed = known.with_key(fact.key) if fact.key else ()
        alike = known.like(fact.text, beside=words_beside(read_statement(fact, rules)))
        others = {each.located.place: each for each in chain(alike, keyed)}
        others.pop(this.place, None)
        views, found = views_of(live.context, view.stores), list[EntryConflict]()
        for located, other in others.values():
            old, new = sorted((other, fact), key=lambda each: each.created)
            if conflict := judge_conflict(old, new, rules):
                found.append(
                    EntryConflict(
                        views.of(located),
                        entry_name(this.path, this.entry),
                        round(conflict.score, 4),
                        conflict.reasons,
                    )
                )
    return tuple(sorted(found, key=lambda each: (-each.score, each.entry.name)))


def judge_drafts(
    drafts: Sequence[tuple[EntryDraft, EntryPage]],
    known: KnownFacts,
    settings: MemoryConfig,
    options: AddOptions,
) -> list[JudgedDraft]:
    """The drafts with what is like them, what they may contradict, and what has their keys."""
    rules = rules_of(settings) if options.is_judged else None
    rivals = _rivals(drafts, settings, rules) if rules and len(drafts) > 1 else {}
    return [
        _judge(
            draft, target, known, settings, rules, may_supersede=options.may_end(draft)
        )._replace(rivals=tuple(rivals.get(at, ())))
        for at, (draft, target) in enumerate(drafts)
    ]


def _rivals(
    drafts: Sequence[tuple[EntryDraft, EntryPage]], settings: MemoryConfig, rules: ConflictRules
) -> Mapping[int, Sequence[RivalDraft]]:
    """By number of a draft, those before it that say another value of one thing: all that end or
    are ended, and the last of the others. Of very many drafts only those with a subject and a topic
    are compared: a check names the others."""
    from memwiki.judgement.near_pairs import conflicts  # most calls add one

    is_all = len(drafts) <= _MAX_DRAFTS
    places = [at for at, (each, _) in enumerate(drafts) if is_all or each.fields.keys() >= _TOPIC]
    facts = [fact_of(drafts[at][0], settings.entity_attributes) for at in places]
    rivals: dict[int, list[RivalDraft]] = {}
    for earlier, later, found in conflicts(facts, rules):
        (old, page), (new, _) = drafts[places[earlier]], drafts[places[later]]
        if old.key and old.key == new.key:
            continue  # the later one is the entry
        turned = (
            judge_conflict(facts[later], facts[earlier], rules) if is_before(new, old) else None
        )
        told = RivalDraft(old, page.path, *(turned or found))
        is_over = told.is_over and not page.is_by_day  # what happened on a day did
        rivals.setdefault(places[later], []).append(told._replace(is_over=is_over))
    return {at: _told_of(each) for at, each in rivals.items()}


def _told_of(rivals: Sequence[RivalDraft]) -> Sequence[RivalDraft]:
    """Of a long series of values each may contradict all others."""
    others = [each for each in rivals if not each.is_over]
    return [each for each in rivals if each.is_over] + others[-_MAX_TOLD:]


def _judge(
    draft: EntryDraft,
    target: EntryPage,
    known: KnownFacts,
    settings: MemoryConfig,
    rules: ConflictRules | None,
    *,
    may_supersede: bool,
) -> JudgedDraft:
    with_key = known.with_key(draft.key) if draft.key else ()
    keyed = tuple(each.located for each in with_key if not known.is_source(each.located))
    if rules is None:
        return JudgedDraft(draft, target, keyed=keyed)
    near, conflicts = list[NearDuplicate](), list[ConflictingEntry]()
    new = read_statement(fact_of(draft, settings.entity_attributes), rules)
    bounds = {"near": settings.near_threshold, "same": settings.same_threshold}
    for located, fact in known.like(draft.text, beside=words_beside(new)):
        old, is_source = read_statement(fact, rules), known.is_source(located)
        conflict, likeness = judge_conflicting(old, new, rules), judge_readings(old, new, **bounds)
        # Two words that change places read alike, and say the contrary.
        is_over = conflict is not None and conflict.supersedes
        if not is_over and likeness.verdict is not Verdict.DIFFERENT:
            is_same = likeness.verdict is Verdict.SAME
            if not is_source:
                near.append(NearDuplicate(located, likeness.score, is_same))
        elif conflict:
            is_past = is_over and not is_source and is_said_before(draft, located)
            ends = is_over and not is_source and not is_past
            found = ConflictingEntry(
                located,
                conflict.score,
                conflict.reasons,
                is_superseded=ends and may_supersede,
                is_due=ends and not may_supersede,
                is_later=is_past and may_supersede,
            )
            conflicts.append(found)
    told = {each.known.place for each in near} | {each.known.place for each in conflicts}
    for (located, _), cosine in known.near_in_meaning(draft.text, is_asked=False):
        if cosine >= settings.near_threshold and located.place not in told:
            near.append(NearDuplicate(located, cosine, is_same=False, is_by_meaning=True))
    # The index found them by words that others use, too.
    near.sort(key=lambda each: (not each.is_same, -each.similarity, *each.known.place))
    conflicts.sort(key=lambda each: (-each.score, *each.known.place))
    return JudgedDraft(draft, target, tuple(near), tuple(conflicts), keyed)


def rules_of(settings: MemoryConfig) -> ConflictRules:
    """The rules of conflicts as the settings have them."""
    return ConflictRules(
        threshold=settings.conflict_threshold,
        negation_words=settings.negation_words,
        preference_words=settings.preference_words,
        change_words=settings.change_words,
    )


def free_ids(cards: EntryCards, count: int) -> tuple[str, ...]:
    """Ids that no entry of the index bears, more than so many entries need."""
    return tuple(islice(random_ids(cards.has_id), 3 * count + 16))


_MIN_SHARE = 0.5  # of the words of a description that the entry has to hold
_AHEAD = 0.2  # that the best has to hold more than the next


def find_described(live: LiveIndex, text: str) -> str:
    """The id, or `path:line`, of the entry that a text describes; AmbiguousError when several come
    close, NotFoundError when none does."""
    require_text("relate", text)
    wanted = words_of(text)
    with reading(live) as view:
        found = sorted(
            (
                (len(wanted & words_of(each.fact.text)) / (len(wanted) or 1), each.located)
                for each in KnownFacts(live, view).like(text)
            ),
            key=lambda row: -row[0],
        )
    close = [located for share, located in found if share >= max(_MIN_SHARE, found[0][0] - _AHEAD)]
    names = [entry_name(each.path, each.entry) for each in close]
    if not names:
        raise NotFoundError(f"{text}: no entry fits this", "memwiki entry similar TEXT")
    if len(names) > 1:
        raise ManyMatchesError(text, "entries come close", names, "give the id of one of them")
    return names[0]
