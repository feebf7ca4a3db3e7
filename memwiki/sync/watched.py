"""What a watcher, of this process or of another one, knows of files and index."""

from __future__ import annotations

from contextlib import AbstractContextManager
from time import monotonic, sleep
from typing import TYPE_CHECKING, Protocol

from memwiki.clock import iso_of
from memwiki.errors import MemwikiError
from memwiki.index.cache_files import Cookies, Heartbeat
from memwiki.index.cache_folder import CacheFolder
from memwiki.index.damage import SqlError
from memwiki.index.stores import Stores
from memwiki.sync.context import Context

if TYPE_CHECKING:
    from memwiki.answers.index import WatcherInfo

MAX_SILENCE_S = 15  # of a watcher; after it nothing that it said counts
_MAX_WAIT_S, _LOOK_S = (
    0.3,
    0.005,
)  # for a watcher: an edit is in the index after a tenth of a second


class WatchedIndex(Protocol):
    """An index that somebody may keep up to date."""

    context: Context

    @property
    def cache_folder(self) -> CacheFolder | None:
        """Where it lies."""

    @property
    def build_name(self) -> str:
        """Its live build."""

    def opened(self) -> AbstractContextManager[Stores]:
        """That build, for one answer."""


def known_until(live: WatchedIndex) -> int:
    """Up to when, in nanoseconds, a watcher knows that the index holds what the files say; 0 where
    none does."""
    folder = live.cache_folder
    beat = Heartbeat(folder.whole).last() if folder else None
    if folder is None or beat is None or live.build_name not in beat.builds:
        return 0
    is_recent = 0 <= live.context.clock() - beat.known < MAX_SILENCE_S * 10**9
    is_told = is_recent and Heartbeat(folder.whole).has_watcher()
    return beat.known if is_told and _are_synced(live) else 0


def watcher_of(live: WatchedIndex) -> WatcherInfo:
    """What is known of the watcher of a workspace, in this or another process."""
    from memwiki.answers.index import WatcherInfo, WatcherState

    place = live.cache_folder
    beat = Heartbeat(place.whole).last() if place else None
    if place is None or beat is None:
        return WatcherInfo()
    age = round(max(live.context.clock() - beat.at, 0) / 1e9, 1)
    state, reason = WatcherState(beat.state), beat.reason
    if not Heartbeat(place.whole).has_watcher():
        state, reason = WatcherState.DEAD, "it was killed; memwiki watch starts another"
    elif age > MAX_SILENCE_S:
        state, reason = WatcherState.BLOCKED, f"not responding for {age:.0f} seconds"
    scanned = iso_of(beat.last_scan) if beat.last_scan else ""
    return WatcherInfo(state, beat.pid, iso_of(beat.since), age, scanned, reason)


def is_known_now(live: WatchedIndex, *, is_waiting: bool = True) -> bool:
    """Whether a watcher has heard of all that changed before this call, and the index holds it.

    A file of ours among those that it listens to comes after all of that, as Watchman's cookies
    do. What it has just heard of it may take in meanwhile, which takes less than a walk.
    """
    folder = live.cache_folder
    if folder is None or not (known_until(live) or (is_waiting and _is_in_doubt(folder))):
        return False
    if not Cookies(folder.whole).are_answered():
        return False
    if known_until(live):
        return True
    until = monotonic() + _MAX_WAIT_S
    while is_waiting and _is_in_doubt(folder) and monotonic() < until:
        sleep(_LOOK_S)
    return known_until(live) > 0


def _is_in_doubt(folder: CacheFolder) -> bool:
    """Whether a watcher that had all in the index has heard of something, and looks at it."""
    from memwiki.answers.index import WatcherState

    beat = Heartbeat(folder.whole).last()
    if beat is None or beat.known or not beat.last_scan:
        return False
    return beat.state == WatcherState.WATCHING and Heartbeat(folder.whole).has_watcher()


def _are_synced(live: WatchedIndex) -> bool:
    """Whether nobody is between two of the stores now."""
    try:
        with live.opened() as stores:
            return stores.are_synced()
    except (MemwikiError, OSError, SqlError):
        return False  # whoever reads it meets the same
