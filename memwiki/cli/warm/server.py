"""The process that has everything loaded and answers commands, and a watcher in the background.

So each command has a process of its own as ever and answers as ever; what it is spared is loading,
and opening the workspace that was asked last. This process has one thread and opens no store: a
copy of anything else would be a broken one.
"""

from __future__ import annotations

import gc
import json
import os
import re
import select
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from pathlib import Path
from socket import socket
from time import monotonic
from typing import NoReturn

from memwiki import errors
from memwiki.cli import streams
from memwiki.cli.warm.client import COMMANDS, identity, socket_of
from memwiki.clock import now_ns
from memwiki.errors import MemwikiError, UsageError
from memwiki.setup import machine
from memwiki.text import COMPILED

_SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86400}
_LOOK_S = 0.5
_MAX_GONE = 10  # looks at a folder that is not there; a program may be putting another in its place
_PIPE_BYTES = 1 << 16
_BEGUN = b"begun"


def seconds_of(text: str) -> int:
    """A time such as `90s`, `30m` or `1h`, in seconds; 0 for no text."""
    found = re.fullmatch(r"([1-9][0-9]{0,5})([smhd])", text)
    if text and not found:
        raise UsageError(f"--idle: {text} is not a time", "for example --idle 1h")
    return int(found[1]) * _SECONDS[found[2]] if found else 0


def in_background(run: Callable[[Callable[[], None]], None], log: Path) -> int:
    """Run this in a process of its own, which prints into a file and calls what it is handed as
    soon as it has begun; gives its number. What it raises before that is raised here."""
    if not hasattr(os, "fork"):
        raise UsageError("--background: not on this system", "memwiki watch, as a service")
    streams.flush()
    theirs, ours = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(theirs)
        _run(run, log, ours)
    os.close(ours)
    said = os.read(theirs, _PIPE_BYTES)
    os.close(theirs)
    if said != _BEGUN:
        name, *about = json.loads(said or b'["MemwikiError", "watch: it ended at once", ""]')
        raise getattr(errors, name, MemwikiError)(*about)
    return pid


def _run(run: Callable[[Callable[[], None]], None], log: Path, report: int) -> NoReturn:
    code = 1
    try:
        os.setsid()
        streams.log_to(log)
        run(lambda: _say(report, _BEGUN))
        code = 0
    except MemwikiError as error:
        _say(report, json.dumps([type(error).__name__, error.message, error.hint]).encode())
    finally:
        os._exit(code)


def _say(report: int, what: bytes) -> None:
    with suppress(OSError):  # it was said
        os.write(report, what)
        os.close(report)


class QuietEnd:
    """Ends a watcher when its folder is gone, or when nothing has happened for so long."""

    def __init__(self, root: Path, idle_s: int) -> None:
        self._root, self._idle_s = root, idle_s
        self._is_over = threading.Event()
        self._gone = 0
        self.note()

    def note(self) -> None:
        """Something happened."""
        self._last = now_ns() / 1e9

    @contextmanager
    def of(self, stop: Callable[[], None]) -> Iterator[None]:
        """Meanwhile call this when it is time."""
        looking = threading.Thread(target=self._look, args=(stop,), name="quiet end", daemon=True)
        looking.start()
        try:
            yield
        finally:
            self._is_over.set()
            looking.join()

    def _look(self, stop: Callable[[], None]) -> None:
        while not self._is_over.wait(_LOOK_S):
            self._gone = 0 if os.path.isdir(self._root) else self._gone + 1
            if self._gone > _MAX_GONE or (self._idle_s and self._is_idle()):
                stop()
                return

    def _is_idle(self) -> bool:
        place = machine.private_socket()
        last = max(self._last, place.last_answer() if place else 0.0)
        return now_ns() / 1e9 - last > self._idle_s


_MAX_COPIES = 16  # who comes when all of them are busy runs by himself
_SPARE = 2  # that wait, where there is time to make them
_RETRY_S = 5.0  # until the next look whether another process still listens
_QUIET_S = 0.2  # without a command, after which spare ones are made
_MAX_IDLE_S = 300.0  # of a copy: then it lets go of what it opened
_STREAMS, _MAX_OPEN = 3, 256
_BUSY = b"\n"


@contextmanager
def answering() -> Iterator[None]:
    """As long as this lasts, a process beside this one answers commands, unless another one does.
    To be called before there is a second thread."""
    place = machine.private_socket() if sys.platform.startswith("linux") else None
    if place is None or socket_of(os.environb) != bytes(place.path):
        yield
        return
    streams.flush()
    ours, parents = os.pipe()
    if os.fork() == 0:
        os.close(parents)
        _serve(place, ours)
    os.close(ours)
    try:
        yield
    finally:
        os.close(parents)


def _serve(place: machine.PrivateSocket, parent: int) -> NoReturn:
    """Answer until the parent ends, which closes its end of the pipe."""
    try:
        os.setsid()  # what a terminal sends to the parent is not for this one
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, signal.SIG_DFL)
        streams.leave_streams()
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
        self, place: machine.PrivateSocket, listener: socket, parent: int, program: bytes
    ) -> None:
        self._place, self._listener, self._parent = place, listener, parent
        self._program = program
        self._life, self._own_life = os.pipe()  # the copies see when this process ends
        self._reports: dict[int, bytes] = {}  # what each copy has said; at first nothing
        self._habit = ""  # what was opened for the last command
        listener.setblocking(False)  # several wait, and one gets it

    def run(self) -> None:
        """Answer until the parent ends."""
        load_commands()
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
            names, patterns, self._habit = json.loads(said)
            for each in patterns:
                re.compile(*each)  # which keeps them
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
            before, compiled = set(sys.modules), set(COMPILED)
            if link := self._next_link():
                os.write(report, _BUSY)
                self._listener.close()
                run_for(link, self._program)
                names = sorted(sys.modules.keys() - before)
                patterns = [key for key in COMPILED.keys() - compiled if isinstance(key[0], str)]
                os.write(report, json.dumps([names, patterns, habit()]).encode())
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


def load_commands() -> None:
    """Load what all commands need; the rest, such as typer for a line that is odd, is learned."""
    from memwiki.cli.dispatch import load

    for name in sorted(COMMANDS):
        load(name)
    _import(["memwiki.cli.warm.command", "memwiki.workspace"])


def _import(names: list[str]) -> None:
    for name in names:
        with suppress(Exception):  # what cannot be loaded here, a command says
            import_module(name)
    gc.collect()
    gc.freeze()  # so that copies leave it where it is
