"""A server over standard input and output; it ends with its input, its parent, or when told to."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable

import anyio
from mcp.server.stdio import stdio_server
from mcp.shared.message import SessionMessage

from memwiki.doors.server import SWITCH_SECONDS, McpServer, relay
from memwiki.doors.service import Opening, Service, be_terse
from memwiki.tools.call import frames

_LOOK_SECONDS = 0.2
_LAST_SECONDS = 0.6  # for what is being answered, and above all written
_OUT_SECONDS = 0.1  # for its answer to leave


def serve_stdio(
    service: Service, opening: Opening, tell: Callable[[str], None], parent: int
) -> None:
    """Serve one client until it goes; `parent` is the process that started this one."""
    be_terse(tell)
    sys.setswitchinterval(SWITCH_SECONDS)
    opening.begin()
    status = 1
    try:
        anyio.run(_serve, McpServer(service, opening, tell), parent)
        status = 0
    finally:  # a first index that is being built, or a read nobody waits for, ends here
        if status:
            tell(frames(sys.exc_info()[1]))
        os._exit(status)


async def _serve(served: McpServer, parent: int) -> None:
    async with anyio.create_task_group() as group:
        group.start_soon(_end_with_parent, served, parent)
        group.start_soon(_end_when_told, served)
        send, receive = anyio.create_memory_object_stream[SessionMessage | Exception](0)
        async with stdio_server() as (read, write):

            async def pass_on() -> None:
                async with send:
                    await relay(read, send.send, write.send)
                    await served.settle(_LAST_SECONDS)

            group.start_soon(pass_on)
            options = served.server.create_initialization_options()
            try:
                await served.server.run(receive, write, options)
            finally:  # also when nobody reads what is written, and the input stays open
                group.start_soon(_end, served)


async def _end_with_parent(served: McpServer, parent: int) -> None:
    """Hosts leave pipes open when they die."""
    while os.getppid() == parent:
        await anyio.sleep(_LOOK_SECONDS)
    await _end(served)


async def _end_when_told(served: McpServer) -> None:
    if sys.platform == "win32":
        return
    with anyio.open_signal_receiver(signal.SIGTERM, signal.SIGINT) as signals:
        async for _ in signals:
            await _end(served)


async def _end(served: McpServer) -> None:
    """A reader of standard input cannot be cancelled: it waits for a line that does not come."""
    with anyio.CancelScope(shield=True):
        await served.settle(_LAST_SECONDS)
        await anyio.sleep(_OUT_SECONDS)
    os._exit(0)
