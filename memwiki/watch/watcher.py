"""The loop that keeps an index up to date: events are read soon, everything now and then."""

from __future__ import annotations

import ctypes
import gc
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple, TypeVar

from memwiki.answers.index import Changes, WatcherState, WatchEventKind
from memwiki.errors import MemwikiError, reason_of
from memwiki.index.cache_files import Cookies
from memwiki.watch.listener import EventListener, why_poll
from memwiki.watch.pending import LISTENER_DELAY_S, ChangeKind, Pending, WatchTiming

_TIDY_AFTER = 4  # syncs that changed something; after fewer there is little to merge
_WALK_SHARE = 8  # a walk may take an eighth of the time before the next one
T = TypeVar("T")
_MAX_GIVEN_WAY = 3  # times in a row that a walk lets a change go first


class StoppedError(Exception):
    """The watcher was asked to end in the middle of a sync."""


class GivenWayError(Exception):
    """A change was heard in the middle of a walk, which begins anew behind it."""


class SignOfLife(NamedTuple):
    """What a watcher says of itself now and then."""

    state: WatcherState
    reason: str
    is_settled: bool  # whether a walk has just found all up to date
    known_s: float | None  # how long ago files and index were surely the same; None: not known


class WatcherTasks(NamedTuple):
    """What the watcher does, and whom it tells; handed in by who knows the index."""

    follow: Callable[[Sequence[str]], Changes]  # look at these paths
    # Look at everything; of 0 files while it is not known how many are to be read.
    sweep: Callable[[Callable[[int, int], None]], Changes]
    tidy: Callable[[], None]
    classify: Callable[
        [str, bool], ChangeKind | None
    ]  # a path, whether it is a folder -> is it ours
    paused: Callable[[], str]  # why now is no time to look, "" when it is
    beat: Callable[[SignOfLife], None]
    tell: Callable[[WatchEventKind, Changes], None]
    keep: Callable[[], float]  # do what upkeep is due; the seconds until it is due again
    cookies: Cookies | None = None  # of those who ask whether all was heard


