"""When the files are looked at: what a watcher knows of them, so that nobody has to; and looks that
several questions share, those of one call and those of many threads."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from threading import Condition
from time import monotonic, sleep
from typing import TYPE_CHECKING, Generic, TypeVar

from memwiki.clock import iso_of
from memwiki.errors import MemwikiError
from memwiki.index.cache_files import Cookies, Heartbeat
from memwiki.index.cache_folder import CacheFolder
from memwiki.index.projection import Progress
from memwiki.index.storage_sqlite import SqlError

if TYPE_CHECKING:
    from memwiki.answers.index import WatcherInfo
    from memwiki.sync.open_index import OpenIndex


MAX_SILENCE_S = 15  # of a watcher; after it nothing that it said counts
# For a watcher: an edit is in the index after a tenth of a second.
_MAX_WAIT_S, _LOOK_S = 0.3, 0.005


def known_until(live: OpenIndex) -> int:
    """Up to when, in nanoseconds, a watcher knows that the index holds what the files say; 0 where
    none does."""
    heart = Heartbeat(live.cache_folder.whole) if live.cache_folder else None
    beat = heart.last() if heart else None
    if not (heart and beat and live.build_name in beat.builds):
        return 0
    is_recent = 0 <= live.context.clock() - beat.known < MAX_SILENCE_S * 10**9
    return beat.known if is_recent and heart.has_watcher() and _are_synced(live) else 0


def watcher_of(live: OpenIndex) -> WatcherInfo:
    """What is known of the watcher of a workspace, in this or another process."""
    from memwiki.answers.index import WatcherInfo, WatcherState

    heart = Heartbeat(live.cache_folder.whole) if live.cache_folder else None
    beat = heart.last() if heart else None
    if not (heart and beat):
        return WatcherInfo()
    age = round(max(live.context.clock() - beat.at, 0) / 1e9, 1)
    state, reason = WatcherState(beat.state), beat.reason
    if not heart.has_watcher():
        state, reason = WatcherState.DEAD, "it was killed; memwiki watch starts another"
    elif age > MAX_SILENCE_S:
        state, reason = WatcherState.BLOCKED, f"not responding for {age:.0f} seconds"
    scanned = iso_of(beat.last_scan) if beat.last_scan else ""
    return WatcherInfo(state, beat.pid, iso_of(beat.since), age, scanned, reason)


def is_known_now(live: OpenIndex, *, is_waiting: bool = True) -> bool:
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

    heart = Heartbeat(folder.whole)
    beat = heart.last()
    if beat is None or beat.known or not beat.last_scan:
        return False
    return beat.state == WatcherState.WATCHING and heart.has_watcher()


def _are_synced(live: OpenIndex) -> bool:
    """Whether nobody is between two of the stores now."""
    try:
        with live.opened() as stores:
            return stores.are_synced()
    except (MemwikiError, OSError, SqlError):
        return False  # whoever reads it meets the same


T = TypeVar("T")


class HeldSweep(Generic[T]):
    """What the first sweep of one thread's call gave, for all questions of the call."""

    def __init__(self) -> None:
        self._found: list[tuple[T, object]] = []

    def hold(self, outcome: T, version: object) -> None:
        """Keep what a sweep gave, and the version of the index that it left."""
        self._found = [(outcome, version)]

    def drop(self) -> None:
        """Forget it: something was synced since."""
        self._found = []

    def held(self) -> list[T]:
        """What is kept: one or none."""
        return [outcome for outcome, _ in self._found]

    def is_of(self, version: object) -> bool:
        """Whether the index is still what the sweep left; so it is when there was none."""
        return all(left == version for _, left in self._found)


# Who is told how far the syncs of questions are.
_TOLD: ContextVar[Progress | None] = ContextVar("told", default=None)


@contextmanager
def telling(progress: Progress | None) -> Iterator[None]:
    """Within it this is told how far a sync is that a question waits for; what it raises ends
    it."""
    before = _TOLD.set(progress or _TOLD.get())
    try:
        yield
    finally:
        _TOLD.reset(before)


def progress_listener() -> Progress | None:
    """Who is told, if anybody."""
    return _TOLD.get()


class _Round(Generic[T]):
    """One run of the work, and what became of it."""

    def __init__(self) -> None:
        self.outcomes: list[T] = []
        self.error: Exception | None = None

    @property
    def is_over(self) -> bool:
        return bool(self.outcomes) or self.error is not None

    def outcome(self) -> T:
        """What the work gave, or what it raised."""
        try:
            if self.error is not None:
                raise self.error
            return self.outcomes[0]
        finally:
            del self  # else the error holds, by its traceback, what holds it


class SharedSweep(Generic[T]):
    """Runs work for threads: who comes while it runs shares the next run with all others who do.

    The thread that does the work is one of those who wait for it. When it is interrupted, another
    one of them does it; what the work raises, all of them raise.
    """

    def __init__(self) -> None:
        self._changed = Condition()
        self._runner: object = None  # of whoever works now
        self._next = _Round[T]()  # for who comes now

    def join(self, work: Callable[[], T]) -> T:
        """What a run of the work gives that begins after this call."""
        me, mine = object(), None
        try:
            mine = self._waited(me)
            if not mine.is_over:
                try:
                    mine.outcomes.append(work())
                except Exception as error:
                    mine.error = error  # it reaches all who wait
                    raise
            return mine.outcome()
        finally:
            del mine
            if self._runner is me:
                self._runner = None  # first: an interruption here must not leave others waiting
                with self._changed:
                    self._changed.notify_all()

    def _waited(self, me: object) -> _Round[T]:
        """The run for who comes now: over, or to be done here."""
        with self._changed:
            mine = self._next
            while self._runner is not None and not mine.is_over:
                self._changed.wait()
            if not mine.is_over:
                self._runner = me
                if self._next is mine:
                    self._next = _Round()
            return mine
