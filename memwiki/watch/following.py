"""Following a workspace: which pages become others, whoever changes them, and how fresh the index
is."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import ExitStack, suppress
from pathlib import Path
from time import monotonic

from memwiki.answers.index import Followed, FollowedState, WatcherState, WatchEvent
from memwiki.errors import MemwikiError
from memwiki.index.cache_files import Heartbeat
from memwiki.index.damage import DAMAGE
from memwiki.sync.live import LiveIndex
from memwiki.sync.reading import Reading, unswept_reading
from memwiki.sync.sweeps import watcher_of
from memwiki.watch.watching import Watching

LOOK_S = 0.1  # between looks at whether anybody has written the index, 20 microseconds each
_WATCH_S = 2.0  # between attempts to take the place of a watcher that ended
_STATE_S = 1.0  # between looks at how fresh it is
_COUNT_S = 5.0  # between walks that count what is out of date
_COUNT_REST = 20  # times as long as such a walk took: the watcher walks, too
_TELL_S = 5.0  # between two that are told the same state
_REST = 3  # times as long as a look took, so that a large index leaves room for others


class Following:
    """Tells of every page that is written anew in the index, and watches where nobody does.

    `with` runs it in a thread of its own. What is told comes from the index and not from a watcher:
    commands bring it up to date too, and one that did so leaves a watcher nothing to tell.
    """

    def __init__(
        self,
        view: Callable[[], LiveIndex],
        watching: Callable[[Callable[[WatchEvent], None]], Watching],
        tell: Callable[[Followed], None],
    ) -> None:
        self._view, self._watching, self._tell = view, watching, tell
        self._wake = threading.Event()
        self._is_stopped = False
        self._thread: threading.Thread | None = None
        self._own = ExitStack()  # the watcher, where it is ours
        self._is_watching = False
        self._version: object = None
        self._build: tuple[Path | None] | None = None  # that was looked at last
        self._written = 0
        self._state = FollowedState(WatcherState.NONE, fresh=False)
        self._pending: int | None = None
        self._watch_at = self._state_at = self._count_at = self._tell_at = self._look_at = 0.0

    def __enter__(self) -> Following:
        self._count_at = monotonic() + _COUNT_S  # what starts has other things to do first
        self._thread = threading.Thread(target=self._run, name="memwiki-follow", daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._is_stopped = True
        self._wake.set()
        if self._thread is not None:
            self._thread.join()

    def _run(self) -> None:
        try:
            while not self._is_stopped:
                self._turn()
                self._wake.wait(LOOK_S)
                self._wake.clear()
        finally:
            self._own.close()
            with suppress(MemwikiError, OSError, *DAMAGE):
                self._view().leave()

    def _turn(self) -> None:
        now = monotonic()
        with suppress(MemwikiError, OSError, *DAMAGE):  # the next turn finds it mended, or watched
            live = self._view()
            if now >= self._watch_at:
                self._watch_at = now + _WATCH_S
                self._watch(live)
            if now >= self._look_at:
                self._look(live, now)

    def _watch(self, live: LiveIndex) -> None:
        """Be the watcher where there is none; that there can be none is seen by the state."""
        folder = live.cache_folder
        if self._is_watching or folder is None or Heartbeat(folder.whole).has_watcher():
            return
        with suppress(MemwikiError, OSError):
            self._own.enter_context(self._watching(lambda _: self._wake.set()))
            self._is_watching = True

    def _look(self, live: LiveIndex, now: float) -> None:
        """Tell what is another since the last look."""
        version = live.version()
        is_written = version != self._version
        if not (is_written or now >= self._state_at):
            return
        self._state_at = now + (_STATE_S if self._state.fresh else 2 * LOOK_S)
        with unswept_reading(live) as view:
            told = self._changed(view) if is_written else Followed(self._state)
        self._version = version  # one that could not be read is looked at again
        self._look_at = monotonic() + _REST * (monotonic() - now)
        self._say(told._replace(state=self._state_of(live, now)), now)

    def _changed(self, view: Reading) -> Followed:
        cards, build = view.stores.cards, (view.stores.build,)
        if build != self._build:  # its numbers are its own
            self._written, is_first = cards.last_written(), self._build is None
            self._build = build
            return Followed(self._state, complete=is_first)
        found = cards.written_after(self._written)
        paths = [path for path in found.paths if not view.scope.is_outside(path)]
        held = cards.existing(paths)
        self._written = found.last
        changed = tuple(path for path in paths if path in held)
        removed = tuple(path for path in paths if path not in held)
        return Followed(self._state, changed, removed, found.is_complete)

    def _state_of(self, live: LiveIndex, now: float) -> FollowedState:
        watcher = watcher_of(live)
        with unswept_reading(live) as view:
            freshness = view.freshness
        if freshness.fresh:
            self._pending, self._count_at = 0, now + _STATE_S
        elif now >= self._count_at:  # most are up to date again before that
            began, self._pending = monotonic(), live.pending_now()
            self._count_at = monotonic() + max(_COUNT_S, _COUNT_REST * (monotonic() - began))
        return FollowedState(
            watcher.state, freshness.fresh, self._pending, freshness.as_of, watcher.reason
        )

    def _say(self, told: Followed, now: float) -> None:
        is_news = told.state._replace(as_of="") != self._state._replace(as_of="")
        self._state = told.state
        if is_news or told.has_changes or now >= self._tell_at:
            self._tell_at = now + _TELL_S
            self._tell(told)
