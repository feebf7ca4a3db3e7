"""A server over standard input and output; it ends with its input, its parent, or when told to."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable

import anyio
from mcp.server.stdio import stdio_server

from memwiki.doors.mcp.opening import Opening
from memwiki.doors.mcp.server import McpServer
from memwiki.doors.mcp.service import Service

_LOOK_SECONDS = 0.3


def serve_stdio(service: Service, opening: Opening, tell: Callable[[str], None]) -> None:
    """Serve one client until it goes."""
    opening.begin()
    anyio.run(_serve, McpServer(service, opening, tell))
    os._exit(0)  # a first index that is being built, or a read nobody waits for, ends here


async def _serve(served: McpServer) -> None:
    async with anyio.create_task_group() as group:
        group.start_soon(_end_with_parent, group.cancel_scope, os.getppid())
        group.start_soon(_end_when_told, group.cancel_scope)
        async with stdio_server() as (read, write):
            await served.server.run(read, write, served.server.create_initialization_options())
        group.cancel_scope.cancel()


async def _end_with_parent(scope: anyio.CancelScope, parent: int) -> None:
    """Hosts leave pipes open when they die."""
    while os.getppid() == parent:
        await anyio.sleep(_LOOK_SECONDS)
    scope.cancel()
    await _end_soon()


async def _end_when_told(scope: anyio.CancelScope) -> None:
    if sys.platform == "win32":
        return
    with anyio.open_signal_receiver(signal.SIGTERM, signal.SIGINT) as signals:
        async for _ in signals:
            scope.cancel()
            await _end_soon()


async def _end_soon() -> None:
    """A reader of standard input cannot be cancelled: it waits for a line that does not come."""
    with anyio.CancelScope(shield=True):
        await anyio.sleep(_LOOK_SECONDS)
    os._exit(0)
