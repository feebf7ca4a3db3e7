"""A server over HTTP: on this machine alone unless told, with a token, for known hosts only."""

from __future__ import annotations

import hmac
import os
import sys
import threading
from collections.abc import Awaitable, Callable, Mapping, MutableMapping, Sequence
from types import FrameType
from typing import Any, TypeAlias

import uvicorn
from mcp.server.transport_security import TransportSecuritySettings

from memwiki.config import environment
from memwiki.doors.server import SWITCH_SECONDS, McpServer
from memwiki.doors.service import Opening, Service, be_terse
from memwiki.serving.listening import (
    LOCAL,
    Listening,
    header_texts,
    host_of,
    is_asked_for,
    is_from_here,
    listener,
    token_of,
)
from memwiki.serving.timed import TimedProtocol

PATH = "/mcp"
_MAX_BYTES = 4 * 1024 * 1024
_LAST_SECONDS = 0.7
_Scope: TypeAlias = MutableMapping[str, Any]
_Receive: TypeAlias = Callable[[], Awaitable[MutableMapping[str, Any]]]
_Send: TypeAlias = Callable[[MutableMapping[str, Any]], Awaitable[None]]
_App: TypeAlias = Callable[[_Scope, _Receive, _Send], Awaitable[None]]


def serve_http(
    service: Service, opening: Opening, listening: Listening, tell: Callable[[str], None]
) -> None:
    """Serve until interrupted."""
    token = token_of(listening, environment(), tell) if listening.has_token else ""
    taken = listener(listening)
    be_terse(tell)
    sys.setswitchinterval(SWITCH_SECONDS)
    opening.begin()
    app = http_app(McpServer(service, opening, tell), listening, token)
    port = taken.getsockname()[1]
    host = f"[{listening.host}]" if ":" in listening.host else listening.host
    tell(f"serving http://{host}:{port}{PATH}")
    config = uvicorn.Config(
        app, http=TimedProtocol, log_config=None, access_log=False, timeout_graceful_shutdown=1
    )
    try:
        _Uvicorn(config).run([taken])
    finally:
        os._exit(0)  # what nobody waits for any more ends here


class _Uvicorn(uvicorn.Server):  # type: ignore[misc]
    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Streams stay open for ever; what is being written has as long as over stdio."""
        last = threading.Timer(_LAST_SECONDS, os._exit, (0,))
        last.daemon = True
        last.start()
        super().handle_exit(sig, frame)


def http_app(served: McpServer, listening: Listening, token: str) -> _App:
    """The application: hosts, origins and the token are checked on every request."""
    names = frozenset(filter(None, map(host_of, (*LOCAL[:2], "[::1]", *listening.names))))
    inner = served.server.streamable_http_app(
        streamable_http_path=PATH,
        max_request_body_size=_MAX_BYTES,
        # Our guard does it; the SDK compares texts, to which LOCALHOST is another host.
        transport_security=TransportSecuritySettings(enable_dns_rebinding_protection=False),
        host=listening.host,
    )
    return _Guard(inner, names, token)


class _Guard:
    """Refuses what comes by another name, from another page, or without the token."""

    def __init__(self, app: _App, names: frozenset[str], token: str) -> None:
        self._app, self._names, self._token = app, names, token.encode()

    async def __call__(self, scope: _Scope, receive: _Receive, send: _Send) -> None:
        if scope["type"] == "http":
            status = self._why_refused(header_texts(scope["headers"]))
            if status:
                await _refuse(send, status)
                return
        await self._app(scope, receive, send)

    def _why_refused(self, headers: Mapping[str, Sequence[str]]) -> int:
        if not is_asked_for(headers.get("host", ()), self._names):
            return 421
        if not is_from_here(headers.get("origin", ()), self._names):
            return 403
        given = "\n".join(headers.get("authorization", ())).encode("latin-1")
        wanted = b"Bearer " + self._token
        return 401 if self._token and not hmac.compare_digest(given, wanted) else 0


async def _refuse(send: _Send, status: int) -> None:
    headers = [(b"www-authenticate", b"Bearer")] if status == 401 else []
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": b""})
