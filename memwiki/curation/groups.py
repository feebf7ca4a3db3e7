"""Entries that a model is asked about together: alike, opposed, weak, related, long unused; and
those that were added, each with what is near it: they are written by then, and stay whatever comes
of it."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from functools import cached_property
from math import inf
from typing import NamedTuple, TypeAlias

from memwiki.answers.curation import AddReport, Brief, OutgoingRequest, ProposalRow
from memwiki.answers.entries import EntryView, NearEntry
from memwiki.commit.entry_edits import found_entry
from memwiki.config import Config
from memwiki.curation.jobs import NEAR
from memwiki.curation.running import brief_of, preview
from memwiki.curation.tidying import TEN, THREE
from memwiki.curation.work import JobWork, Task, entry_source
from memwiki.dates import date_in
from memwiki.errors import MemwikiError, ModelError, NotFoundError
from memwiki.facts.value import CONVERSATION, CORE, DAILY, age_days
from memwiki.index.cards.entries import EntryCards
from memwiki.judgement.near_pairs import conflicts, likely_near, meeting_of
from memwiki.judgement.similarity import Fact, ReadFact, Verdict, judge_readings, read
from memwiki.markdown.describe import is_kept
from memwiki.markdown.fields import is_private
from memwiki.memory.addresses import PageOutlines
from memwiki.memory.entities import (
    NamedPage,
    alike_pairs,
    entities_in,
    naming_of,
    pages_by_name,
)
from memwiki.memory.known_facts import fact_of, rules_of
from memwiki.memory.view import LocatedEntry, entry_name, views_of
from memwiki.models.opening import ModelRun
from memwiki.models.outgoing import OutgoingFiles
from memwiki.names import fold, stem_of
from memwiki.nouns import Environ
from memwiki.proposals.review import row_of
from memwiki.sync.embedding import VectorIndex
from memwiki.sync.live import LiveIndex
from memwiki.sync.reading import used_reading
from memwiki.upkeep.relating import Related, ids_in, proposals, within_an_hour

ALIKE = 0.4  # share of the words of both; a model judges what is below `memory.near_threshold`
ALIKE_IN_MEANING = 0.75  # of a cosine; of 300 facts that say different things no pair is so near
_MAX_ALIKE = 5  # entries of a group
_LIKEST = 4  # others that each is shown with, whatever is like them
_CONTAINED = 0.8  # share of the shorter one's words, where one has a name more
_MONTH, _QUARTER = 30, 90  # days
_WEAK_IMPORTANCE = 0.5
_FEW_RECALLS = 5


class CuratedEntry(NamedTuple):
    """An entry as it is written, and what follows from that."""

    located: LocatedEntry
    view: EntryView
    key: bytes  # of its unit


EntryGroup: TypeAlias = tuple[CuratedEntry, ...]


def curated_entries(live: LiveIndex, files: OutgoingFiles) -> list[CuratedEntry]:
    """The entries in force that may be shown and changed, the oldest first; `live` is the public
    view."""
    context = live.context
    scope, layers = context.scope(), context.layers
    pages = PageOutlines(context)
    with used_reading(live) as view:
        views, cards = views_of(context, view.stores), EntryCards(view.stores.cards.db)
        paths = {
            path
            for path in {card.path for card in cards.all()}
            if scope.owns(path)
            and not is_kept(path, layers)
            and not context.why_left_alone(path)
            and not files.why_kept(path)
        }
        read_now = [
            CuratedEntry(found, views.of(found), card.key)
            for card in cards.all()
            if card.path in paths and (found := pages.of(card))
        ]
    return sorted((each for each in read_now if each.view.status == "active"), key=_age)


def _age(entry: CuratedEntry) -> tuple[str, str, int]:
    view = entry.view
    return day_of(view), view.path, view.line_start


def day_of(view: EntryView) -> str:
    """The day of an entry, by itself or the name of its page; "" for none."""
    return (view.created or date_in(stem_of(view.path)))[:10]


def _lasting(entries: Iterable[CuratedEntry]) -> list[CuratedEntry]:
    """Those that are no lines of a day, which repeat themselves and are left as they are."""
    return [each for each in entries if each.view.category not in (DAILY, CONVERSATION)]


# --- doubles, conflicts ---


def alike(
    entries: Sequence[CuratedEntry], config: Config, vectors: VectorIndex | None = None
) -> Iterator[EntryGroup]:
    """Groups of up to five that share most of their words, or mean nearly the same by what is
    embedded, the likest first."""
    entries = _lasting(entries)
    facts = [_fact(each, config) for each in entries]
    readings = [*map(read, facts)]
    pairs = dict[tuple[int, int], float]()
    for cosine, old, new in (
        vectors.pairs([e.key for e in entries], ALIKE_IN_MEANING) if vectors else ()
    ):
        if not judge_readings(readings[old], readings[new], near=0, same=1).reason:
            pairs[old, new] = cosine
    for old, new in likely_near([*map(meeting_of, facts)], ALIKE):
        if score := _likeness(readings[old], readings[new]):
            pairs[old, new] = max(score, pairs.get((old, new), 0))
    for group in _grouped((-score, *pair) for pair, score in pairs.items()):
        yield tuple(entries[at] for at in sorted(group))


def _grouped(pairs: Iterable[tuple[float, int, int]]) -> Iterable[frozenset[int]]:
    """The pairs together, the likest first; of what is like a crowd its likest ones, by two."""
    of, apart, met = dict[int, frozenset[int]](), list[frozenset[int]](), Counter[int]()
    for _, old, new in sorted(pairs):
        both = of.get(old, frozenset([old])) | of.get(new, frozenset([new]))
        if len(both) <= _MAX_ALIKE:
            of |= dict.fromkeys(both, both)
        elif min(met[old], met[new]) < _LIKEST:
            apart.append(frozenset((old, new)))
        met.update((old, new))
    return dict.fromkeys((*of.values(), *apart))


def _fact(entry: CuratedEntry, config: Config) -> Fact:
    return fact_of(entry.located.entry, config.memory.entity_attributes)


def _likeness(old: ReadFact, new: ReadFact) -> float:
    """How alike two are; 0 where they differ in what no likeness makes up for."""
    found = judge_readings(old, new, near=ALIKE, same=1)
    shorter = min(len(old.words), len(new.words)) or 1
    is_more = found.reason == "name" and len(old.words & new.words) >= _CONTAINED * shorter
    return found.score if found.verdict is not Verdict.DIFFERENT or is_more else 0.0


def opposed_pairs(entries: Sequence[CuratedEntry], config: Config) -> Iterator[EntryGroup]:
    """Pairs that may contradict each other, the surest first."""
    entries = _lasting(entries)
    facts = [_fact(each, config) for each in entries]
    found = sorted(conflicts(facts, rules_of(config.memory)), key=lambda e: -e.conflict.score)
    for old, new, _ in found:
        yield entries[old], entries[new]


# --- weak ---


def weak(entries: Sequence[CuratedEntry], now_ns: int) -> Iterator[EntryGroup]:
    """Entries of little importance that nobody recalled for a month, the least valuable first."""
    found = [each for each in _lasting(entries) if _is_weak(each.view, now_ns)]
    yield from ((each,) for each in sorted(found, key=lambda e: (e.view.value, _age(e))))


def _is_weak(view: EntryView, now_ns: int) -> bool:
    is_old = _MONTH <= age_days(view.created, view.path, now_ns) < inf
    return is_old and not view.recalls and view.importance < _WEAK_IMPORTANCE


# --- relations ---


def related_pairs(entries: Sequence[CuratedEntry]) -> Iterator[EntryGroup]:
    """Pairs that share an entity or the hour in which they were written and that no relation ties
    yet, the newest first."""
    entries = _lasting(entries)
    views = [each.view for each in entries]
    named = [Related(e.id, _names_of(e), e.fields, "") for e in views]
    pairs = {(each.new, each.other) for each in proposals((), named)}
    times, texts = [e.created for e in views], [e.text for e in views]
    for found in within_an_hour(times, texts):
        if not _are_tied(views[found.new], views[found.other]):
            pairs.add((max(found[:2]), min(found[:2])))
    for new, old in sorted(pairs, reverse=True):
        yield entries[old], entries[new]


def _names_of(view: EntryView) -> frozenset[str]:
    return frozenset(map(fold, filter(None, (*view.entities, view.fields.get("subject", "")))))


def _are_tied(one: EntryView, other: EntryView) -> bool:
    pairs = (one, other), (other, one)
    return any(a.id in ids_in(value) for a, b in pairs if a.id for value in b.fields.values())


# --- names of one ---


class NameInUse(NamedTuple):
    """What entries name, and what the first of them says."""

    name: str
    type: str  # of its page
    has_page: bool
    text: str


NamePair: TypeAlias = tuple[NameInUse, NameInUse]


def namesakes(
    live: LiveIndex, entries: Sequence[CuratedEntry], files: OutgoingFiles
) -> Iterator[NamePair]:
    """Pairs of entities that may be one, the likest first, the one to keep behind; those that both
    have a page aside, which are joined by hand."""
    config = live.context.config
    texts = {(e.view.path, e.view.line_start): e.view.text for e in entries}
    attributes = config.memory.entity_attributes
    namings = [
        naming_of(e.view.path, e.view.line_start, e.view.fields, attributes) for e in entries
    ]
    with used_reading(live) as view:
        find = pages_by_name(view.lookup, view.scope)

        def page_of(name: str) -> NamedPage | None:
            page = find(name)
            return page if page and not files.why_kept(page.path) else None

        found = list(alike_pairs(entities_in(namings, page_of), config.entities))
    for pair in found:
        both = pair.entity, pair.other
        if not (pair.entity.page and pair.other.page):
            one, other = (
                NameInUse(e.name, e.judged.type, bool(e.page), texts[e.first]) for e in both
            )
            yield one, other


# --- what hardly anybody recalls ---


def unused_groups(entries: Sequence[CuratedEntry], now_ns: int) -> Iterator[EntryGroup]:
    """Of each page's memories outside of core that were recalled under five times, those of one
    type in tens after 30 days, and what is left in threes after 90; the oldest first."""
    by_kind = defaultdict[tuple[str, str], list[CuratedEntry]](list)
    for each in entries:
        view, age = each.view, age_days(each.view.created, each.view.path, now_ns)
        if _MONTH <= age < inf and view.recalls < _FEW_RECALLS and view.category != CORE:
            by_kind[view.category, view.type].append(each)
    for found in by_kind.values():
        whole = [each for each in found if not _is_summary(each.view)]
        whole = whole[: len(whole) // TEN * TEN]
        yield from _chunks(whole, TEN)
        taken = {each.located.place for each in whole}
        old = (e for e in found if age_days(e.view.created, e.view.path, now_ns) >= _QUARTER)
        left = [each for each in old if each.located.place not in taken]
        yield from _chunks(left[: len(left) // THREE * THREE], THREE)


def _is_summary(view: EntryView) -> bool:
    """Whether it stands for several."""
    return len(ids_in(view.fields.get("supersedes", ""))) > 1


def _chunks(entries: Sequence[CuratedEntry], size: int) -> Iterator[EntryGroup]:
    for at in range(0, len(entries), size):
        yield tuple(entries[at : at + size])


def pair_work(live: LiveIndex, known: str, new: str, context_tokens: int) -> JobWork:
    """The job for an entry and one that was written after it, by their names; `live` is the public
    view. Raises NotFoundError."""
    old, added = found_entry(live, known), found_entry(live, new)
    names = tuple(entry_name(each.path, each.entry) for each in (old, added))
    source = entry_source(live, old, added.entry.text)
    return JobWork(live, NEAR, source, context_tokens, Task(entries=names))


def near_asked(
    live: LiveIndex, environ: Environ, report: AddReport, *, is_brief: bool
) -> AddReport:
    """The report with what a model proposes of each pair, or its brief, or, where nothing was
    written, with what would be sent; what could not be asked is a note."""
    asking = _NearPairs(live, environ, report)
    ask = asking.preview if report.edited.dry_run else asking.brief if is_brief else asking.ask
    for pair in report.near:
        try:
            ask(pair)
        except MemwikiError as error:
            name = pair.added if pair.added and not report.edited.dry_run else "the entry"
            asking.notes.append(f"{name}: no model was asked about what is near: {error.message}")
            if isinstance(error, ModelError):
                break  # the next one would not be answered either
    notes = tuple(dict.fromkeys((*report.edited.notes, *asking.notes)))
    return report._replace(
        edited=report.edited._replace(notes=notes),
        proposals=(*report.proposals, *asking.proposals),
        briefs=tuple(asking.briefs),
        requests=tuple(asking.requests),
    )


class _NearPairs:
    """The pairs of one report, asked about within one budget."""

    def __init__(self, live: LiveIndex, environ: Environ, report: AddReport) -> None:
        self._live, self._environ = live.public(), environ
        self._added = {each.id: each for each in report.added}
        self.proposals: list[ProposalRow] = []
        self.briefs: list[Brief] = []
        self.requests: list[OutgoingRequest] = []
        self.notes: list[str] = []

    @cached_property
    def _run(self) -> ModelRun:
        return self._live.context.model_run(self._environ)

    @property
    def _context_tokens(self) -> int:
        return self._run.models.chat.context_tokens

    def ask(self, pair: NearEntry) -> None:
        """Ask the model that is set."""
        work = pair_work(self._live, pair.entry.name, pair.added, self._context_tokens)
        with closing(self._run.chat()) as chat:
            for portion in work.waiting:
                made = work.run(portion, chat, self._run.replies)
                self.proposals.append(row_of(made))

    def brief(self, pair: NearEntry) -> None:
        """Hand it over to any other one."""
        name = pair.entry.name
        self.briefs.append(brief_of(lambda most: pair_work(self._live, name, pair.added, most)))

    def preview(self, pair: NearEntry) -> None:
        """What would be sent, if the entry were there."""
        added = self._added[pair.added]
        if is_private(added.fields):
            raise NotFoundError(f"{added.path}: the entry is private")
        old = found_entry(self._live, pair.entry.name)
        task = Task(entries=(entry_name(old.path, old.entry),))
        source = entry_source(self._live, old, added.text)
        work = JobWork(self._live, NEAR, source, self._context_tokens, task)
        self.requests += preview(work, self._run).requests
