"""Who is told of changes, in both eras of the protocol; pages are compared only while somebody is.

What a question or another program's watcher has already taken into the index is no event any more:
so the state of the pages is compared with the one before, whoever brought it about.
"""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import partial
from typing import TYPE_CHECKING, TypeAlias
from urllib.parse import unquote

import anyio
from mcp.server.subscriptions import (
    InMemorySubscriptionBus,
    ResourcesListChanged,
    ResourceUpdated,
)
from mcp.shared.exceptions import MCPError

from memwiki.aio.workers import Workers
from memwiki.doors.mcp.opening import Opening
from memwiki.doors.mcp.service import Service
from memwiki.errors import MemwikiError

if TYPE_CHECKING:
    from mcp.server.connection import Connection

_PAUSE_SECONDS = 1.0  # between two looks, and so between two words that pages came or went
_SHARE = 10  # pauses are so many times as long as looks
_BASE_SECONDS = 2.0
_SEND_SECONDS = 1.0  # for a client that has stopped reading
_MAX_URIS = 1_000
_INVALID_PARAMS = -32602
Digests: TypeAlias = Mapping[str, str]  # of the pages, by their paths


class Subscribed:
    """The bus of events, and the connections of the older era with what each asked for."""

    def __init__(self, service: Service, opening: Opening, workers: Workers) -> None:
        self._service, self._opening, self._workers = service, opening, workers
        self.bus = InMemorySubscriptionBus()
        self._asked: dict[Connection, set[str]] = {}
        self._listeners = 0
        self._wanted, self._has_looked = anyio.Event(), anyio.Event()

    # --- who listens ---

    async def add(self, connection: Connection, uri: str) -> None:
        """Tell a connection of the older era of a resource, from now on until it closes."""
        if connection not in self._asked:
            self._asked[connection] = set()
            connection.exit_stack.callback(self._asked.pop, connection, None)
        if len(self._asked[connection]) >= _MAX_URIS:
            raise MCPError(_INVALID_PARAMS, f"no more than {_MAX_URIS} subscriptions")
        self._asked[connection].add(uri)
        await self.settle()

    def remove(self, connection: Connection, uri: str) -> None:
        """Tell it no longer."""
        asked = self._asked.get(connection, set())
        asked.difference_update({each for each in asked if unquote(each) == unquote(uri)})

    @contextmanager
    def listening(self) -> Iterator[None]:
        """Somebody of the newer era listens to the bus."""
        self._listeners += 1
        try:
            yield
        finally:
            self._listeners -= 1

    @property
    def is_wanted(self) -> bool:
        """Whether somebody is to be told of anything."""
        return bool(self._listeners or any(self._asked.values()))

    async def settle(self) -> None:
        """Wait until there is something that later changes are compared with."""
        self._wanted.set()
        with anyio.move_on_after(_BASE_SECONDS):
            await self._has_looked.wait()

    # --- what happens ---

    async def run(self) -> None:
        """Look again and again while somebody listens."""
        while True:
            await self._wanted.wait()
            self._wanted = anyio.Event()
            await self._look_on()
            self._has_looked = anyio.Event()

    async def _look_on(self) -> None:
        before: Digests | None = None
        while self.is_wanted:
            started = time.monotonic()
            with suppress(MemwikiError):  # no workspace, no index yet: nothing to tell of
                now = await self._look(before)
                if before is not None and now is not before:
                    await self._tell(before, now)
                before = now
                self._has_looked.set()
            await anyio.sleep(max(_PAUSE_SECONDS, _SHARE * (time.monotonic() - started)))

    async def _look(self, before: Digests | None) -> Digests:
        await self._opening.ready()

        def look() -> Digests:
            digests = self._service.shown(self._opening.workspace()).pages.digests()
            return before if digests == before else digests

        return await self._workers.run(look, is_reading=True)

    async def _tell(self, before: Digests, now: Digests) -> None:
        paths, comes_or_goes = changed(before, now)
        uris = self._service.touched(paths) if paths else []
        known = {unquote(uri) for uri in uris}
        for uri in uris:
            await self.bus.publish(ResourceUpdated(uri=uri))
        for connection, asked in list(self._asked.items()):
            for uri in [each for each in asked if unquote(each) in known]:
                await _sent(partial(connection.send_resource_updated, uri))
        if comes_or_goes and self._service.templates:
            await self.bus.publish(ResourcesListChanged())
            for connection in list(self._asked):
                await _sent(connection.send_resource_list_changed)


async def _sent(send: Callable[[], Awaitable[None]]) -> None:
    with anyio.move_on_after(_SEND_SECONDS):
        await send()


def changed(before: Digests, now: Digests) -> tuple[list[str], bool]:
    """The pages that are another now, and whether some came or went."""
    gone = [path for path in before if path not in now]
    there = [path for path in now if before.get(path) != now[path]]
    is_listed = bool(gone) or any(path not in before for path in there)
    return sorted([*gone, *there]), is_listed
