"""A server over HTTP: on this machine alone unless told, with a token, for known hosts only."""

from __future__ import annotations

import hmac
import os
import secrets
import socket
import stat
import sys
import threading
from collections.abc import Awaitable, Callable, Mapping, MutableMapping, Sequence
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple, TypeAlias

import uvicorn
from mcp.server.transport_security import TransportSecuritySettings

from memwiki.config import environment
from memwiki.doors.mcp.addresses import host_of, is_asked_for, is_from_here
from memwiki.doors.mcp.header_limit import TimedProtocol
from memwiki.doors.mcp.opening import Opening
from memwiki.doors.mcp.server import SWITCH_SECONDS, McpServer
from memwiki.doors.mcp.service import Service
from memwiki.doors.mcp.terse import be_terse
from memwiki.errors import UsageError, WriteError, reason_of, shell_word

PATH = "/mcp"
_LOCAL = ("127.0.0.1", "localhost", "::1")
_MOST_BYTES = 4 * 1024 * 1024
_LEAST_TOKEN = 16
_LAST_SECONDS = 0.7
_Scope: TypeAlias = MutableMapping[str, Any]
_Receive: TypeAlias = Callable[[], Awaitable[MutableMapping[str, Any]]]
_Send: TypeAlias = Callable[[MutableMapping[str, Any]], Awaitable[None]]
_App: TypeAlias = Callable[[_Scope, _Receive, _Send], Awaitable[None]]


class Listening(NamedTuple):
    """Where a server listens, by which names it is asked for, and where its token is."""

    host: str
    port: int
    names: tuple[str, ...]
    token_file: str
    has_token: bool

    @classmethod
    def at(
        cls, text: str, names: tuple[str, ...], token_file: str, *, has_token: bool
    ) -> Listening:
        """`PORT` or `HOST:PORT`; UsageError for what would be open to others without being asked
        for."""
        host, _, port = text.rpartition(":")
        host = host.strip("[]") or _LOCAL[0]
        if not port.isascii() or not port.isdigit() or not 0 <= int(port) < 65_536:
            raise UsageError(f"--http: {text!r} is no port", hint="for example --http 8717")
        if host not in _LOCAL and not (has_token and names):
            raise UsageError(
                f"--http: others can reach {host}; it needs a token and --allow-host NAME",
                hint="leave the host out to serve this machine alone",
            )
        return cls(host, int(port), names, token_file, has_token)


def serve_http(
    service: Service, opening: Opening, listening: Listening, tell: Callable[[str], None]
) -> None:
    """Serve until interrupted."""
    token = _token(listening, environment(), tell) if listening.has_token else ""
    listener = _listener(listening)
    be_terse(tell)
    sys.setswitchinterval(SWITCH_SECONDS)
    opening.begin()
    app = http_app(McpServer(service, opening, tell), listening, token)
    port = listener.getsockname()[1]
    host = f"[{listening.host}]" if ":" in listening.host else listening.host
    tell(f"serving http://{host}:{port}{PATH}")
    config = uvicorn.Config(
        app, http=TimedProtocol, log_config=None, access_log=False, timeout_graceful_shutdown=1
    )
    try:
        _Uvicorn(config).run([listener])
    finally:
        os._exit(0)  # what nobody waits for any more ends here


class _Uvicorn(uvicorn.Server):  # type: ignore[misc]
    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Streams stay open for ever; what is being written has as long as over stdio."""
        last = threading.Timer(_LAST_SECONDS, os._exit, (0,))
        last.daemon = True
        last.start()
        super().handle_exit(sig, frame)


def _listener(listening: Listening) -> socket.socket:
    family = socket.AF_INET6 if ":" in listening.host else socket.AF_INET
    try:
        return socket.create_server((listening.host, listening.port), family=family)
    except OSError as error:
        raise UsageError(
            f"--http: {listening.host}:{listening.port} cannot be served ({reason_of(error)})",
            hint="take another port",
        ) from error


def http_app(served: McpServer, listening: Listening, token: str) -> _App:
    """The application: hosts, origins and the token are checked on every request."""
    names = frozenset(filter(None, map(host_of, (*_LOCAL[:2], "[::1]", *listening.names))))
    inner = served.server.streamable_http_app(
        streamable_http_path=PATH,
        max_request_body_size=_MOST_BYTES,
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
            status = self._why_refused(_texts(scope["headers"]))
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


def _texts(headers: Sequence[tuple[bytes, bytes]]) -> Mapping[str, list[str]]:
    """The values of each header."""
    found: dict[str, list[str]] = {}
    for key, value in headers:
        found.setdefault(key.decode("latin-1").lower(), []).append(value.decode("latin-1"))
    return found


async def _refuse(send: _Send, status: int) -> None:
    headers = [(b"www-authenticate", b"Bearer")] if status == 401 else []
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": b""})


def _token(listening: Listening, environ: Mapping[str, str], tell: Callable[[str], None]) -> str:
    """The token of the file that is named, of the environment, or of the user's own file, which is
    made once."""
    if not listening.token_file and environ.get("MEMWIKI_MCP_TOKEN"):
        return _long_enough(environ["MEMWIKI_MCP_TOKEN"], "MEMWIKI_MCP_TOKEN")
    file = Path(listening.token_file) if listening.token_file else _own_file()
    if not listening.token_file and not file.exists():
        _make(file)
    tell(f"the token is in {file}")
    try:
        if os.name != "nt" and stat.S_IMODE(file.stat().st_mode) & 0o077:
            raise UsageError(
                f"{file}: others can read it", hint=f"chmod 600 {shell_word(str(file))}"
            )
        return _long_enough(file.read_text(encoding="utf-8").strip(), str(file))
    except (OSError, ValueError) as error:
        raise UsageError(f"{file}: cannot be read", hint="give --token-file FILE") from error


def _long_enough(token: str, where: str) -> str:
    if len(token) < _LEAST_TOKEN:
        raise UsageError(f"{where}: has fewer than {_LEAST_TOKEN} characters", hint="take more")
    return token


def _own_file() -> Path:
    from platformdirs import user_data_path

    return user_data_path("memwiki") / "mcp-token"


def _make(file: Path) -> None:
    try:
        file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w") as opened:
            opened.write(secrets.token_urlsafe(32) + "\n")
    except FileExistsError:
        return
    except OSError as error:
        raise WriteError(
            f"{file}: could not be written ({reason_of(error)})", hint="give --token-file FILE"
        ) from error
