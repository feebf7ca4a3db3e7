"""Where a server listens, the token that it asks for, and which hosts and origins are its own."""

from __future__ import annotations

import os
import secrets
import socket
import stat
from collections.abc import Callable, Collection, Mapping, Sequence
from ipaddress import AddressValueError, IPv4Address, IPv6Address
from pathlib import Path
from typing import NamedTuple

from memwiki.errors import UsageError, WriteError, reason_of
from memwiki.nouns import Environ
from memwiki.records import grouped
from memwiki.text import pattern

LOCAL = ("127.0.0.1", "localhost", "::1")
_MIN_TOKEN_CHARS = 16


class Listening(NamedTuple):
    """Where a server listens, by which names it is asked for, and where its token is."""

    host: str
    port: int
    names: tuple[str, ...]
    token_file: str
    has_token: bool
    option: str = "--http"  # that asked for it

    @classmethod
    def at(
        cls,
        text: str,
        names: tuple[str, ...],
        token_file: str,
        *,
        has_token: bool,
        option: str = "--http",
    ) -> Listening:
        """`PORT` or `HOST:PORT`; UsageError for what would be open to others without being asked
        for."""
        host, _, port = text.rpartition(":")
        host = host.strip("[]") or LOCAL[0]
        if not port.isascii() or not port.isdigit() or not 0 <= int(port) < 65_536:
            raise UsageError(f"{option}: {text!r} is no port", f"for example {option} 8717")
        if host not in LOCAL and not (has_token and names):
            raise UsageError(
                f"--http: others can reach {host}; it needs a token and --allow-host NAME",
                "leave the host out to serve this machine alone",
            )
        return cls(host, int(port), names, token_file, has_token, option)


def listener(listening: Listening) -> socket.socket:
    """The socket, taken; UsageError where it cannot be."""
    family = socket.AF_INET6 if ":" in listening.host else socket.AF_INET
    try:
        taken = socket.create_server((listening.host, listening.port), family=family)
    except OSError as error:
        raise UsageError(
            f"{listening.option}: {listening.host}:{listening.port} cannot be served"
            f" ({reason_of(error)})",
            "take another port",
        ) from error
    # For all that come by it: else what is sent in two pieces waits 40 ms for word of the first.
    taken.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return taken


def token_of(listening: Listening, environ: Environ, tell: Callable[[str], None]) -> str:
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

    try:
        return user_data_path("memwiki") / "mcp-token"
    except RuntimeError as error:  # this user has no home folder
        raise UsageError("the token has no file", "give --token-file FILE") from error


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


_ADDRESS = pattern(r"(\[[0-9A-Fa-f:.]{2,45}\]|[0-9A-Za-z.-]{1,255})(?::([0-9]{1,5}))?")
_ORIGIN = pattern(r"(?i)https?://([^/]*)")
_LABEL = pattern(r"[0-9a-z](?:[0-9a-z-]{0,61}[0-9a-z])?")


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


def header_texts(headers: Sequence[tuple[bytes, bytes]]) -> Mapping[str, list[str]]:
    """The values of each header."""
    texts = ((key.decode("latin-1"), value.decode("latin-1")) for key, value in headers)
    return grouped((key.lower(), value) for key, value in texts)
