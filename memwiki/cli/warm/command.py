"""In a process made for one command: taking the place of the command, and running it."""

from __future__ import annotations

import fcntl
import json
import os
import signal
import socket
import sys
import time
from collections.abc import Mapping
from contextlib import suppress
from typing import NamedTuple

from memwiki.cli import streams
from memwiki.cli.door import Door, KeptWorkspace
from memwiki.cli.main import main
from memwiki.cli.warm.client import (
    COMMANDS,
    GO,
    HEAD_BYTES,
    HELLO,
    INTERRUPT,
    READY,
    is_own,
    size_of,
    verb_of,
)
from memwiki.config import environment

_PATIENCE_S = 1.0  # with a request, which is there at once
_MAX_BYTES = 8_000_000
_STREAMS = 3
_GONE = 130


class CommandRequest(NamedTuple):
    """A command, as it was started."""

    program: bytes  # what it was started as
    folder: bytes
    umask: int
    arguments: list[str]
    environ: dict[bytes, bytes]
    descriptors: list[int]  # of the standard streams and the folder


def prepare(habit: str) -> None:
    """Open what was opened for the last command: the next one may want the same."""
    Door.asks_watcher = True
    with suppress(Exception):  # what is wrong, a command that wants it says
        root, verb, environ = json.loads(habit)
        _set_environment({os.fsencode(key): os.fsencode(value) for key, value in environ.items()})
        Door.kept = KeptWorkspace.of(root)
        # Its list of names is made from all pages.
        if verb == "suggest" and Door.kept.workspace.index.is_built():
            Door.kept.workspace.suggest("a")


def habit() -> str:
    """What was opened here, for `prepare`."""
    root = Door.last_root
    return json.dumps([root, verb_of(sys.argv[1:]), dict(environment())]) if root else ""


def run_for(link: socket.socket, program: bytes) -> None:
    """Run the command that asks at the other end, if it is one for us."""
    link.settimeout(_PATIENCE_S)
    if not is_own(link):
        return
    try:
        link.sendall(HELLO)
        request = receive_request(link)
        if request.program != program or not _became(request):
            return
        link.sendall(READY)
        if link.recv(1) != GO:
            return
    except (OSError, ValueError):
        return
    link.setblocking(False)
    with suppress(OSError):  # it may be gone
        link.send(bytes([_code(link)]))


def receive_request(link: socket.socket) -> CommandRequest:
    """The request; ValueError or OSError where it is none."""
    data, descriptors, _, _ = socket.recv_fds(link, HEAD_BYTES, _STREAMS + 1)
    if len(descriptors) != _STREAMS + 1:
        raise ValueError("not the streams and the folder of a command")
    size = size_of(data + _exactly(link, HEAD_BYTES - len(data)))
    if size > _MAX_BYTES:
        raise ValueError("longer than any command")
    program, folder, umask, count, *rest = _exactly(link, size).split(b"\0")
    if not 1 < int(count) <= len(rest):
        raise ValueError("not so many arguments")
    arguments = [os.fsdecode(each) for each in rest[: int(count)]]
    if verb_of(arguments[1:]) not in COMMANDS:
        raise ValueError("not a command that is answered")
    pairs = (each.partition(b"=") for each in rest[int(count) :])
    environ = {name: value for name, _, value in pairs}
    return CommandRequest(program, folder, int(umask), arguments, environ, descriptors)


def _exactly(link: socket.socket, size: int) -> bytes:
    parts = bytearray()
    while len(parts) < size:
        part = link.recv(min(size - len(parts), 1 << 16))
        if not part:
            raise ValueError("cut short")
        parts += part
    return bytes(parts)


def _became(request: CommandRequest) -> bool:
    """Take the streams, the folder and the environment of a command; whether the folder is the
    same seen from here."""
    for number, descriptor in enumerate(request.descriptors[:_STREAMS]):
        os.dup2(descriptor, number)
    os.fchdir(request.descriptors[_STREAMS])
    for descriptor in request.descriptors:
        os.close(descriptor)
    if os.getcwdb() != request.folder:
        return False
    os.umask(request.umask)
    _set_environment(request.environ)
    sys.argv[:] = request.arguments
    streams.take_streams()
    return True


def _set_environment(environ: Mapping[bytes, bytes]) -> None:
    os.environb.clear()
    os.environb.update(environ)
    time.tzset()


def _code(link: socket.socket) -> int:
    """Run it; what its person or its system does to it, happens to this process."""

    def heed(_number: int, _frame: object) -> None:
        try:
            said = link.recv(1)
        except BlockingIOError:
            return
        if said == INTERRUPT:
            raise KeyboardInterrupt
        os._exit(_GONE)  # it was ended, and so is this

    signal.signal(signal.SIGIO, heed)
    fcntl.fcntl(link, fcntl.F_SETOWN, os.getpid())
    fcntl.fcntl(link, fcntl.F_SETFL, fcntl.fcntl(link, fcntl.F_GETFL) | os.O_ASYNC)
    try:
        return main()
    finally:
        signal.signal(signal.SIGIO, signal.SIG_IGN)
