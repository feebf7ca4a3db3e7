"""The process that has everything loaded. It makes copies of itself, each of which waits for one
command, is handed its streams, folder and environment, runs it, and ends.

So each command has a process of its own as ever and answers as ever; what it is spared is loading,
and opening the workspace that was asked last. This process has one thread and opens no store: a
copy of anything else would be a broken one.
"""

from __future__ import annotations

import gc
import json
import os
import select
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from socket import socket
from time import monotonic
from typing import NoReturn

from memwiki.cli import output
from memwiki.cli.warm.wire import COMMANDS, identity, socket_of
from memwiki.setup import warm

_MAX_COPIES = 16  # who comes when all of them are busy runs by himself
_SPARE = 2  # that wait, where there is time to make them
_RETRY_S = 5.0  # until the next look whether another process still listens
_QUIET_S = 0.2  # without a command, after which spare ones are made
_MAX_IDLE_S = 300.0  # of a copy: then it lets go of what it opened
_PIPE_BYTES = 1 << 16
_STREAMS, _MAX_OPEN = 3, 256
_BUSY = b"\n"


@contextmanager
def answering() -> Iterator[None]:
    """As long as this lasts, a process beside this one answers commands, unless another one does.
    To be called before there is a second thread."""
    place = warm.private_socket() if sys.platform.startswith("linux") else None
    if place is None or socket_of(os.environb) != bytes(place.path):
        yield
        return
    output.flush()
    ours, parents = os.pipe()
    if os.fork() == 0:
        os.close(parents)
        _serve(place, ours)
    os.close(ours)
    try:
        yield
    finally:
        os.close(parents)


def _serve(place: warm.PrivateSocket, parent: int) -> NoReturn:
    """Answer until the parent ends, which closes its end of the pipe."""
    try:
        os.setsid()  # what a terminal sends to the parent is not for this one
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, signal.SIG_DFL)
        output.leave_streams()
        program = identity(os.environb)
        is_over = False
        while not (is_over or place.lock.acquire(0)):
            is_over = bool(select.select([parent], [], [], _RETRY_S)[0])
        if not is_over:
            with place.listen() as listener:
                ForkServer(place, listener, parent, program).run()
            place.remove()
    finally:
        os._exit(0)


class ForkServer:
    """Makes the copies, and learns from each what the next one needs."""

    def __init__(
        self, place: warm.PrivateSocket, listener: socket, parent: int, program: bytes
    ) -> None:
        self._place, self._listener, self._parent = place, listener, parent
        self._program = program
        self._life, self._own_life = os.pipe()  # the copies see when this process ends
        self._reports: dict[int, bytes] = {}  # what each copy has said; at first nothing
        self._habit = ""  # what was opened for the last command
        listener.setblocking(False)  # several wait, and one gets it

    def run(self) -> None:
        """Answer until the parent ends."""
        self._load()
        is_quiet = True
        while True:
            waiting = sum(not said for said in self._reports.values())
            if waiting < (_SPARE if is_quiet else 1) and len(self._reports) < _MAX_COPIES:
                self._copy()
            ready = select.select([self._parent, *self._reports], [], [], _QUIET_S)[0]
            if self._parent in ready:
                return
            is_quiet = not ready
            for report in ready:
                self._take(report)

    def _load(self) -> None:
        """Load what all commands need; the rest is learned."""
        from memwiki.cli.dispatch import command_of, load

        for name in sorted(COMMANDS):
            command_of(load(name))
        _import(["memwiki.cli.warm.command", "memwiki.workspace"])

    def _copy(self) -> None:
        theirs, report = os.pipe()
        if os.fork() == 0:
            self._wait(report)
        os.close(report)
        self._reports[theirs] = b""

    def _take(self, report: int) -> None:
        """Take in what a copy says: that it is busy, and at its end what it needed."""
        if part := os.read(report, _PIPE_BYTES):
            if not self._reports[report]:
                self._place.note_answer()
            self._reports[report] += part
            return
        os.close(report)
        said = self._reports.pop(report).removeprefix(_BUSY)
        with suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        with suppress(ValueError):  # it was killed, or turned away what it was asked
            names, self._habit = json.loads(said)
            if names:
                _import(names)

    # --- in a copy ---

    def _wait(self, report: int) -> NoReturn:
        """Wait for one command, run it, and say what had to be loaded for it."""
        from memwiki.cli.warm.command import habit, prepare, run_for

        try:
            kept = sorted((report, self._life, self._listener.fileno()))
            starts = (_STREAMS, *(number + 1 for number in kept))
            for first, stop in zip(starts, (*kept, _MAX_OPEN), strict=True):
                os.closerange(first, stop)
            prepare(self._habit)
            before = set(sys.modules)
            if link := self._next_link():
                os.write(report, _BUSY)
                self._listener.close()
                run_for(link, self._program)
                said = json.dumps([sorted(sys.modules.keys() - before), habit()])
                os.write(report, said.encode())
        finally:
            os._exit(0)

    def _next_link(self) -> socket | None:
        """Whoever comes next; None where nobody does for long, or all is over."""
        until = monotonic() + _MAX_IDLE_S
        while (left := until - monotonic()) > 0:
            ready = select.select([self._listener.fileno(), self._life], [], [], left)[0]
            if self._life in ready:
                break
            with suppress(BlockingIOError, ConnectionError):
                link, _ = self._listener.accept()
                return link
        return None


def _import(names: list[str]) -> None:
    for name in names:
        with suppress(Exception):  # what cannot be loaded here, a command says
            import_module(name)
    gc.collect()
    gc.freeze()  # so that copies leave it where it is
