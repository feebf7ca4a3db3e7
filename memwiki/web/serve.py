"""Serving until interrupted."""

from __future__ import annotations

import socket
from collections.abc import Callable
from types import FrameType

import uvicorn

from memwiki.serving.timed import TimedProtocol
from memwiki.web.app import web_app
from memwiki.web.guard import MAX_HEADER_BYTES
from memwiki.web.site import Site

MAX_CONNECTIONS = 32


def serve_site(site: Site, taken: socket.socket, ready: Callable[[], None]) -> None:
    """Answer on a socket; `ready` is called when it does."""
    config = uvicorn.Config(
        web_app(site),
        http=TimedProtocol,
        ws="none",  # a library that is there would be loaded
        loop="asyncio",
        log_config=None,
        access_log=False,  # addresses are nobody's business
        server_header=False,
        limit_concurrency=MAX_CONNECTIONS,
        h11_max_incomplete_event_size=MAX_HEADER_BYTES,
        timeout_graceful_shutdown=1,
    )
    ready()  # the socket listens already: who comes early waits a moment
    server = uvicorn.Server(config)
    leave = server.handle_exit

    def let_go(sig: int, frame: FrameType | None) -> None:
        site.events.end()  # open tabs would be cut off a second later, with a traceback
        leave(sig, frame)

    server.handle_exit = let_go
    server.run([taken])
