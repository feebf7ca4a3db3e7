"""The protocol's server over a service: each call in a thread, the loop free for the next one; and
who is told of changes, in both eras of the protocol: pages are compared only while somebody is.

What a question or another program's watcher has already taken into the index is no event any more:
so the state of the pages is compared with the one before, whoever brought it about.
"""

from __future__ import annotations

import json
import time
from collections.abc import (
    AsyncIterable,
    AsyncIterator,
    Awaitable,
    Callable,
    Iterator,
    Mapping,
    Sequence,
)
from contextlib import asynccontextmanager, contextmanager, suppress
from functools import partial
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar
from urllib.parse import unquote

import anyio
import mcp_types as types
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import NotificationOptions, Server
from mcp.server.subscriptions import (
    InMemorySubscriptionBus,
    ListenHandler,
    ResourcesListChanged,
    ResourceUpdated,
)
from mcp.shared.exceptions import MCPError
from mcp.shared.message import SessionMessage

from memwiki import __version__
from memwiki.aio.face import Steps, Workers
from memwiki.doors.service import Opening, Row, Service
from memwiki.errors import IndexingError, MemwikiError
from memwiki.tools import Limiter, ToolAnswer
from memwiki.tools.call import UNEXPECTED, failure, frames
from memwiki.workspace import Workspace

if TYPE_CHECKING:
    from mcp.server.connection import Connection


_PAUSE_SECONDS = 1.0  # between two looks, and so between two words that pages came or went
_SHARE = 10  # pauses are so many times as long as looks
_BASE_SECONDS = 2.0
_SEND_SECONDS = 1.0  # for a client that has stopped reading
_MAX_URIS = 1_000
_PARSE_ERROR, _INVALID_REQUEST = -32700, -32600
_INVALID_PARAMS, _INTERNAL_ERROR = -32602, -32603
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
        paths, comes_or_goes = changed_pages(before, now)
        uris = self._service.touched(paths) if paths else []
        known = {unquote(uri) for uri in uris}
        for uri in uris:
            await self.bus.publish(ResourceUpdated(uri=uri))
        for connection, asked in list(self._asked.items()):
            for uri in [each for each in asked if unquote(each) in known]:
                await _send(partial(connection.send_resource_updated, uri))
        if comes_or_goes and self._service.templates:
            await self.bus.publish(ResourcesListChanged())
            for connection in list(self._asked):
                await _send(connection.send_resource_list_changed)


async def _send(send: Callable[[], Awaitable[None]]) -> None:
    with anyio.move_on_after(_SEND_SECONDS):
        await send()


def changed_pages(before: Digests, now: Digests) -> tuple[list[str], bool]:
    """The pages that are another now, and whether some came or went."""
    gone = [path for path in before if path not in now]
    there = [path for path in now if before.get(path) != now[path]]
    is_listed = bool(gone) or any(path not in before for path in there)
    return sorted([*gone, *there]), is_listed


