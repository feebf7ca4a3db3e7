"""A watcher in a process of its own, and when it ends by itself."""

from __future__ import annotations

import json
import os
import re
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NoReturn

from memwiki import errors
from memwiki.cli import output
from memwiki.clock import now_ns
from memwiki.errors import MemwikiError, UsageError
from memwiki.setup import warm

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
    output.flush()
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
        output.log_to(log)
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
        place = warm.private_socket()
        last = max(self._last, place.last_answer() if place else 0.0)
        return now_ns() / 1e9 - last > self._idle_s
