"""What is served and how, the key that opens it, and one request to it: what every view is handed.

The key comes once in the fragment of an address, and is exchanged for a cookie."""

from __future__ import annotations

import asyncio
import hmac
import json
import secrets
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from http.cookies import CookieError, SimpleCookie
from pathlib import Path
from typing import NamedTuple

from memwiki.aio.face import Workers
from memwiki.answers.index import Followed, FollowedState, WatcherState
from memwiki.errors import InvalidArgumentsError, MemwikiError
from memwiki.serving.listening import host_of
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


_TICKET_NS = 60 * 10**9
_LOCAL_NAMES = ("127.0.0.1", "localhost", "[::1]")


class AccessKey(NamedTuple):
    """Where a server is asked for, and what it asks of whoever does."""

    token: str
    port: int
    names: tuple[str, ...] = ()  # other names that it has, under any port

    @classmethod
    def fresh(cls, port: int) -> AccessKey:
        """One of 256 bits, for this machine alone."""
        return cls(secrets.token_urlsafe(32), port)

    @property
    def cookie(self) -> str:
        """The name of the cookie: browsers keep one jar for all ports of a host."""
        return f"memwiki-{self.port}"

    @property
    def session(self) -> str:
        """What the cookie holds: proves the token, and does not tell it."""
        return self._signed("session")

    def is_host(self, authority: str) -> bool:
        """Whether this is a name of the server, and where it is one of this machine, our port."""
        host = host_of(authority)
        if host in {host_of(name) for name in self.names}:
            return bool(host)
        port = authority.rpartition(":")[2] if not authority.endswith("]") else ""
        given = port if port.isdigit() and port != authority else "80"
        return host in _LOCAL_NAMES and int(given) == self.port

    def is_origin(self, origin: str, host: str) -> bool:
        """Whether a request comes from a page of this server: from where it goes, port and all."""
        scheme, _, authority = origin.partition("://")
        is_same = authority.lower() == host.lower()
        return scheme in ("http", "https") and is_same and self.is_host(authority)

    def ticket(self, now: int) -> str:
        """What opens the page once, within a minute: all users of a machine see the words with
        which a browser is started."""
        stamp = f"{now}-{secrets.token_urlsafe(12)}"
        return f"{stamp}.{self._signed(stamp)}"

    def is_ticket(self, given: str, now: int) -> bool:
        """Whether this is one that can still be used."""
        stamp, _, proof = given.partition(".")
        at = stamp.partition("-")[0]
        is_ours = hmac.compare_digest(proof.encode(), self._signed(stamp).encode())
        return is_ours and 0 <= now - int(at) <= _TICKET_NS

    def _signed(self, text: str) -> str:
        return hmac.new(self.token.encode(), text.encode(), "sha256").hexdigest()

    def is_token(self, given: str) -> bool:
        """Whether this is the token."""
        return hmac.compare_digest(given.encode(), self.token.encode())

    def is_known(self, cookies: Iterable[str]) -> bool:
        """Whether one of these headers has our cookie."""
        wanted = self.session
        return any(hmac.compare_digest(each, wanted) for each in self._values(cookies))

    def _values(self, cookies: Iterable[str]) -> Iterable[str]:
        for text in cookies:
            try:
                found = SimpleCookie(text).get(self.cookie)
            except CookieError:
                continue
            if found is not None and found.value.isascii():
                yield found.value


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