def sound(text: str) -> str:
    """With halves of characters replaced, which JSON of the wire cannot hold."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


async def relay(
    read: AsyncIterable[SessionMessage | Exception],
    pass_on: Callable[[SessionMessage], Awaitable[None]],
    write: Callable[[SessionMessage], Awaitable[None]],
) -> None:
    """Pass on what comes in. The library drops what it cannot read, and whoever asked waits."""
    async for item in read:
        found = mend_line(item) if isinstance(item, Exception) else item
        if isinstance(found, types.JSONRPCError):
            await write(SessionMessage(found))
        else:
            await pass_on(found)


def mend_line(error: Exception) -> SessionMessage | types.JSONRPCError:
    """The message that a line means, or what is said of it."""
    try:  # Python reads halves of characters, of which hosts write what a model cut off
        text = sound(json.dumps(json.loads(_line_of(error)), ensure_ascii=False))
    except (ValueError, RecursionError):
        return _rpc_error(_PARSE_ERROR, "Not JSON that can be read")
    try:
        return SessionMessage(types.jsonrpc_message_adapter.validate_json(text, by_name=False))
    except ValueError:
        return _rpc_error(_INVALID_REQUEST, "Not a request or notification")


def _rpc_error(code: int, what: str) -> types.JSONRPCError:
    error = types.ErrorData(code=code, message=what)
    return types.JSONRPCError(jsonrpc="2.0", id=None, error=error)


def _line_of(error: Exception) -> str:
    """The line that could not be read, which the error of its library has kept."""
    errors: list[dict[str, object]] = getattr(error, "errors", list)()
    line = errors[0]["input"] if errors else ""
    return line if isinstance(line, str) else json.dumps(line)


T = TypeVar("T")
Context: TypeAlias = "ServerRequestContext[Any, Any]"
_LOOK_SECONDS = 0.02
_MAX_VALUES = 100  # that the protocol allows
_MAX_CLIENTS = 100  # further ones share a count of changes
SWITCH_SECONDS = 0.001  # a ping changes threads six times, each time behind two that work
_TELL_EVERY = 0.5  # seconds


class _Telling(Server[Any]):  # type: ignore[misc]
    """Says in both eras, on every transport, what it tells of: pages that come and go. Which tools
    and prompts there are never changes."""

    def get_capabilities(
        self,
        notification_options: NotificationOptions | None = None,
        experimental_capabilities: dict[str, dict[str, Any]] | None = None,
        extensions: dict[str, dict[str, Any]] | None = None,
        *,
        protocol_version: str | None = None,
    ) -> types.ServerCapabilities:
        """What a client is told at the start."""
        found = super().get_capabilities(
            notification_options,
            experimental_capabilities,
            extensions,
            protocol_version=protocol_version,
        )
        found.resources.list_changed = True
        for each in filter(None, (found.tools, found.prompts)):
            each.list_changed = False
        return found


class McpServer:
    """One service, served."""

    def __init__(self, service: Service, opening: Opening, tell: Callable[[str], None]) -> None:
        self._service, self._opening, self._tell = service, opening, tell
        self._workers, self._running = Workers(), 0
        self._limiters: dict[str, Limiter] = {}
        self.subscribed = Subscribed(service, opening, self._workers)
        self._listen = ListenHandler(self.subscribed.bus)
        self.server = _Telling(
            service.name,
            version=__version__,
            instructions=service.instructions or None,
            lifespan=self._lifespan,
            on_list_tools=_lists(types.ListToolsResult, tools=service.tools),
            on_call_tool=self._call,
            on_list_resources=_lists(types.ListResourcesResult, resources=service.resources),
            on_list_resource_templates=_lists(
                types.ListResourceTemplatesResult, resource_templates=service.templates
            ),
            on_read_resource=self._read,
            on_completion=self._complete if service.templates else None,
            on_subscribe_resource=self._subscribe,
            on_unsubscribe_resource=self._unsubscribe,
            on_subscriptions_listen=self._listened,
            on_list_prompts=_lists(types.ListPromptsResult, prompts=service.prompts)
            if service.prompts
            else None,
            on_get_prompt=self._prompt if service.prompts else None,
        )

    async def settle(self, seconds: float) -> None:
        """Wait so long at most for what is being answered."""
        until = time.monotonic() + seconds
        while self._running and time.monotonic() < until:
            await anyio.sleep(_LOOK_SECONDS)

    def close(self) -> None:
        """End the threads."""
        self._workers.close(self._opening.leave)
        self._opening.close()

    @asynccontextmanager
    async def _lifespan(self, _server: Server[Any]) -> AsyncIterator[None]:
        async with anyio.create_task_group() as group:
            group.start_soon(self.subscribed.run)
            yield
            group.cancel_scope.cancel()

    # --- tools ---

    async def _call(
        self, context: Context, params: types.CallToolRequestParams
    ) -> types.CallToolResult:
        started, steps = time.monotonic(), Steps()
        async with anyio.create_task_group() as group:
            group.start_soon(self._tell_progress, context, steps)
            reply = await self._replied(context, params, steps)
            group.cancel_scope.cancel()
        names = {str(row["name"]) for row in self._service.tools}
        known = params.name if params.name in names else "unknown tool"
        self._tell(_logged(known, started, reply))
        structured = None
        if reply.structured is not None and not reply.is_error:
            structured = json.loads(sound(json.dumps(reply.structured, ensure_ascii=False)))
        return types.CallToolResult(
            content=[
                types.TextContent(type="text", text=sound(each))
                for each in (reply.text, *reply.notes)
            ],
            structured_content=structured,
            is_error=reply.is_error,
        )

    async def _replied(
        self, context: Context, params: types.CallToolRequestParams, steps: Steps
    ) -> ToolAnswer:
        name, arguments = params.name, params.arguments or {}
        actor, limiter = _actor(context), self._limiter_of(context)

        def ask(ws: Workspace) -> ToolAnswer:
            return self._service.call(ws.by(actor), name, arguments, limiter, steps.note)

        try:
            is_reading = self._service.is_reading(name)
            is_long = self._service.is_long(name, arguments)
            return await self._ask(ask, is_reading=is_reading, is_long=is_long, steps=steps)
        except MCPError as error:
            return ToolAnswer(error.error.message, is_error=True)

    def _limiter_of(self, context: Context) -> Limiter:
        """That of the connection; where the protocol has none, of the client's name."""
        connection = _connection(context)
        if connection.session_id is None:
            client, known = _actor(context), self._limiters
            name = client if client in known or len(known) < _MAX_CLIENTS else ""
            return known.setdefault(name, Limiter())
        limiter: Limiter = connection.state.setdefault("limiter", Limiter())
        return limiter

    async def _tell_progress(self, context: Context, steps: Steps) -> None:
        told = 0
        while True:
            await anyio.sleep(_TELL_EVERY)
            done, total = (steps.done, steps.total) if steps.total else self._opening.progress
            told = max(done, told + 1)  # it has to grow, whether or not there is a count
            await context.session.report_progress(told, total if total >= told else None)

    # --- resources ---

    async def _read(
        self, _context: Context, params: types.ReadResourceRequestParams
    ) -> types.ReadResourceResult:
        uri = str(params.uri)
        found = await self._ask(lambda ws: self._service.read(ws, uri))
        if found is None:
            raise MCPError(_INVALID_PARAMS, f"Resource not found: {uri[:200]}", {"uri": uri[:200]})
        text = types.TextResourceContents(
            uri=found.uri, mime_type=found.mime_type, text=sound(found.text)
        )
        return types.ReadResourceResult(contents=[text])

    async def _complete(
        self, _context: Context, params: types.CompleteRequestParams
    ) -> types.CompleteResult:
        uri, typed = getattr(params.ref, "uri", ""), params.argument.value
        found = await self._ask(lambda ws: self._service.completions(ws, uri, typed))
        shown = types.Completion(
            values=list(map(sound, found[:_MAX_VALUES])),
            total=len(found),
            has_more=len(found) > _MAX_VALUES,
        )
        return types.CompleteResult(completion=shown)

    async def _subscribe(
        self, context: Context, params: types.SubscribeRequestParams
    ) -> types.EmptyResult:
        await self.subscribed.add(_connection(context), str(params.uri))
        return types.EmptyResult()

    async def _unsubscribe(
        self, context: Context, params: types.UnsubscribeRequestParams
    ) -> types.EmptyResult:
        self.subscribed.remove(_connection(context), str(params.uri))
        return types.EmptyResult()

    async def _listened(
        self, context: Context, params: types.SubscriptionsListenRequestParams
    ) -> types.SubscriptionsListenResult:
        with self.subscribed.listening():
            await self.subscribed.settle()
            return await self._listen(context, params)

    # --- prompts ---

    async def _prompt(
        self, _context: Context, params: types.GetPromptRequestParams
    ) -> types.GetPromptResult:
        given: Mapping[str, str] = params.arguments or {}
        text = await self._ask(lambda ws: self._service.prompt(ws, params.name, given))
        if text is None:
            raise MCPError(_INVALID_PARAMS, f"Prompt not found: {params.name[:200]}")
        content = types.TextContent(type="text", text=sound(text))
        return types.GetPromptResult(messages=[types.PromptMessage(role="user", content=content)])

    async def _ask(
        self,
        ask: Callable[[Workspace], T],
        *,
        is_reading: bool = True,
        is_long: bool = False,
        steps: Steps | None = None,
    ) -> T:
        def run() -> T:
            try:
                return ask(self._opening.workspace())
            except MemwikiError as error:
                raise _failed(error) from None
            except MCPError:
                raise
            except Exception as error:  # noqa: BLE001 - at the door
                self._tell(frames(error))
                raise MCPError(_INTERNAL_ERROR, UNEXPECTED) from None

        self._running += 1
        try:
            await self._opening.ready()
            return await self._workers.run(run, is_reading=is_reading, is_long=is_long, steps=steps)
        except IndexingError as error:
            raise _failed(error) from None
        finally:
            self._running -= 1


def _lists(
    result: Callable[..., types.Result], **rows: Sequence[Row]
) -> Callable[[Context, object], Awaitable[Any]]:
    """What answers that there are these rows."""

    async def listed(_context: Context, _params: object) -> Any:  # noqa: ANN401 - of that kind
        return result(**rows)

    return listed


def _failed(error: MemwikiError) -> MCPError:
    return MCPError(_INVALID_PARAMS, failure(error).text)


def _connection(context: Context) -> Connection:
    """What lasts while a client is there; a session is made for each request."""
    return context.session._connection


def _actor(context: Context) -> str:
    params = context.session.client_params
    client = params.client_info if params else None
    return f"{client.name}/{client.version} via mcp" if client else "mcp"


def _logged(tool: str, started: float, reply: ToolAnswer) -> str:
    """What was called and how it went; never what was asked or said."""
    outcome = reply.text.split(":", 1)[0][:60] if reply.is_error else "ok"
    outcome = outcome if outcome == "ok" or outcome.startswith("error ") else "error"
    return f"{tool} {(time.monotonic() - started) * 1000:.0f} ms {outcome}"
