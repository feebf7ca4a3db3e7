"""What is served and how, and one request to it: what every view is handed."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from memwiki.aio.workers import Workers
from memwiki.errors import InvalidArgumentsError
from memwiki.web.events import Events
from memwiki.web.key import AccessKey
from memwiki.workspace import Workspace

_LEAVING_S = 0.5  # in which what is being read can be answered when the server is told to end


@dataclass(frozen=True)
class Site:
    """One workspace in a browser."""

    served: Workspace  # all of it: a view asks `WebCall.workspace`
    key: AccessKey
    is_read_only: bool = False
    has_private: bool = False
    mermaid: Path | None = None  # the user's own script that draws diagrams
    workers: Workers = field(default_factory=Workers)
    _used: set[str] = field(default_factory=set)  # tickets
    _limits: set[asyncio.Timeout] = field(default_factory=set)

    @property
    def name(self) -> str:
        """What the page calls it: the name of its folder."""
        return self.served.root.name or str(self.served.root)

    def opens(self, given: str, now: int) -> bool:
        """Whether this opens the page: the key, or a ticket that nobody used yet."""
        if self.key.is_token(given):
            return True
        is_new = given not in self._used and self.key.is_ticket(given, now)
        self._used.update([given] * is_new)
        return is_new

    @cached_property
    def events(self) -> Events:
        """What open tabs are told."""
        return Events(is_read_only=self.is_read_only)

    @asynccontextmanager
    async def time_limit(self, seconds: float) -> AsyncIterator[None]:
        """Raises TimeoutError after so long, and when the server is about to end."""
        async with asyncio.timeout(seconds) as limit:
            self._limits.add(limit)
            try:
                yield
            finally:
                self._limits.discard(limit)

    def end(self) -> None:
        """Let all tabs go, and soon all that is being read; may be called by a signal's handler."""
        self.events.end(self._limit_all)

    def _limit_all(self) -> None:
        at = asyncio.get_running_loop().time() + _LEAVING_S
        for each in self._limits:
            each.reschedule(min(at, each.when() or at))

    def close(self) -> None:
        """End the threads, and let go of the workspace."""
        self.workers.close(self.served.leave)


@dataclass(frozen=True)
class WebCall:
    """A request, read: a view asks it, and never the request itself."""

    site: Site
    path: str  # of the request, without the query
    params: Mapping[str, str]  # of the route
    query: Mapping[str, str]
    body: Mapping[str, object]
    mark: str  # of `Events`, before anything was read

    @cached_property
    def workspace(self) -> Workspace:
        """The workspace as whoever looks at the page may see it at this moment; asked in a thread,
        as it may read the index."""
        return self.site.served if self.site.has_private else self.site.served.public()

    @contextmanager
    def one_look(self) -> Iterator[None]:
        """Within it all that this thread asks rests on one look at the files."""
        with self.site.served.one_sweep(), self.workspace.one_sweep():
            try:
                yield
            finally:
                self.site.events.follow(self.workspace)

    def text(self, name: str, default: str | None = None) -> str:
        """A text of the body. Raises InvalidArgumentsError where it is none, or lacks without a
        default."""
        value = self.body.get(name, default)
        if not isinstance(value, str):
            raise InvalidArgumentsError(f"{name}: is no text", f'send "{name}": "..."')
        return value

    def flag(self, name: str) -> bool:
        """Whether the body says yes to this."""
        return self.body.get(name) is True

    def count(self, name: str) -> int:
        """A whole number of the body from 1 on. Raises InvalidArgumentsError."""
        value = self.body.get(name)
        if type(value) is not int or value < 1:
            raise InvalidArgumentsError(f"{name}: is no number from 1 on", f'send "{name}": 1')
        return value

    def number(self, name: str, default: int, most: int) -> int:
        """A whole number of the query, at most so much; the default for what is none."""
        given = self.query.get(name, "")
        is_number = given.isascii() and given.isdigit() and len(given) < 7
        return min(int(given), most) if is_number else default
