"""A server over HTTP: on this machine alone unless told, with a token, for known hosts only."""

from __future__ import annotations

import asyncio
import hmac
import os
import secrets
import socket
import stat
import sys
import threading
from collections.abc import Awaitable, Callable, Collection, Mapping, MutableMapping, Sequence
from ipaddress import AddressValueError, IPv4Address, IPv6Address
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple, TypeAlias

import uvicorn
from mcp.server.transport_security import TransportSecuritySettings
from uvicorn.protocols.http.h11_impl import H11Protocol

from memwiki.config import environment
from memwiki.doors.mcp.opening import Opening
from memwiki.doors.mcp.server import SWITCH_SECONDS, McpServer
from memwiki.doors.mcp.service import Service, be_terse
from memwiki.errors import UsageError, WriteError, reason_of
from memwiki.patterns import pattern

_ADDRESS = pattern(r"(\[[0-9A-Fa-f:.]{2,45}\]|[0-9A-Za-z.-]{1,255})(?::([0-9]{1,5}))?")
_ORIGIN = pattern(r"(?i)https?://([^/]*)")
_LABEL = pattern(r"[0-9a-z](?:[0-9a-z-]{0,61}[0-9a-z])?")
HEADER_SECONDS = 10.0
_NO_HEAD_YET = "IDLE"  # a state of h11, on which uvicorn stands
PATH = "/mcp"
_LOCAL = ("127.0.0.1", "localhost", "::1")
_MAX_BYTES = 4 * 1024 * 1024
_MIN_TOKEN_CHARS = 16
_LAST_SECONDS = 0.7
_Scope: TypeAlias = MutableMapping[str, Any]
_Receive: TypeAlias = Callable[[], Awaitable[MutableMapping[str, Any]]]
_Send: TypeAlias = Callable[[MutableMapping[str, Any]], Awaitable[None]]
_App: TypeAlias = Callable[[_Scope, _Receive, _Send], Awaitable[None]]


def host_of(text: str) -> str:
    """The host of `HOST` or `HOST:PORT` in one spelling, "" for what is no address: names in lower
    case and without the stop of the root, IPv6 in brackets and short."""
    found = _ADDRESS.fullmatch(text)
    if not found or int(found[2] or 0) > 65_535:
        return ""
    host = found[1].lower()
    if host.startswith("["):
        return _bracketed(host[1:-1])
    name = host.removesuffix(".")
    labels = name.split(".")
    is_name = all(map(_LABEL.fullmatch, labels))
    return name if is_name and (not labels[-1].isdigit() or _is_four(name)) else ""


def _bracketed(text: str) -> str:
    try:
        return f"[{IPv6Address(text)}]"
    except AddressValueError:
        return ""


def _is_four(text: str) -> bool:
    """Whether a name that ends in a number is the address that it looks like."""
    try:
        return str(IPv4Address(text)) == text
    except AddressValueError:
        return False


def is_asked_for(given: Sequence[str], names: Collection[str]) -> bool:
    """Whether the one `Host` of a request is among the names of a server."""
    return len(given) == 1 and host_of(given[0]) in names


def is_from_here(given: Sequence[str], names: Collection[str]) -> bool:
    """Whether a request comes from no web page, or from one of a server of these names."""
    if not given:
        return True
    found = _ORIGIN.fullmatch(given[0])
    return len(given) == 1 and found is not None and host_of(found[1]) in names


class TimedProtocol(H11Protocol):  # type: ignore[misc]
    """Closes a connection whose request, from its first byte on, does not begin in time.

    uvicorn limits only the wait for a first byte, and that only behind another request.
    """

    _limit: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:  # noqa: ANN401 - as the protocol has it
        """A client that says nothing at all is not waited for, either."""
        super().connection_made(transport)
        self._arm()

    def data_received(self, data: bytes) -> None:
        """Time the head, and nothing that comes after it."""
        super().data_received(data)
        if str(self.conn.their_state) == _NO_HEAD_YET:
            self._arm()
        else:
            self._disarm()

    def connection_lost(self, exc: Exception | None) -> None:
        """Nothing is left to be closed."""
        self._disarm()
        super().connection_lost(exc)

    def _arm(self) -> None:
        self._limit = self._limit or self.loop.call_later(HEADER_SECONDS, self._cut)

    def _disarm(self) -> None:
        if self._limit:
            self._limit.cancel()
        self._limit = None

    def _cut(self) -> None:
        self.transport.abort()


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
            raise UsageError(f"--http: {text!r} is no port", "for example --http 8717")
        if host not in _LOCAL and not (has_token and names):
            raise UsageError(
                f"--http: others can reach {host}; it needs a token and --allow-host NAME",
                "leave the host out to serve this machine alone",
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
            "take another port",
        ) from error


def http_app(served: McpServer, listening: Listening, token: str) -> _App:
    """The application: hosts, origins and the token are checked on every request."""
    names = frozenset(filter(None, map(host_of, (*_LOCAL[:2], "[::1]", *listening.names))))
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
            raise UsageError(f"{file}: others can read it", "chmod 600 {}", file)
        return _long_enough(file.read_text(encoding="utf-8").strip(), str(file))
    except (OSError, ValueError) as error:
        raise UsageError(f"{file}: cannot be read", "give --token-file FILE") from error


def _long_enough(token: str, where: str) -> str:
    if len(token) < _MIN_TOKEN_CHARS:
        raise UsageError(f"{where}: has fewer than {_MIN_TOKEN_CHARS} characters", "take more")
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
            f"{file}: could not be written ({reason_of(error)})", "give --token-file FILE"
        ) from error
