"""What open tabs are told while they are open: pages that changed, and how fresh the index is."""

from __future__ import annotations

import asyncio
import json
import secrets
from collections.abc import AsyncIterator, Callable
from contextlib import ExitStack

from memwiki.answers.index import Followed, FollowedState, WatcherState
from memwiki.errors import MemwikiError
from memwiki.workspace import Workspace

_MAX_PATHS = 100  # that are named; more are "many"
_QUIET_S = 15.0  # after which a comment keeps the connection open
_NO_WATCHER = (WatcherState.NONE, WatcherState.DEAD, WatcherState.BLOCKED)


class _Tab:
    """What one tab was not told yet, all of it at once."""

    def __init__(self, state: FollowedState | None, *, is_behind: bool) -> None:
        self.has_news = asyncio.Event()
        self.state = state
        self.paths = set[str]()
        self.has_changes = self.is_many = is_behind  # nobody knows of which pages
        if state or is_behind:
            self.has_news.set()

    def take(self) -> str:
        """The events to send."""
        self.has_news.clear()
        found = event("state", words_of(self.state)) if self.state else ""
        if self.has_changes:
            is_many = self.is_many or len(self.paths) > _MAX_PATHS
            named = [] if is_many else sorted(self.paths)
            found += event("changed", {"paths": named, "many": is_many})
        self.state, self.has_changes, self.is_many = None, False, False
        self.paths.clear()
        return found


class Events:
    """Follows the workspace for all tabs together, from the first page until the server ends."""

    def __init__(self, *, is_read_only: bool) -> None:
        self._is_read_only = is_read_only
        self._tabs = set[_Tab]()
        self._last: FollowedState | None = None
        self._run, self._number = secrets.token_hex(4), 0
        self._open = ExitStack()
        self._starting: asyncio.Task[None] | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._is_over = False

    def start(self) -> None:
        """Be there for whoever calls `follow`, on the loop of now."""
        self._loop = asyncio.get_running_loop()

    def follow(self, shown: Workspace) -> None:
        """Begin to follow what is shown, where that is not begun; may be called by any thread.

        It is when a page is made: whoever opens the first one waits for that, and not for what a
        watcher loads and reads.
        """
        if self._loop and not self._starting:
            self._loop.call_soon_threadsafe(self._begin, shown)

    def _begin(self, shown: Workspace) -> None:
        if self._loop and not (self._starting or self._is_over):
            self._starting = self._loop.create_task(self._start(shown))

    def end(self, act: Callable[[], None]) -> None:
        """Let all tabs go, and do what else is to be done on the loop; may be called from the
        handler of a signal."""
        if self._loop:
            self._loop.call_soon_threadsafe(self._release)
            self._loop.call_soon_threadsafe(act)

    def _release(self) -> None:
        self._is_over = True
        for tab in self._tabs:
            tab.has_news.set()

    async def close(self) -> None:
        """End it."""
        self._is_over = True
        if self._starting:
            await self._starting
        await asyncio.to_thread(self._open.close)

    @property
    def mark(self) -> str:
        """Another one after each change: what a page was drawn from was not older than this."""
        return f"{self._run}-{self._number}"

    async def stream(self, since: str) -> AsyncIterator[str]:
        """The events of one tab from a mark on, until it goes."""
        tab = _Tab(self._last, is_behind=since != self.mark)
        self._tabs.add(tab)
        try:
            yield "retry: 1000\n\n"
            while not self._is_over:
                try:
                    await asyncio.wait_for(tab.has_news.wait(), _QUIET_S)
                except TimeoutError:
                    yield ": still here\n\n"
                else:
                    yield tab.take()
        finally:
            self._tabs.discard(tab)

    async def _start(self, shown: Workspace) -> None:
        loop = asyncio.get_running_loop()

        def tell(told: Followed) -> None:
            if not loop.is_closed():
                loop.call_soon_threadsafe(self._spread, told)

        try:
            following = await asyncio.to_thread(shown.follow, tell, only_looking=self._is_read_only)
            self._open.enter_context(following)
        except (MemwikiError, OSError) as error:  # pages are shown, and do not change by themselves
            reason = error.message if isinstance(error, MemwikiError) else str(error)
            self._spread(Followed(FollowedState(WatcherState.NONE, fresh=False, reason=reason)))

    def _spread(self, told: Followed) -> None:
        is_first = self._last is None  # what was drawn before that may be of any age
        has_changes = is_first or told.has_changes
        self._last = told.state
        self._number += has_changes
        for tab in self._tabs:
            tab.state = told.state
            tab.paths.update(told.changed, told.removed)
            tab.has_changes |= has_changes
            tab.is_many |= is_first or not told.complete
            tab.has_news.set()


def words_of(state: FollowedState) -> dict[str, object]:
    """A state as the header of a page shows it."""
    is_watched = state.watcher not in _NO_WATCHER
    return {
        "is_fresh": state.fresh,
        "is_watched": is_watched,
        "pending": state.pending,
        "as_of": state.as_of,
        "reason": state.reason,
    }


def event(name: str, found: object) -> str:
    """One event, as `text/event-stream` has it."""
    return f"event: {name}\ndata: {json.dumps(found, ensure_ascii=False)}\n\n"
