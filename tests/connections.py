"""No test reaches another machine: what connects to one, or asks for its name, raises."""

from __future__ import annotations

import socket
from ipaddress import ip_address
from typing import Any

_connect, _connect_ex, _getaddrinfo = (
    socket.socket.connect,
    socket.socket.connect_ex,
    socket.getaddrinfo,
)
_HERE = ("", "localhost", "localhost.localdomain", "ip6-localhost")
made: list[Any] = []  # every address of this process since the test began


class LeavesTheMachineError(BaseException):
    """Something asked for another machine; no handler of errors may hide it."""


def install() -> None:
    """Look at every connection from now on."""
    socket.socket.connect = _guarded(_connect)
    socket.socket.connect_ex = _guarded(_connect_ex)
    socket.getaddrinfo = _looked_up


def _guarded(call: Any) -> Any:
    def connect(self: socket.socket, address: Any) -> Any:
        if self.family != getattr(socket, "AF_UNIX", None):
            _require_here(address[0])
        made.append(address)
        return call(self, address)

    return connect


def _looked_up(host: Any, *args: Any, **named: Any) -> Any:
    _require_here(host)
    return _getaddrinfo(host, *args, **named)


def _require_here(host: Any) -> None:
    name = host.decode() if isinstance(host, bytes) else host or ""
    if name in _HERE or name == socket.gethostname():
        return
    try:
        is_here = ip_address(name).is_loopback or ip_address(name).is_unspecified
    except ValueError:
        is_here = False
    if not is_here:
        raise LeavesTheMachineError(name)
