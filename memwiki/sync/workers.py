"""Making many pages ready for the stores on all cores: worker processes read, parse and weigh,
this one feeds the stores.

What a worker does not deliver, because it could not be started or was killed, is made here.
"""

from __future__ import annotations

import json
import os
import pickle
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import IO, cast

from memwiki.config import is_debugging
from memwiki.sync.context import IndexSettings
from memwiki.sync.request import Prepared, prepared
from memwiki.sync.worker import LENGTH_BYTES

_MAX_WORKERS = 8
_PART = 32  # pages that are sent together
_SCRIPT = Path(__file__).with_name("worker.py")


def worker_count(wanted: int) -> int:
    """How many workers are started, where so many are wanted (0: one a core); 0 where this process
    does as well alone."""
    count = min(wanted or cores(), _MAX_WORKERS)
    return count if count > 1 and python_command() else 0


def python_command() -> Sequence[str]:
    """Another Python as this one is, which imports nothing of its surroundings; nothing where the
    running program is one that holds Python."""
    if not Path(sys.executable or "").stem.lower().startswith(("python", "pypy")):
        return ()
    # Paths that are no UTF-8 have to mean the same to both.
    utf8 = "1" if sys.getfilesystemencoding() == "utf-8" else "0"
    byte_code = ["-B"] if sys.dont_write_bytecode else []
    return sys.executable, "-I", *byte_code, "-X", f"utf8={utf8}"


def cores() -> int:
    """How many processors this process may use, the quota of its container included."""
    is_told = hasattr(os, "sched_getaffinity")
    allowed = len(os.sched_getaffinity(0)) if is_told else os.cpu_count() or 1
    with suppress(OSError, ValueError):
        quota, period = Path("/sys/fs/cgroup/cpu.max").read_text(encoding="ascii").split()
        return allowed if quota == "max" else max(1, min(allowed, int(quota) // int(period)))
    return allowed


def in_workers(
    count: int, root: Path, paths: Sequence[str], settings: IndexSettings
) -> Iterator[Prepared]:
    """Each page as the stores take it in, in order, made by so many processes."""
    parts = [paths[start : start + _PART] for start in range(0, len(paths), _PART)]
    with ExitStack() as stack:
        workers = [
            stack.enter_context(_Worker(root, settings, parts[number::count]))
            for number in range(count)
        ]
        for number, part in enumerate(parts):
            made = workers[number % count].next_part()
            yield from made or (prepared(root, path, settings) for path in part)


class _Worker:
    """One process, from which the parts it was given come back in order."""

    def __init__(self, root: Path, settings: IndexSettings, parts: Sequence[Sequence[str]]) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        with suppress(OSError):
            self._process = _started()
            self._output = cast("IO[bytes]", self._process.stdout)
            self._input = cast("IO[bytes]", self._process.stdin)  # open as long as we live
            task = (list(map(str, sys.path)), str(root), settings, parts)
            self._input.write(json.dumps(task).encode() + b"\n")
            self._input.flush()

    def __enter__(self) -> _Worker:
        return self

    def __exit__(self, *_: object) -> None:
        if self._process:
            self._process.kill()
            self._output.close()
            with suppress(OSError):  # what it did not take in
                self._input.close()
            self._process.wait()
            self._process = None

    def next_part(self) -> list[Prepared]:
        """The next of its parts; nothing from a worker that has died."""
        if self._process is None:
            return []
        size = int.from_bytes(self._output.read(LENGTH_BYTES), "big")
        data = self._output.read(size)
        if size and len(data) == size:
            return cast("list[Prepared]", pickle.loads(data))  # noqa: S301 - from our own process
        self.__exit__()
        return []


def _started() -> subprocess.Popen[bytes]:
    return subprocess.Popen(  # which is sent our own path
        [*python_command(), str(_SCRIPT)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=None if is_debugging() else subprocess.DEVNULL,
    )