class Watcher:
    """Runs in one thread; what it hears of comes from others."""

    def __init__(
        self,
        root: Path,
        work: WatcherTasks,
        timing: WatchTiming | None = None,
        *,
        is_polling: bool = False,
    ) -> None:
        self._root, self._work, self._timing = root, work, timing or WatchTiming()
        self._pending = Pending(self._timing)
        self._listener: EventListener | None = None
        self._identity: tuple[int, int] | None = None
        self._stop = threading.Event()
        self.is_ready = threading.Event()  # listening; what changes from now on is seen
        self._why_poll = "as asked" if is_polling else why_poll(root)
        self._state, self._reason, self._is_settled = WatcherState.WATCHING, "", False
        self._walked_at: float | None = None  # what changed since was heard of and looked at
        self._is_knowing = False  # whether the last sign of life said so
        self._beating = threading.Lock()
        self._changed_syncs = self._pages_read = 0
        self._walk_s = 0.0  # that the last walk took
        self._failures = self._given_way = 0
        self._is_sure = False  # whether nothing had been heard when the walk of now began
        # When what is due next, by the monotonic clock.
        self._scan_at = self._beat_at = self._check_at = self._count_at = self._keep_at = 0.0
        self._settle_at: float | None = None
        self._tidy_at: float | None = None
        self._paused_since: float | None = None
        self._is_pause_told = False

    # --- from other threads ---

    def stop(self) -> None:
        """Ask it to end; a sync under way is cut off where nothing is half done."""
        self._stop.set()
        self._pending.wake()

    def note(self, path: str, is_folder: bool) -> None:
        """Hear that a path changed."""
        kind = self._work.classify(path, is_folder)
        if kind is not None:
            self._pending.add(path, kind, time.monotonic())
            self._doubt()

    def lose(self) -> None:
        """Hear that changes may have been missed."""
        self._pending.add_walk(time.monotonic())
        self._doubt()

    # --- the loop ---

    def run(self) -> None:
        """Watch until asked to stop."""
        try:
            self._listen()
            self._beat()
            self.is_ready.set()
            mode = f"polling: {self._why_poll}" if self._why_poll else ""
            self._tell(WatchEventKind.STARTED, Changes(reason=mode))
            while not self._stop.is_set():
                self._turn(time.monotonic())
                self._pending.wait(self._until() - time.monotonic())
        except StoppedError:
            pass
        finally:
            self.is_ready.set()
            self._close()
        self._tell(WatchEventKind.STOPPED, Changes())

    def _turn(self, now: float) -> None:
        """Do what is due."""
        if now >= self._check_at:
            self._check(now)
        if self._is_due(now) and not self._is_paused(now):
            self._look(now)
        elif self._tidy_at is not None and now >= self._tidy_at and not self._pending.due():
            self._tidy()
        elif now >= self._keep_at:
            self._keep(now)
        if now >= self._beat_at:
            self._beat()

    def _until(self) -> float:
        """When something is due next."""
        if self._stop.is_set():
            return 0.0
        if self._paused_since is not None:
            # A merge may wait for a person for hours: the longer, the less often.
            now = time.monotonic()
            return now + min(max(self._timing.pause, (now - self._paused_since) / 20), 1.0)
        due = (self._pending.due(), self._pending.quiet_due(), self._settle_at, self._tidy_at)
        times = (self._check_at, self._beat_at, self._scan_at, self._keep_at, *due)
        return min(each for each in times if each is not None)

    def _is_due(self, now: float) -> bool:
        due = (self._pending.due(), self._pending.quiet_due(), self._settle_at, self._scan_at)
        return any(each is not None and now >= each for each in due)

    def _is_paused(self, now: float) -> bool:
        """Whether git is in the middle of something: its files would be indexed half-way."""
        reason = self._work.paused()
        if reason:
            self._paused_since = self._paused_since or now
            self._doubt()
            if not self._is_pause_told and now - self._paused_since >= self._timing.check:
                self._is_pause_told = True
                self._state, self._reason = WatcherState.PAUSED, reason
                self._beat()
                self._tell(WatchEventKind.PAUSED, Changes(fresh=False, reason=reason))
            return True
        if self._paused_since is not None:
            self._paused_since = None
            self._pending.add_walk(now)  # git writes hundreds of files at once
            if self._is_pause_told:
                self._is_pause_told = False
                self._tell(WatchEventKind.RESUMED, Changes())
        return False

    def _look(self, now: float) -> None:
        """Bring the index up to date: with what was heard, or by a walk where that does not do."""
        due = self._pending.due()
        others = (self._scan_at, self._settle_at, self._pending.quiet_due())
        is_walk = any(each is not None and now >= each for each in others)
        if is_walk and due is not None and now >= due and self._gives_way():
            self._given_way += 1
            is_walk = False
        paths: tuple[str, ...] = ()
        known = self._walked_at
        # Nothing was heard: what is known stays so while a walk makes sure of it.
        is_sure = self._is_sure = is_walk and not self._why_poll and self._pending.is_empty()
        if not is_sure:
            self._walked_at = None
            self._doubt()
        if not is_walk and due is not None:
            paths, is_walk = self._pending.take()
        if is_walk:
            if not is_sure:  # else what is heard from now on would be forgotten, and not doubted
                self._pending.walked()
            with suppress(GivenWayError):  # what was known stays known but for what was heard
                self._walked_at = now if self._walk() else None
        else:
            changes = self._try(lambda: self._work.follow(paths))
            self._finish_sync(changes, is_walk=False)
            self._walked_at = known if changes.fresh else None
        self._beat()

    def _walk(self) -> bool:
        started = time.monotonic()
        changes = self._try(lambda: self._work.sweep(self._on_progress))
        now = time.monotonic()
        self._settle_at, self._given_way = None, 0
        self._walk_s = now - started
        wait = self._timing.scan
        if self._why_poll:
            wait = min(max(self._timing.poll, _WALK_SHARE * self._walk_s), wait)
        self._scan_at = now + wait
        self._finish_sync(changes, is_walk=True)
        if now >= self._count_at:
            self._count_at = now + self._timing.scan
            self._count()
        return changes.fresh

    def _finish_sync(self, changes: Changes, *, is_walk: bool) -> None:
        """Say what came of a sync, and plan what has to follow it."""
        now = time.monotonic()
        is_change = bool(changes.added or changes.modified or changes.removed)
        if is_change:
            self._changed_syncs += 1
            self._pages_read += len(changes.added) + len(changes.modified)
            quiet = max(self._timing.settle, _WALK_SHARE * self._walk_s)
            self._settle_at = now + min(quiet, self._timing.scan)
            self._keep_at = min(self._keep_at, self._settle_at)
            self._tell(WatchEventKind.CHANGED, changes)
        elif is_walk and self._changed_syncs >= _TIDY_AFTER:
            self._tidy_at = now + self._timing.tidy
        if changes.fresh:
            self._succeed(is_walk=is_walk)
        else:
            self._fail(changes, now)
        if is_walk and not is_change and self._pages_read > self._timing.many:
            self._pages_read = 0
            trim_memory()
        self._is_settled = is_walk and changes.fresh

    def _succeed(self, *, is_walk: bool) -> None:
        """After a failure only a walk shows that all is well again."""
        if self._state is WatcherState.FAILING and not is_walk:
            return
        if self._state is WatcherState.FAILING:
            self._tell(WatchEventKind.RESUMED, Changes())
        self._failures = 0
        self._state = WatcherState.POLLING if self._why_poll else WatcherState.WATCHING
        self._reason = self._why_poll

    def _fail(self, changes: Changes, now: float) -> None:
        """Try again soon, then less often; say it once."""
        self._scan_at = now + min(self._timing.retry * 2**self._failures, self._timing.scan)
        self._failures = min(self._failures + 1, 16)
        is_news = (self._state, self._reason) != (WatcherState.FAILING, changes.reason)
        self._state, self._reason = WatcherState.FAILING, changes.reason
        if is_news:
            self._tell(WatchEventKind.FAILED, changes)

    def _try(self, work: Callable[[], T]) -> T | Changes:
        """What a sync, or other work, gives; whatever goes wrong in it, the watcher goes on."""
        try:
            return work()
        except (StoppedError, GivenWayError):
            raise
        except MemwikiError as error:
            return Changes(fresh=False, reason=error.message)
        except Exception as error:  # noqa: BLE001 - said, counted as a failure and tried again
            return Changes(fresh=False, reason=f"unexpected {type(error).__name__}: {error}")

    def _gives_way(self) -> bool:
        """Whether a walk lets a change go first: one that takes seconds where the machine is busy,
        when all was well before it."""
        is_well = bool(self._walk_s) and not self._failures
        return is_well and not self._why_poll and self._given_way < _MAX_GIVEN_WAY

    def _on_progress(self, _done: int, total: int) -> None:
        if self._stop.is_set():
            raise StoppedError
        if not total and self._is_sure and self._gives_way():
            due = self._pending.due()
            if due is not None and time.monotonic() >= due:
                raise GivenWayError
        if time.monotonic() >= self._beat_at:
            self._beat()

    def _tidy(self) -> None:
        self._tidy_at = None
        self._changed_syncs = 0
        self._try(self._work.tidy)

    def _keep(self, now: float) -> None:
        """Upkeep waits until everything else is done; what it writes comes back as events."""
        self._keep_at = now + self._timing.keep
        left = self._try(self._work.keep)
        if not isinstance(left, Changes):
            self._keep_at = now + min(left, self._timing.keep)

    # --- hearing ---

    def _listen(self) -> None:
        """Open an ear, or take to polling where that cannot be relied on."""
        self._identity = _identity(self._root)
        if self._why_poll or self._identity is None:
            return
        self._listener = EventListener(
            self._root, self.note, self.lose, self._is_foreign, self._work.cookies
        )
        try:
            self._listener.start()
        except OSError as error:
            self._poll(f"no file events ({reason_of(error)})")

    def _is_foreign(self, path: str) -> bool:
        return self._work.classify(path, True) is None

    def _check(self, now: float) -> None:
        """See that the folder is the one that is listened to, and that all of it is."""
        self._check_at = now + self._timing.check
        if self._why_poll:
            return
        identity = _identity(self._root)
        is_deaf = identity is not None and (self._listener is None or not self._listener.is_sound())
        if identity != self._identity or is_deaf:
            self._walked_at = None
            self._close()
            self._listen()
            self._scan_at = now

    def _count(self) -> None:
        """With too few watches it starts without an error and hears a part: then walks are
        surer."""
        if self._listener is None or not self._listener.unwatched():
            return
        self._stop.wait(self._timing.debounce)  # a folder made just now gets its watch
        missing = self._listener.unwatched()
        if missing and self._listener.is_sound():  # one that is dead is replaced by the next check
            self._poll(f"{len(missing)} folders cannot be watched: too few inotify watches")

    def _poll(self, reason: str) -> None:
        self._close()
        self._why_poll = reason
        self._state, self._reason = WatcherState.POLLING, reason
        self._scan_at = time.monotonic()
        self._beat()  # whoever hears of it and looks at the status sees it there
        self._tell(WatchEventKind.POLLING, Changes(reason=reason))

    def _close(self) -> None:
        ear, self._listener = self._listener, None
        if ear is not None:
            ear.stop()

    # --- telling ---

    def _beat(self) -> None:
        with self._beating:
            now = time.monotonic()
            self._beat_at = now + self._timing.beat
            # While it is worked out and written: what is heard meanwhile comes and takes it back,
            # and waits until what was said before is gone.
            self._is_knowing = True
            known_s = self._known_s(now)
            self._work.beat(SignOfLife(self._state, self._reason, self._is_settled, known_s))
            self._is_knowing = known_s is not None
            self._is_settled = False

    def _doubt(self) -> None:
        """Take back at once that files and index are the same, where that was said."""
        if self._is_knowing:
            self._beat()

    def _known_s(self, now: float) -> float | None:
        """How many seconds ago all that had changed in the files was in the index."""
        walked_at = self._walked_at  # another thread may take it back
        is_known = walked_at is not None and self._pending.is_empty() and not self._paused_since
        if walked_at is None or not is_known or self._work.paused():
            return None
        if self._why_poll:
            return now - walked_at
        listener = self._listener
        return LISTENER_DELAY_S if listener and listener.is_sound() else None

    def _tell(self, kind: WatchEventKind, changes: Changes) -> None:
        self._work.tell(kind, changes)


def _identity(root: Path) -> tuple[int, int] | None:
    try:
        found = root.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def trim_memory() -> None:
    """Hand what is free to the system, which the allocator would keep for the next large sync."""
    gc.collect()
    with suppress(OSError, AttributeError, TypeError):  # only glibc has it
        ctypes.CDLL(None).malloc_trim(0)
