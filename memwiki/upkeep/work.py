"""A run of upkeep: what each step knows, the pages it changes, and all of it as one change."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain, starmap
from math import inf
from typing import NamedTuple, TypeAlias

from memwiki.answers.entries import EntryView, UpkeepReport, UpkeepStep
from memwiki.answers.index import CollectionCount, UpkeepRun
from memwiki.change.plan import Plan
from memwiki.clock import iso_of
from memwiki.commit.carry_out import carry_out
from memwiki.config import Config
from memwiki.config.schema import MemoryConfig, RetentionConfig
from memwiki.dates import date_in, iso_date
from memwiki.errors import MemwikiError
from memwiki.facts.value import (
    CONVERSATION,
    DAILY,
    age_days,
    days_since,
    mean_score,
    usage_table,
    value_of,
)
from memwiki.files.read import current_bytes, exists, read
from memwiki.files.usage_log import PAGE, Subject, Sum
from memwiki.index.cards.entries import EntryCard, EntryCards
from memwiki.markdown.describe import inner_path, is_in, is_kept, shorten
from memwiki.markdown.fields import first_text
from memwiki.markdown.frontmatter import load
from memwiki.markdown.source import decode
from memwiki.markdown.units import entries_of
from memwiki.memory.known_facts import free_ids
from memwiki.memory.page_edits import PageEdits, left_note
from memwiki.memory.plans import pages_naming
from memwiki.memory.view import LocatedEntry, Views
from memwiki.names import fold, stem_of
from memwiki.nouns import Layers
from memwiki.numbers import counted
from memwiki.sync.context import Context
from memwiki.sync.live import LiveIndex
from memwiki.sync.reading import Reading, used_reading
from memwiki.text import pattern
from memwiki.upkeep.relating import is_summary
from memwiki.upkeep.runs import note_run

NONE, TTL, CAPACITY, RECALL, HYBRID = "none", "ttl", "capacity", "recall", "hybrid"
SHARE = 10  # of so many members, one may leave a run


class CollectionMember(NamedTuple):
    """An entry or a conversation, as far as it matters to whether it stays."""

    path: str  # with the line what decides between equals
    line: int = 0
    age_days: float = inf  # endless where nobody dates it
    value: float = 0.0
    is_over: bool = False  # superseded: it counts for nothing and may always go
    is_core: bool = False  # such a one only goes when it is over
    page: str = ""  # what is capped apart: memory.md and learnings.md

    @property
    def place(self) -> tuple[str, int]:
        """Where it is, which names it."""
        return self.path, self.line


class RetentionRule(NamedTuple):
    """What a collection is kept by."""

    policy: str = NONE
    ttl_days: float = inf
    max_items: float = inf
    then: str = RECALL
    floor: int = 0

    @property
    def is_on(self) -> bool:
        """Whether anything can retire by it."""
        by_age = self.policy in (TTL, HYBRID) and self.ttl_days < inf
        return by_age or (self.policy in (CAPACITY, RECALL, HYBRID) and self.max_items < inf)


class Retirement(NamedTuple):
    """A member that retires, and why."""

    member: CollectionMember
    reason: str


def rule_of(collection: str, config: Config) -> RetentionRule:
    """What the settings say of a collection; a preset only of those they say nothing of."""
    settings = {fold(name): each for name, each in config.retention.items()}
    own = settings.get(fold(collection))
    floor = _floor(collection, own, config.memory)
    if own is None:
        days = _hygiene(collection, config.memory)
        return RetentionRule(floor=floor) if days is None else RetentionRule(TTL, days, floor=floor)
    ttl = inf if own.ttl_days is None else own.ttl_days
    most = inf if own.max_items is None else own.max_items
    return RetentionRule(own.policy, ttl, most, own.then, floor)


def _floor(collection: str, own: RetentionConfig | None, memory: MemoryConfig) -> int:
    usual = {
        DAILY: memory.daily_retention_floor,
        CONVERSATION: memory.conversation_retention_floor,
    }.get(collection, 0)
    floor = usual if own is None or own.floor is None else own.floor
    return max(floor, memory.min_retention_floor)


def _hygiene(collection: str, memory: MemoryConfig) -> float | None:
    if not memory.has_hygiene:
        return None
    days = {
        DAILY: memory.daily_retention_days,
        CONVERSATION: memory.conversation_retention_days,
    }
    return days.get(collection)


def leaving(members: Sequence[CollectionMember], rule: RetentionRule) -> list[Retirement]:
    """Who retires in one run, who goes first first: of memory.md, of learnings.md and of the rest a
    tenth at most (at least one), and no more of those that count than the floor lets go."""
    counts = Counter(each.page for each in members)
    room = {page: max(1, count // SHARE) for page, count in counts.items()}
    spare = sum(not each.is_over for each in members) - rule.floor
    found = list[Retirement]()
    for each in _wanted_retirements(members, rule):
        member = each.member
        if room[member.page] and (member.is_over or spare > 0):
            room[member.page] -= 1
            spare -= not member.is_over
            found.append(each)
    return found


def _wanted_retirements(
    members: Sequence[CollectionMember], rule: RetentionRule
) -> Iterator[Retirement]:
    """Whom the policy lets go, were there neither floor nor cap."""
    candidates = [each for each in members if each.is_over or not each.is_core]
    expired = list[CollectionMember]()
    if rule.policy in (TTL, HYBRID):
        expired = [each for each in candidates if rule.ttl_days <= each.age_days < inf]
        for each in sorted(expired, key=_oldest_first):
            yield Retirement(each, f"{each.age_days:g} days old")
    if rule.policy not in (CAPACITY, RECALL, HYBRID):
        return
    places = {each.place for each in expired}
    left = [each for each in members if each.place not in places]
    by = rule.then if rule.policy == HYBRID else rule.policy
    yield from _beyond(left, rule.max_items, by)


def _beyond(members: Sequence[CollectionMember], most: float, by: str) -> Iterator[Retirement]:
    """Those over a number: superseded ones until no more than so many are left, then those that
    count, of which so many stay whatever is superseded."""
    order, what = (_oldest_first, "oldest") if by == CAPACITY else (_least_first, "of lowest value")
    over = [each for each in members if each.is_over]
    counting = [each for each in members if not each.is_over]
    for each in sorted(over, key=order)[: _excess(len(members), most)]:
        yield Retirement(each, "superseded, over the number kept")
    free = [each for each in counting if not each.is_core]
    for each in sorted(free, key=order)[: _excess(len(counting), most)]:
        yield Retirement(each, f"{what}, over the number kept")


def _excess(count: int, most: float) -> int:
    return max(0, count - int(min(most, count)))


def _oldest_first(member: CollectionMember) -> tuple[float, str, int]:
    """Who has no date is kept longest."""
    return (inf if member.age_days == inf else -member.age_days), *member.place


def _least_first(member: CollectionMember) -> tuple[float, float, str, int]:
    return member.value, *_oldest_first(member)


WhyLeft: TypeAlias = Callable[[str], str]  # why a file is left as it is; "" when it may be changed
_MAX_SHOWN = 60  # characters of a text
_MESSAGE = pattern(rb"^### (\d{4}-\d\d-\d\d)", re.MULTILINE)
_MAX_HEAD_BYTES = 65_536  # more than front matter has
_DATES = ("ended", "updated", "started", "created")


def may_change_all(_path: str) -> str:
    """For whoever may change every file."""
    return ""


class StepKey(NamedTuple):
    """What a step is, whenever it is looked for: what it does to which words."""

    verb: str
    path: str
    id: str = ""  # of an entry that has one
    text: str = ""  # of the entry
    other: str = ""  # the words or the id of the entry that it becomes part of, or is tied to
    other_page: str = ""


Wants: TypeAlias = Callable[[StepKey, LocatedEntry | None], bool]  # whether a step is taken


def wants_all(_key: StepKey, _entry: LocatedEntry | None) -> bool:
    """For a run that takes every step."""
    return True


class UpkeepWork(NamedTuple):
    """What holds for one upkeep, gathered before the lock is taken."""

    config: Config
    now_ns: int
    paths: Sequence[str]  # of the pages with entries that are seen, archive aside
    views: Views
    ids: Sequence[str] = ()  # that no entry of the index bears
    conversations: Sequence[CollectionMember] = ()
    links: Mapping[str, Sequence[str]] = {}  # pages that name an entry by its page, by its id
    has_summaries: bool = False  # whether an entry names others as its sources
    wants: Wants = wants_all
    is_reviewed: bool = False  # a person looks at each step

    def takes(self, verb: str, entry: LocatedEntry, other: str = "", other_page: str = "") -> bool:
        """Whether a step with an entry is taken."""
        path, _, known = entry
        return self.wants(StepKey(verb, path, known.id, known.text, other, other_page), entry)

    def takes_file(self, verb: str, path: str, what: str = "") -> bool:
        """Whether a step with a whole file is taken."""
        return self.wants(StepKey(verb, path, text=what), None)


class StoredEntry(NamedTuple):
    """An entry as its page has it now, and what follows from that."""

    located: LocatedEntry
    view: EntryView


class Done(NamedTuple):
    """What a step of upkeep did."""

    steps: tuple[UpkeepStep, ...] = ()
    notes: tuple[str, ...] = ()
    collections: tuple[CollectionCount, ...] = ()


def all_done(parts: Iterable[Done]) -> Done:
    """What several steps did, as one."""
    return Done(*(tuple(chain.from_iterable(each)) for each in zip(*parts, strict=True)))


def home_of(path: str, layers: Layers) -> str:
    """The folder of the namespace that a page is in, with a slash at its end; "" for none."""
    return path.removesuffix(inner_path(path, layers))


def stored_entries(
    work: UpkeepWork, pages: PageEdits, paths: Sequence[str]
) -> Iterator[StoredEntry]:
    """The entries of some pages; a page that cannot be read or changed has none."""
    for path in paths:
        try:
            pages.require_changeable(path)
            page = pages.page(path)
        except MemwikiError:
            continue
        for entry in entries_of(page).entries:
            located = LocatedEntry(path, page.type, entry)
            yield StoredEntry(located, work.views.of(located))


def step_of(verb: str, located: LocatedEntry, to: str, reason: str) -> UpkeepStep:
    """What becomes of an entry."""
    path, _, entry = located
    text = shorten(" ".join(entry.text.split()), _MAX_SHOWN)
    return UpkeepStep(verb, path, entry.line_start, entry.id, text, to, reason)


def conversations(view: Reading, used: Callable[[Subject], Sum]) -> Iterator[CollectionMember]:
    """The files below the folder of sessions; none where all are kept anyway."""
    context = view.context
    folder = context.layers.sessions
    is_asked = bool(folder) and rule_of(CONVERSATION, context.config).is_on
    for path in view.lookup.all_paths() if is_asked else ():
        if not (view.scope.sees(path) and is_in(inner_path(path, context.layers), folder)):
            continue
        day = day_of_session(path, context)
        if day is not None:
            usage, now = used(Subject(PAGE, path)), context.clock()
            days, weights = days_since(usage, day, "", now), context.config.memory.value_weights
            value = round(value_of(usage.recalls, mean_score(usage), days, weights), 4)
            yield CollectionMember(path, age_days=age_days(day, "", now), value=value)


def day_of_session(path: str, context: Context) -> str | None:
    """The last day that a conversation says of itself, "" when it says none; None where it cannot
    be read."""
    try:
        data = read(context.root, path, context.max_bytes)
    except MemwikiError:
        return None
    head = decode(path, data[:_MAX_HEAD_BYTES]).text.replace("\r\n", "\n").split("\n")
    fields = load(path, head).front_matter.fields
    dates = [iso_date(first_text(fields.get(name, "")))[:10] for name in _DATES]
    dates += [iso_date(day.decode()) for day in _MESSAGE.findall(data)[-1:]]
    return max([*dates, date_in(stem_of(path))])


_ENTRIES, _FILES = ("entry", "entries"), ("file", "files")
_NOUNS = dict.fromkeys(("fixed", "wrote", "purged"), _FILES)
Part = Callable[[UpkeepWork, PageEdits], Done]  # one step of upkeep, on top of the earlier ones


def execute_noted(
    live: LiveIndex,
    op: str,
    parts: Callable[[], Sequence[Part]],
    *,
    dry_run: bool,
    why_left: WhyLeft = may_change_all,
) -> UpkeepReport:
    """Do some steps, and keep what the run did or why it failed."""
    context = live.context

    def note(did: str, error: str = "", report: UpkeepReport | None = None) -> None:
        if not dry_run:
            counts = report.collections if report else ()
            note_run(context.root, UpkeepRun(op, iso_of(context.clock()), did, error, counts))

    try:
        report = execute(live, op, parts(), dry_run=dry_run, why_left=why_left)
    except MemwikiError as error:
        note("", error.message)
        raise
    note(report.edited.title, report=report)
    return report


def execute(
    live: LiveIndex,
    op: str,
    parts: Sequence[Part],
    *,
    dry_run: bool,
    why_left: WhyLeft = may_change_all,
) -> UpkeepReport:
    """Do some steps as one change; where they reach a file that stays as it is, again without
    those."""
    work = work_of(live)
    done: list[Done] = []
    left: dict[str, str] = {}

    def make() -> Plan:
        while True:
            pages = pages_now(live, left)
            done[:] = [part(work, pages) for part in parts]
            plan = _plan(op, pages, done)
            reached = {path: why_left(path) for path in plan.paths if path not in left}
            if not any(reached.values()):
                return plan
            left.update((path, reason) for path, reason in reached.items() if reason)

    edited = carry_out(live, make, dry_run=dry_run)
    steps, notes, collections = all_done(done)
    notes = tuple(dict.fromkeys([*starmap(left_note, left.items()), *notes]))
    return UpkeepReport(steps, collections, edited._replace(notes=(*notes, *edited.notes)))


def work_of(live: LiveIndex) -> UpkeepWork:
    """What all steps know; usage as of now, as the index is not opened under the lock."""
    context = live.context
    with used_reading(live) as view:
        used = dict(usage_table(view.stores, context).all())
        known = EntryCards(view.stores.cards.db)
        cards = list(known.all())
        ids = _ids(known, cards)
        sessions = tuple(conversations(view, lambda subject: used.get(subject, Sum())))
        paths = dict.fromkeys(card.path for card in cards)
        kept = [path for path in paths if view.scope.sees(path)]
        links = links_to(kept, view)
    views = Views(context.config, context.clock(), lambda subject: used.get(subject, Sum()))
    has_summaries = any(is_summary(card.fields) for card in cards)
    return UpkeepWork(
        context.config, context.clock(), kept, views, ids, sessions, links, has_summaries
    )


def links_to(paths: Sequence[str], view: Reading) -> Mapping[str, Sequence[str]]:
    """The pages that name entries of some pages; sources and what retired stay as they are."""
    layers = view.context.layers
    found = pages_naming(paths, view.lookup, layers)
    return {
        id_: [each for each in sources if not is_kept(each, layers)]
        for id_, sources in found.items()
    }


def pages_now(live: LiveIndex, left: Mapping[str, str] = {}) -> PageEdits:
    """The pages as they are now, of which some stay so."""
    context = live.context
    read = partial(current_bytes, context.root)
    is_there = partial(exists, context.root)
    return PageEdits(read, context.layers, context.today, context.max_bytes, left, is_there)


def _ids(known: EntryCards, cards: Sequence[EntryCard]) -> tuple[str, ...]:
    """Ids for those that may retire without one: no run lets go more than a tenth of all, or one
    of each page."""
    without = sum(not card.id for card in cards)
    pages = len({card.path for card in cards})
    return free_ids(known, min(without, len(cards) // SHARE + pages))


def _plan(op: str, pages: PageEdits, done: Sequence[Done]) -> Plan:
    """One change, whose title counts the steps."""
    counts = Counter(step.verb for step in all_done(done).steps)
    edits = tuple(pages.edits())
    parts = (
        f"{verb} {counted(count, *_NOUNS.get(verb, _ENTRIES))}" for verb, count in counts.items()
    )
    return Plan(edits, ", ".join(parts) if edits else "nothing to do", op)
