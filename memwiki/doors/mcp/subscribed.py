"""Who is told of changes, in both eras of the protocol; a watcher runs only while somebody is."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING

import anyio
import anyio.to_thread
from mcp.server.subscriptions import (
    InMemorySubscriptionBus,
    ResourcesListChanged,
    ResourceUpdated,
    ServerEvent,
)

from memwiki.answers.watch import WatchEvent, WatchEventKind
from memwiki.doors.mcp.opening import Opening
from memwiki.doors.mcp.own import CORE, INDEX, page_uri
from memwiki.errors import MemwikiError

if TYPE_CHECKING:
    from mcp.server.session import ServerSession

_PAUSE_SECONDS = 1.0  # between two words that pages came or went
_LOOK_SECONDS = 0.1
_MOST_EVENTS = 1_000


class Subscribed:
    """The bus of events, and the sessions of the older era with what each asked for."""

    def __init__(self, opening: Opening) -> None:
        self._opening, self._bus = opening, InMemorySubscriptionBus()
        self._sessions: dict[ServerSession, set[str]] = {}
        self._listeners = 0
        self._wanted = anyio.Event()
        self._events: deque[WatchEvent] = deque(maxlen=_MOST_EVENTS)  # of the watcher's thread

    # --- who listens ---

    def add(self, session: ServerSession, uri: str) -> None:
        """Tell a session of the older era of a resource."""
        self._sessions.setdefault(session, set()).add(uri)
        self._wanted.set()

    def remove(self, session: ServerSession, uri: str) -> None:
        """Tell it no longer."""
        self._sessions.get(session, set()).discard(uri)
        if not self._sessions.get(session):
            self._sessions.pop(session, None)

    def subscribe(self, listener: Callable[[ServerEvent], None]) -> Callable[[], None]:
        """A listener of the newer era; gives what ends it."""
        leave = self._bus.subscribe(listener)
        self._listeners += 1
        self._wanted.set()

        def ended() -> None:
            leave()
            self._listeners -= 1

        return ended

    async def publish(self, event: ServerEvent) -> None:
        """Tell all who listen."""
        await self._bus.publish(event)
        for session, uris in list(self._sessions.items()):
            try:
                if isinstance(event, ResourcesListChanged):
                    await session.send_resource_list_changed()
                elif isinstance(event, ResourceUpdated) and event.uri in uris:
                    await session.send_resource_updated(event.uri)
            except (anyio.BrokenResourceError, anyio.ClosedResourceError):
                self._sessions.pop(session, None)

    # --- what happens ---

    async def run(self) -> None:
        """Watch while somebody listens."""
        while True:
            await self._wanted.wait()
            self._wanted = anyio.Event()
            if self._sessions or self._listeners:
                await self._watch()

    async def _watch(self) -> None:
        try:
            found = await anyio.to_thread.run_sync(self._opening.workspace, abandon_on_cancel=True)
            watching = found.watch(tell=self._tell)
            with watching:
                await self._pass_on()
        except MemwikiError:  # no workspace, no watcher: nothing happens that could be told
            await anyio.sleep(_PAUSE_SECONDS)

    def _tell(self, event: WatchEvent) -> None:
        """Called in the watcher's thread; of too many at once the first ones go."""
        self._events.append(event)

    async def _pass_on(self) -> None:
        while self._sessions or self._listeners:
            while self._events:
                await self._told(self._events.popleft())
            await anyio.sleep(_LOOK_SECONDS)

    async def _told(self, event: WatchEvent) -> None:
        if event.event is not WatchEventKind.CHANGED:
            return
        paths = (*event.added, *event.modified, *event.removed)
        if not paths:
            return
        for uri in (INDEX, CORE, *map(page_uri, paths)):
            await self.publish(ResourceUpdated(uri=uri))
        if event.added or event.removed:
            await self.publish(ResourcesListChanged())
            await anyio.sleep(_PAUSE_SECONDS)
