"""The protocol's server over a service: each call in a thread, the loop free for the next one."""

from __future__ import annotations

import json
import time
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

import anyio
import mcp_types as types
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import NotificationOptions, Server
from mcp.server.subscriptions import ListenHandler
from mcp.shared.exceptions import MCPError

from memwiki import __version__
from memwiki.doors.mcp.opening import Opening
from memwiki.doors.mcp.service import Reply, Service
from memwiki.doors.mcp.subscribed import Subscribed
from memwiki.doors.mcp.workers import Steps, Workers
from memwiki.doors.tools.failures import failure
from memwiki.errors import MemwikiError

if TYPE_CHECKING:
    from memwiki.workspace import Workspace

T = TypeVar("T")
Context: TypeAlias = "ServerRequestContext[Any, Any]"
_INVALID_PARAMS = -32602
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
        self._workers = Workers()
        self.subscribed = Subscribed(opening)
        self.server = _Telling(
            service.name,
            version=__version__,
            instructions=service.instructions or None,
            lifespan=self._lifespan,
            on_list_tools=self._list_tools,
            on_call_tool=self._call,
            on_list_resources=self._list_resources,
            on_list_resource_templates=self._list_templates,
            on_read_resource=self._read,
            on_subscribe_resource=self._subscribe,
            on_unsubscribe_resource=self._unsubscribe,
            on_subscriptions_listen=ListenHandler(self.subscribed),
            on_list_prompts=self._list_prompts if service.prompts else None,
            on_get_prompt=self._prompt if service.prompts else None,
        )

    def close(self) -> None:
        """End the threads."""
        self._workers.close(self._opening.leave)

    @asynccontextmanager
    async def _lifespan(self, _server: Server[Any]) -> AsyncIterator[None]:
        async with anyio.create_task_group() as group:
            group.start_soon(self.subscribed.run)
            yield
            group.cancel_scope.cancel()

    # --- tools ---

    async def _list_tools(self, _context: Context, _params: object) -> types.ListToolsResult:
        rows = [types.Tool.model_validate(row) for row in self._service.tools]
        return types.ListToolsResult(tools=rows)

    async def _call(
        self, context: Context, params: types.CallToolRequestParams
    ) -> types.CallToolResult:
        name, arguments = params.name, params.arguments or {}
        is_reading, started = self._service.is_reading(name), time.monotonic()
        actor, steps = _actor(context), Steps()

        def run() -> Reply:
            try:
                found = self._opening.workspace()
            except MemwikiError as error:
                return Reply([failure(error).text], is_error=True)
            return self._service.call(found.by(actor), name, arguments, steps.note)

        async with anyio.create_task_group() as group:
            group.start_soon(self._tell_progress, context, steps)
            reply = await self._workers.run(run, is_reading=is_reading, steps=steps)
            group.cancel_scope.cancel()
        known = name if name in _names(self._service) else "unknown tool"
        self._tell(_logged(known, started, reply))
        structured = None
        if reply.structured is not None and not reply.is_error:
            structured = json.loads(_sound(json.dumps(reply.structured, ensure_ascii=False)))
        return types.CallToolResult(
            content=[types.TextContent(type="text", text=_sound(text)) for text in reply.texts],
            structured_content=structured,
            is_error=reply.is_error,
        )

    async def _tell_progress(self, context: Context, steps: Steps) -> None:
        told = 0
        while True:
            await anyio.sleep(_TELL_EVERY)
            done, total = (steps.done, steps.total) if steps.total else self._opening.progress
            if done > told:  # the protocol asks for numbers that rise
                told = done
                await context.session.report_progress(done, total or None)

    # --- resources ---

    async def _list_resources(
        self, _context: Context, _params: object
    ) -> types.ListResourcesResult:
        rows = [types.Resource.model_validate(row) for row in self._service.resources]
        return types.ListResourcesResult(resources=rows)

    async def _list_templates(
        self, _context: Context, _params: object
    ) -> types.ListResourceTemplatesResult:
        rows = [types.ResourceTemplate.model_validate(row) for row in self._service.templates]
        return types.ListResourceTemplatesResult(resource_templates=rows)

    async def _read(
        self, _context: Context, params: types.ReadResourceRequestParams
    ) -> types.ReadResourceResult:
        uri = str(params.uri)
        found = await self._asked(lambda ws: self._service.read(ws, uri))
        if found is None:
            raise MCPError(_INVALID_PARAMS, f"Resource not found: {uri[:200]}", {"uri": uri[:200]})
        text = types.TextResourceContents(
            uri=found.uri, mime_type=found.mime_type, text=_sound(found.text)
        )
        return types.ReadResourceResult(contents=[text])

    async def _subscribe(
        self, context: Context, params: types.SubscribeRequestParams
    ) -> types.EmptyResult:
        self.subscribed.add(context.session, str(params.uri))
        return types.EmptyResult()

    async def _unsubscribe(
        self, context: Context, params: types.UnsubscribeRequestParams
    ) -> types.EmptyResult:
        self.subscribed.remove(context.session, str(params.uri))
        return types.EmptyResult()

    # --- prompts ---

    async def _list_prompts(self, _context: Context, _params: object) -> types.ListPromptsResult:
        rows = [types.Prompt.model_validate(row) for row in self._service.prompts]
        return types.ListPromptsResult(prompts=rows)

    async def _prompt(
        self, _context: Context, params: types.GetPromptRequestParams
    ) -> types.GetPromptResult:
        given: Mapping[str, str] = params.arguments or {}
        text = await self._asked(lambda ws: self._service.prompt(ws, params.name, given))
        if text is None:
            raise MCPError(_INVALID_PARAMS, f"Prompt not found: {params.name[:200]}")
        content = types.TextContent(type="text", text=_sound(text))
        return types.GetPromptResult(messages=[types.PromptMessage(role="user", content=content)])

    async def _asked(self, ask: Callable[[Workspace], T]) -> T:
        def run() -> T:
            try:
                return ask(self._opening.workspace())
            except MemwikiError as error:
                raise MCPError(_INVALID_PARAMS, failure(error).text) from error

        return await self._workers.run(run, is_reading=True)


def _actor(context: Context) -> str:
    params = context.session.client_params
    client = params.client_info if params else None
    return f"{client.name}/{client.version} via mcp" if client else "mcp"


def _names(service: Service) -> set[str]:
    return {str(row["name"]) for row in service.tools}


def _logged(tool: str, started: float, reply: Reply) -> str:
    """What was called and how it went; never what was asked or said."""
    outcome = reply.texts[0].split(":", 1)[0][:60] if reply.is_error else "ok"
    outcome = outcome if outcome == "ok" or outcome.startswith("error ") else "error"
    return f"{tool} {(time.monotonic() - started) * 1000:.0f} ms {outcome}"


def _sound(text: str) -> str:
    """With halves of characters replaced, which JSON of the wire cannot hold."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
