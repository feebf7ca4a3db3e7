"""What one consolidation is to do, judged with the index before the lock is taken."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cache, partial
from typing import NamedTuple

from memwiki.config import Config
from memwiki.config.schema import REVIEW
from memwiki.entry_fields import MODEL, PERSONS
from memwiki.facts.identity import HAN, in_own_case, normal_form, without_last_tags
from memwiki.facts.value import is_current
from memwiki.index.cards.entries import EntryCard, EntryCards
from memwiki.index.cards.lookup import Lookup
from memwiki.index.names import entry_number
from memwiki.index.projection import Progress
from memwiki.judgement.conflicts import (
    Conflict,
    judge_conflicting,
    read_statement,
    words_beside,
)
from memwiki.judgement.near_pairs import conflicts, near_duplicates
from memwiki.judgement.similarity import Fact, Likeness, Verdict, judge_readings
from memwiki.markdown.describe import inner_path, is_in, is_kept
from memwiki.memory.addresses import PageOutlines
from memwiki.memory.known_facts import KnownFact, KnownFacts, fact_of, free_ids, rules_of
from memwiki.memory.listing import date_of_card
from memwiki.memory.plans import linking_pages
from memwiki.memory.view import LocatedEntry, entities_of
from memwiki.sync.live import LiveIndex
from memwiki.sync.reading import Reading, reading
from memwiki.text import pattern
from memwiki.upkeep.relating import Related, SubjectPages, TimeCandidate, proposals, within_an_hour
from memwiki.upkeep.waiting import Waiting, can_join, day_of_entry, is_trusted, queue, waiting
from memwiki.upkeep.work import WhyLeft, home_of, may_change_all

_WORDS = pattern(rf"[{HAN}]|[^\W{HAN}]+")


class Join(NamedTuple):
    """An entry of the batch becomes part of an older one: of the batch, or known before."""

    new: int
    into: LocatedEntry
    likeness: Likeness


class Contradiction(NamedTuple):
    """An older and a newer entry in conflict; `is_sure` says that the older one is over."""

    old: LocatedEntry
    new: LocatedEntry
    score: float
    reasons: tuple[str, ...]
    is_sure: bool
    is_reviewed: bool = False  # a person looks before the older one is over


class Tie(NamedTuple):
    """A relation from an entry of the batch to another one, known by id or in the batch."""

    new: int
    path: str
    id: str  # "" of one that has none yet
    other: int  # its place in the batch, -1 for none
    names: tuple[str, ...]


class JudgedBatch(NamedTuple):
    """What waits, and what is to become of it."""

    waiting: tuple[Waiting, ...] = ()
    left: int = 0  # entries that are looked at in the next run
    joins: Mapping[int, Join] = {}
    contradictions: tuple[Contradiction, ...] = ()
    names: Mapping[int, tuple[str, ...]] = {}  # of pages that a text names
    ties: tuple[Tie, ...] = ()
    near_in_time: tuple[TimeCandidate, ...] = ()
    referred: frozenset[int] = frozenset()  # entries that something refers to
    ids: tuple[str, ...] = ()  # that no entry bears, more than are needed
    left_as_is: Mapping[str, str] = {}  # files with entries that wait, and why they stay


def judged_batch(
    live: LiveIndex, progress: Progress | None = None, why_left: WhyLeft = may_change_all
) -> JudgedBatch:
    """The next entries that wait, with all that the index knows about them; those aside in files
    that stay as they are."""
    with reading(live) as view:
        left_as_is = dict[str, str]()
        batch = _batch(live, view, progress, why_left, left_as_is)
        return batch._replace(left_as_is=left_as_is)


def _batch(
    live: LiveIndex,
    view: Reading,
    progress: Progress | None,
    why_left: WhyLeft,
    left_as_is: dict[str, str],
) -> JudgedBatch:
    config, layers = view.context.config, view.context.layers
    cards = [
        card
        for card in EntryCards(view.stores.cards.db).all()
        if view.scope.sees(card.path)
        and is_current(card.fields, is_struck=False)
        and not is_kept(card.path, layers)
    ]
    pages = PageOutlines(view.context)
    found = _changeable(waiting(queue(iter(cards), config), config, pages), why_left, left_as_is)
    named = SubjectPages(view.lookup, view.scope)
    entries, names, left = _take(found, named, config)
    if not entries:
        return JudgedBatch(left=left)
    known = KnownFacts(live, view)
    facts = [fact_of(each.located.entry, config.memory.entity_attributes) for each in entries]
    judging = _Judging(entries, facts, config)
    met = [*judging.with_known(known, progress), *judging.with_each_other()]
    joins = judging.joins(met)
    clashes = tuple(judging.contradictions(met)) if config.consolidation.detect_conflicts else ()
    new = [at for at in range(len(entries)) if at not in joins]
    ties, near_in_time = _relations(cards, entries, names, new, _Relating(named, config))
    referred = frozenset(at for at in joins if _is_referred(entries[at].located, view.lookup, view))
    ids = free_ids(EntryCards(view.stores.cards.db), len(entries) + len(clashes))
    return JudgedBatch(entries, left, joins, clashes, names, ties, near_in_time, referred, ids)


def _changeable(
    found: Iterator[Waiting], why_left: WhyLeft, left_as_is: dict[str, str]
) -> Iterator[Waiting]:
    """What waits in files that may be changed; the others are noted."""
    for each in found:
        path = each.located.path
        reason = why_left(path)
        if not reason:
            yield each
        elif each.matters or not each.is_day:
            left_as_is[path] = reason


def _take(
    found: Iterator[Waiting], named: SubjectPages, config: Config
) -> tuple[tuple[Waiting, ...], dict[int, tuple[str, ...]], int]:
    """The entries of this run, what pages they name, and how many are left for the next run."""
    taken, names = list[Waiting](), dict[int, tuple[str, ...]]()
    for each in found:
        entry = each.located.entry
        missing = named.missing(entry.text, entry.fields)
        is_full = len(taken) == config.consolidation.batch_size
        if is_full or (missing and len(names) == config.entities.batch_size):
            return tuple(taken), names, 1 + sum(1 for _ in found)
        if missing:
            names[len(taken)] = missing
        taken.append(each)
    return tuple(taken), names, 0


class _Met(NamedTuple):
    """An entry of the batch, and an earlier or known one that is like it or against it."""

    new: int
    other: LocatedEntry
    at: int  # its place in the batch, -1 for none
    likeness: Likeness | None
    conflict: Conflict | None


class _Judging:
    """The entries of a batch, compared with what is known and with each other."""

    def __init__(self, entries: Sequence[Waiting], facts: Sequence[Fact], config: Config) -> None:
        self._entries, self._facts, self._config = entries, facts, config
        self._near, self._same = config.memory.near_threshold, config.memory.same_threshold
        self._rules = rules_of(config.memory)
        self._read = cache(partial(read_statement, rules=self._rules))  # known ones are met often
        self._readings = [self._read(fact) for fact in facts]

    def with_known(self, known: KnownFacts, progress: Progress | None) -> Iterator[_Met]:
        """What the index knows that is like each of them."""
        aside = frozenset(each.key for each in self._entries)
        own = {each.located.place for each in self._entries}
        for at, each in enumerate(self._entries):
            if progress:
                progress(at, len(self._entries))
            beside = words_beside(self._readings[at])
            for found in known.like(self._facts[at].text, aside, beside):
                if self._is_near_enough(each, found.located):
                    yield self._meeting(at, found)
            key = self._facts[at].key
            for found in known.with_key(key) if key else ():
                if found.located.place not in own and self._is_near_enough(each, found.located):
                    yield self._meeting(at, found)

    def _is_near_enough(self, each: Waiting, other: LocatedEntry) -> bool:
        layers = self._config.layers
        home = home_of(each.located.path, layers)
        return home == home_of(other.path, layers) and not is_kept(other.path, layers)

    def _meeting(self, at: int, found: KnownFact) -> _Met:
        new, old = self._readings[at], self._read(found.fact)
        conflict = judge_conflicting(old, new, self._rules)
        likeness = judge_readings(old, new, near=self._near, same=self._same)
        return _Met(at, found.located, -1, likeness, conflict)

    def with_each_other(self) -> Iterator[_Met]:
        """What of the batch is like an earlier one of it."""
        located = [each.located for each in self._entries]
        found = [
            _Met(new, located[old], old, likeness, None)
            for old, new, likeness in near_duplicates(self._facts, near=self._near, same=self._same)
        ]
        found += [
            _Met(new, located[old], old, None, conflict)
            for old, new, conflict in conflicts(self._facts, self._rules)
        ]
        for each in found:
            if self._is_near_enough(self._entries[each.new], each.other):
                yield each

    def joins(self, met: Sequence[_Met]) -> dict[int, Join]:
        """What becomes part of what: the likest, known before or of the batch and left itself."""
        over = {
            (each.new, each.other.place)
            for each in met
            if each.conflict and each.conflict.supersedes
        }
        found = dict[int, Join]()
        ordered = sorted(
            met,
            key=lambda each: (each.new, -(each.likeness.score if each.likeness else 0.0), each.at),
        )
        for new, other, at, likeness, _ in ordered:
            if (
                likeness is None
                or likeness.verdict is Verdict.DIFFERENT
                or (new, other.place) in over
            ):
                continue
            if not _are_alike(self._entries[new].located.entry.text, other.entry.text):
                continue
            is_left = at < 0 or at not in found
            if new not in found and is_left and self._can_join(new, other, at):
                found[new] = Join(new, other, likeness)
        return found

    def _can_join(self, new: int, other: LocatedEntry, at: int) -> bool:
        """A line of a day that is none of the batch is left as it is."""
        layers = self._config.layers
        is_day = is_in(inner_path(other.path, layers), layers.daily)
        return (at >= 0 or not is_day) and can_join(self._entries[new].located, other)

    def _is_reviewed(self, new: LocatedEntry) -> bool:
        """Whether an entry supersedes nothing by itself: one of a model never does."""
        origin = new.entry.fields.get("origin", "")
        is_agents = origin not in PERSONS and self._config.doors.supersede == REVIEW
        return origin == MODEL or is_agents

    def contradictions(self, met: Sequence[_Met]) -> list[Contradiction]:
        """The conflicts, the older entry first; what pages and tools say supersedes nothing."""
        found = dict[tuple[int, tuple[str, int]], Contradiction]()
        for new, other, _, _, conflict in met:
            if conflict:
                old, now = other, self._entries[new].located
                if day_of_entry(old) > day_of_entry(now):
                    old, now = now, old
                is_sure = conflict.supersedes and (
                    is_trusted(now.entry.fields) or not is_trusted(old.entry.fields)
                )
                reviewed = is_sure and self._is_reviewed(now)
                clash = Contradiction(old, now, conflict.score, conflict.reasons, is_sure, reviewed)
                found.setdefault((new, other.place), clash)
        return list(found.values())


def _are_alike(one: str, other: str) -> bool:
    """Whether the words of two texts stand in one order, and in one case where it means something:
    who owes whom is said by nothing else, and one of the texts goes."""
    texts = [without_last_tags(each)[0] for each in (one, other)]
    mine, theirs = (_WORDS.findall(normal_form(each)) for each in texts)
    often = dict(Counter(mine).items() & Counter(theirs).items())
    in_order = [[word for word in each if word in often] for each in (mine, theirs)]
    return in_order[0] == in_order[1] and in_own_case(texts[0]) == in_own_case(texts[1])


def _is_referred(located: LocatedEntry, lookup: Lookup, view: Reading) -> bool:
    """Whether a link or a field names an entry."""
    id_ = located.entry.id
    by_id = lookup.linking([entry_number(id_)]) if id_ else ()
    return bool(by_id or linking_pages(located, lookup, view.context.layers))


# --- relations ---


class _Relating(NamedTuple):
    """Entries as far as relations are concerned."""

    named: SubjectPages
    config: Config

    def read(
        self, path: str, id_: str, text: str, fields: Mapping[str, str], names: Collection[str]
    ) -> Related:
        """An entry of the batch, with the names found in its text, or a known one; the links in
        the text of this one are not known."""
        all_names = (*entities_of(text, fields, self.config.memory.entity_attributes), *names)
        home = home_of(path, self.config.layers)
        return Related(id_, frozenset(map(self.named.one_of, all_names)), fields, home)


def _relations(
    cards: Sequence[EntryCard],
    entries: Sequence[Waiting],
    names: Mapping[int, tuple[str, ...]],
    new: Sequence[int],
    relating: _Relating,
) -> tuple[tuple[Tie, ...], tuple[TimeCandidate, ...]]:
    """What the entries that stay suggest, by their places in the batch."""
    if not relating.config.consolidation.discover_relations:
        return (), ()
    own = {each.key for each in entries}
    known = [card for card in cards if card.id and card.key not in own]
    known.sort(key=lambda card: (date_of_card(card), card.path, card.line_start))
    before = [relating.read(card.path, card.id, "", card.fields, ()) for card in known]
    after = [
        relating.read(path, entry.id, entry.text, entry.fields, names.get(at, ()))
        for at, (path, _, entry) in ((at, entries[at].located) for at in new)
    ]
    ties = list[Tie]()
    for found in proposals(before, after):
        at = new[found.new]
        if found.other < len(known):
            card = known[found.other]
            ties.append(Tie(at, card.path, card.id, -1, found.names))
        else:
            other = new[found.other - len(known)]
            located = entries[other].located
            ties.append(Tie(at, located.path, located.entry.id, other, found.names))
    return tuple(ties), tuple(_near_in_time(entries, new))


def _near_in_time(entries: Sequence[Waiting], new: Sequence[int]) -> Iterator[TimeCandidate]:
    new_entries = [entries[at].located.entry for at in new]
    created = [each.fields.get("created", "") for each in new_entries]
    for found in within_an_hour(created, [each.text for each in new_entries]):
        yield found._replace(new=new[found.new], other=new[found.other])
