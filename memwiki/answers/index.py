"""What a sync and a watcher did, and what state the index is in, as answers."""

from __future__ import annotations

from enum import StrEnum

from memwiki.nouns import Difference, Problem
from memwiki.records import NamedTuple


class WatcherState(StrEnum):
    NONE = "none"
    WATCHING = "watching"  # told of changes by the system
    POLLING = "polling"  # walks the folder again and again, where there are no events
    PAUSED = "paused"  # git is in the middle of something
    FAILING = "failing"  # the last sync failed; it is tried again
    BLOCKED = "blocked"  # it is there and gives no sign of life
    DEAD = "dead"  # it was killed


class WatcherInfo(NamedTuple):
    """The watcher of a workspace; `heartbeat` is the age of its last sign of life in seconds."""

    state: WatcherState = WatcherState.NONE
    pid: int = 0
    since: str = ""
    heartbeat: float | None = None
    last_scan: str = ""  # when everything was last walked and found up to date
    reason: str = ""


class WatchEventKind(StrEnum):
    STARTED = "started"
    CHANGED = "changed"
    FAILED = "failed"  # something could not be brought up to date; it is tried again
    PAUSED = "paused"
    RESUMED = "resumed"
    POLLING = "polling"  # events cannot be relied on from here on
    KEPT = "kept"  # upkeep ran; the reason says what it did
    STOPPED = "stopped"


class Rename(NamedTuple):
    """A page that went and one that came with the same bytes."""

    old: str
    new: str


class WatchEvent(NamedTuple):
    """One line of `memwiki watch`."""

    at: str
    event: WatchEventKind
    added: tuple[str, ...] = ()
    modified: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    failed: tuple[str, ...] = ()
    seconds: float = 0.0
    fresh: bool = True
    reason: str = ""
    renamed: tuple[Rename, ...] = ()  # which are among those added and removed
    workspace: str = ""  # when it starts, with its pages
    pages: int = 0


class FollowedState(NamedTuple):
    """Whether the index is up to date with the files, as who follows a workspace is told."""

    watcher: WatcherState
    fresh: bool
    pending: int | None = None  # files that differ, where they were counted
    as_of: str = ""
    reason: str = ""


class Followed(NamedTuple):
    """What became of a workspace while it was followed."""

    state: FollowedState
    changed: tuple[str, ...] = ()  # pages that came or are others now
    removed: tuple[str, ...] = ()
    complete: bool = True  # else other pages may have changed, too

    @property
    def has_changes(self) -> bool:
        """Whether any page may be another."""
        return bool(self.changed or self.removed or not self.complete)


class WatcherProcess(NamedTuple):
    """A watcher that was started in the background, or stopped."""

    workspace: str
    pid: int
    running: bool
    log: str = ""  # the file that it prints into


class Changes(NamedTuple):
    """What a sync did."""

    added: tuple[str, ...] = ()
    modified: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    failed: tuple[str, ...] = ()
    unchanged: int = 0
    ignored: int = 0
    problems: int = 0
    seconds: float = 0.0
    fresh: bool = True
    reason: str = ""
    catalogs: tuple[str, ...] = ()  # index.md files that were rewritten or removed afterwards
    notes: tuple[str, ...] = ()
    renamed: tuple[Rename, ...] = ()  # which are among those added and removed


class IndexInfo(NamedTuple):
    backend: str
    generation: int
    bytes: int
    place: str


class CollectionCount(NamedTuple):
    """How many entries or pages a collection held, and how many of them left."""

    collection: str
    held: int
    left: int


class UpkeepRun(NamedTuple):
    """What one run of upkeep did."""

    op: str  # upkeep, consolidate, retain ...
    at: str  # ISO 8601, in UTC
    did: str  # in words
    error: str = ""  # why it failed, "" when it did not
    collections: tuple[CollectionCount, ...] = ()


class UpkeepState(NamedTuple):
    """The last run of upkeep, and when the next one is due: `now`, a time, or "" where nothing
    happens by itself."""

    last: UpkeepRun | None = None
    due: str = ""


class VectorsInfo(NamedTuple):
    """The model that embeds, how many units want a vector and how many have one; not
    `is_counted` while there are pages that were not looked at yet."""

    model: str
    units: int = 0
    vectors: int = 0
    is_counted: bool = False


class Embedded(NamedTuple):
    """What a run embedded, and how many texts lack a vector still."""

    model: str
    embedded: int
    lacking: int
    seconds: float


class TriggerFailure(NamedTuple):
    """A session of which nothing could be extracted, why, and when it is tried again; "" for no
    more by itself."""

    session: str
    error: str
    hint: str
    next_at: str


class TriggerState(NamedTuple):
    """Sessions that ended and wait for their extraction."""

    waiting: int = 0
    failures: tuple[TriggerFailure, ...] = ()


class FedInfo(NamedTuple):
    """A workspace of the shared index, and how it is fed."""

    name: str
    by: str  # who fed it last
    as_of: str  # when its files were looked at last
    texts: bool  # the texts of its pages are shared, too


class Status(NamedTuple):
    """What the index holds compared with what is on disk."""

    workspace: str
    pages: int
    entries: int
    sections: int
    links: int
    tags: int
    ignored: int
    problems: int
    fresh: bool
    pending: int
    on_disk: int
    reason: str
    index: IndexInfo  # type: ignore[assignment]  # as above
    watcher: WatcherInfo = WatcherInfo()
    unparsed: tuple[str, ...] = ()  # pages that are searched as plain text
    put_away: int = 0  # of the pages: those in the archive and in namespaces
    upkeep: UpkeepState = UpkeepState()
    answering: int = 0  # the process that answers commands for all workspaces, 0 for none
    vectors: VectorsInfo | None = None  # where a model is set
    proposals: int = 0  # that wait for review; at least that many, where files are unread
    proposals_unread: int = 0  # older files
    triggers: TriggerState = TriggerState()
    shared: FedInfo | None = None  # where it is read from the shared index


class NextStep(NamedTuple):
    command: str
    why: str


class Overview(NamedTuple):
    """What `memwiki` alone says; `workspace` is "" where there is none, and the name of one that is
    `shared`."""

    workspace: str
    pages: int
    problems: int
    fresh: bool
    pending: int | None
    reason: str
    next: tuple[NextStep, ...]
    watcher: WatcherInfo = WatcherInfo()
    shared: FedInfo | None = None


class PathStatus(NamedTuple):
    """Why one file is or is not found."""

    path: str
    found: bool
    reason: str
    problems: tuple[Problem, ...] = ()


class Health(NamedTuple):
    """The answer of `doctor`; `equal` is None unless the index was compared with a rebuild."""

    healthy: bool
    notes: tuple[str, ...]
    equal: bool | None = None
    differences: tuple[Difference, ...] = ()
