"""Serving until interrupted."""

from __future__ import annotations

import asyncio
import logging
import socket
from collections.abc import Callable
from types import FrameType

import uvicorn

from memwiki.serving.timed import TimedProtocol
from memwiki.web.app import web_app
from memwiki.web.guard import MAX_HEADER_BYTES
from memwiki.web.site import Site

MAX_CONNECTIONS = 32
LEAVING_SECONDS = 5  # for writes to end, and for clients to take what they were sent


class _EndFilter(logging.Filter):
    """Leaves out what was cut off at the end, with its traceback: the end is no error."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether to say it."""
        error = record.exc_info and record.exc_info[1]
        is_cut = isinstance(error, asyncio.CancelledError)
        return not is_cut and not record.getMessage().startswith("Cancel ")


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
        timeout_graceful_shutdown=LEAVING_SECONDS,
    )
    ready()  # the socket listens already: who comes early waits a moment
    logging.getLogger("uvicorn.error").addFilter(_EndFilter())
    server = uvicorn.Server(config)
    leave = server.handle_exit

    def let_go(sig: int, frame: FrameType | None) -> None:
        site.end()  # what is open then would be cut off later
        leave(sig, frame)

    server.handle_exit = let_go
    server.run([taken])
