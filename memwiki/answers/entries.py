"""Memories, as answers: entries, entities, the graph of these, how they are used; sessions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from memwiki.answers.index import CollectionCount
from memwiki.answers.lists import ListAnswer
from memwiki.answers.pages import Edited
from memwiki.nouns import Json
from memwiki.records import FrozenRecord, NamedTuple


class EntityView(NamedTuple):
    """A page or a wanted name that entries name."""

    name: str
    path: str  # "" for a name that no page has
    type: str  # of its page
    entries: int  # how many name it
    tags: tuple[str, ...]  # of its page; of a wanted name those of what names it


class EntityPair(NamedTuple):
    """Two entities that may be one; `other` is the one to keep."""

    entity: EntityView
    other: EntityView
    similarity: float  # of the names, 0..1
    verdict: str  # same, or near: for people to decide


class EntityList(ListAnswer[EntityView]):
    entities: tuple[EntityView, ...]
    total: int
    fresh: bool = True


class EntityCandidates(ListAnswer[EntityPair]):
    pairs: tuple[EntityPair, ...]
    total: int
    fresh: bool = True


class Entity(NamedTuple):
    """Something that is known, under a name of which case counts."""

    name: str
    type: str
    observations: tuple[str, ...] = ()


class Relation(NamedTuple):
    """What one entity is to another; neither has to be known."""

    source: str
    target: str
    type: str


class Observed(NamedTuple):
    """What is observed of one entity."""

    name: str
    observations: tuple[str, ...]


class Graph(NamedTuple):
    """Entities in the order in which they were made, relations by source."""

    entities: tuple[Entity, ...] = ()
    relations: tuple[Relation, ...] = ()


class EntryView(NamedTuple):
    """One memory, and how it is used."""

    id: str  # "" of a hand-written entry that nothing refers to
    key: str
    type: str
    category: str  # core, daily, conversation, or the name of another collecting page
    text: str
    tags: tuple[str, ...]
    importance: float  # 0..1, as written, else as judged
    confidence: float  # 0..1
    status: str  # active, staged or superseded, or as written
    origin: str  # user, agent, tool or web; "" when it is not said
    source: str
    namespace: str
    path: str
    section: str
    line_start: int
    line_end: int
    created: str
    updated: str
    recalls: int  # how often it was recalled
    mean_score: float  # 0..1, of its recalls
    last_recalled: str  # "" for never
    value: float  # grows with use, by memory.value_weights
    decay: float  # what age leaves of it, by memory.decay; 1 of core and where no date is known
    entities: tuple[str, ...]
    data: Json
    fields: Mapping[str, str]

    @property
    def name(self) -> str:
        """What every verb takes for it: its id, else its path and line."""
        return self.id or f"{self.path}:{self.line_start}"


class NearEntry(NamedTuple):
    """An entry that is like a text, and how much (0..1)."""

    entry: EntryView
    similarity: float
    added: str = ""  # the id of the entry that was just added


class EntryConflict(NamedTuple):
    """An entry that another one may contradict, and why."""

    entry: EntryView
    added: str  # the id of the other one, which was added or asked about
    score: float
    reasons: tuple[str, ...]
    is_due: bool = False  # what was added plainly ends it, once somebody accepts that


class EntryList(ListAnswer[EntryView]):
    entries: tuple[EntryView, ...]
    total: int
    fresh: bool = True


class SimilarEntries(ListAnswer[NearEntry]):
    entries: tuple[NearEntry, ...]
    fresh: bool = True
    notes: tuple[str, ...] = ()


class EntryVersion(NamedTuple):
    """What an entry said at a commit."""

    rev: str
    date: str  # of the commit
    text: str
    fields: Mapping[str, str]


class EntryHistory(FrozenRecord):
    """An entry, those that it superseded one after the other, those that superseded it, and its
    versions in git, newest first."""

    entry: EntryView
    superseded: tuple[EntryView, ...]
    superseded_by: tuple[EntryView, ...]
    versions: tuple[EntryVersion, ...]
    notes: tuple[str, ...] = ()

    def __iter__(self) -> Iterator[EntryVersion]:
        return iter(self.versions)


class UsageRow(NamedTuple):
    """How often an entry, a page or an entity was recalled, how well, and when last."""

    kind: str  # entry, page or entity
    name: str  # id (or the hash of the text of an entry without one), path, or folded name
    recalls: int
    mean_score: float
    last_recalled: str  # "" for never


class UsageList(ListAnswer[UsageRow]):
    """What was recalled most, or what a query recalled, the best first."""

    usage: tuple[UsageRow, ...]
    total: int
    fresh: bool = True


class TrailRow(NamedTuple):
    """What one question recalled."""

    at: str
    query: str
    recalled: tuple[str, ...]  # ids, paths and names as in a `UsageRow`, the best first


class TrailList(ListAnswer[TrailRow]):
    """Which questions led to what, the newest first."""

    trails: tuple[TrailRow, ...]
    total: int
    fresh: bool = True


class TrendPeriod(NamedTuple):
    """How much of what is there was made in a week, month or year, and how often it was recalled
    then; `start` is its first day."""

    start: str
    pages: int
    memories: int
    recalls: int


class Trend(NamedTuple):
    """How the memory grew, and of what kinds it is; the commonest first."""

    unit: str  # week, month or year
    periods: tuple[TrendPeriod, ...]  # the oldest first
    earlier_pages: int  # than the first period
    earlier_memories: int
    pages_by_file_time: int  # of those that are counted: they say no date
    undated_memories: int  # which are in no period
    recalls_since: str  # the day from which on all are known, "" for always
    page_types: Mapping[str, int]
    memory_types: Mapping[str, int]
    tags: Mapping[str, int]  # with the pages of each
    fresh: bool = True


class Metrics(FrozenRecord):
    """What memories there are, and how recall does; None where there is nothing to tell it by."""

    memories: Mapping[str, int]  # by type, the commonest first
    average_importance: float | None
    never_recalled: float | None  # the share of the memories
    recalls: int  # of the last 1,000, those that tell how long they took
    p50_ms: float | None
    p99_ms: float | None
    cache_hit_rate: float | None
    fresh: bool = True


class UpkeepStep(NamedTuple):
    """What becomes of one entry or page, and why."""

    verb: str  # merged, promoted, staged, related, linked, superseded, retired, moved, wrote ...
    path: str
    line: int  # 0 of a whole page
    id: str  # "" of an entry without one
    text: str  # its first words
    to: str  # the page or entry that it is in or tied to now
    reason: str


class UpkeepReport(ListAnswer[UpkeepStep]):
    """What one upkeep did, or with `edited.dry_run` would do."""

    steps: tuple[UpkeepStep, ...]
    collections: tuple[CollectionCount, ...]
    edited: Edited


class ArchivedItem(NamedTuple):
    """A retired entry or conversation."""

    id: str  # "" of a conversation
    path: str  # in the archive
    line: int  # 0 of a conversation
    type: str
    retired: str  # the month of an entry, "" of a conversation
    was: str  # the page and headings, or the path, where it was
    text: str  # its first words, or the name of the file


class ArchiveList(ListAnswer[ArchivedItem]):
    """What is in the archive, and how much there is in all."""

    items: tuple[ArchivedItem, ...]
    total: int
    fresh: bool = True

    def __len__(self) -> int:
        return len(self.items)


class CompressionGroup(NamedTuple):
    """Entries of one type that hardly anybody recalls."""

    type: str
    entries: tuple[EntryView, ...]


class CompressionGroups(ListAnswer[CompressionGroup]):
    """What a few summaries could stand for; nothing of it is changed by itself."""

    groups: tuple[CompressionGroup, ...]

    @property
    def total(self) -> int:
        """How many entries there are in all groups."""
        return sum(len(group.entries) for group in self.groups)


class MessageView(NamedTuple):
    """One message, and where it stands."""

    id: str  # "" of one that was written by hand without
    role: str
    name: str
    time: str
    text: str
    path: str
    line_start: int
    line_end: int


class SessionView(FrozenRecord):
    """A session with the messages that are in it."""

    id: str
    path: str
    started: str
    ended: str
    participants: tuple[str, ...]
    summary: str
    messages: tuple[MessageView, ...]

    def __iter__(self) -> Iterator[MessageView]:
        return iter(self.messages)


class AddedMessage(NamedTuple):
    """A message that was added, and what the person should know."""

    message: MessageView
    daily: str = ""  # the id of the entry that was added to today's page
    notes: tuple[str, ...] = ()


class SessionRow(NamedTuple):
    """One session of a list."""

    id: str
    path: str
    title: str
    started: str
    updated: str


class SessionList(ListAnswer[SessionRow]):
    """Sessions, the last changed first."""

    sessions: tuple[SessionRow, ...]
    total: int
    fresh: bool = True


class ImportedSession(NamedTuple):
    """What became of one conversation."""

    id: str
    path: str
    added: int
    known: int  # messages that were there already


class SessionImport(NamedTuple):
    """What an import added."""

    sessions: tuple[ImportedSession, ...]
    edited: Edited
