"""What a watcher did, and what is known of it, as answers."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple


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
