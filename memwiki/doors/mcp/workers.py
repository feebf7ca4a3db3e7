"""The threads of a server: two that read, one that writes."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import TypeVar

import anyio

T = TypeVar("T")
_READERS = 2  # more threads take memory, and answer no sooner
_TOGETHER_SECONDS = 1.0


class Workers:
    """Runs work beside the loop."""

    def __init__(self) -> None:
        self._readers = ThreadPoolExecutor(_READERS, "reader")
        self._writer = ThreadPoolExecutor(1, "writer")

    async def run(self, work: Callable[[], T], *, is_reading: bool) -> T:
        """A read is given up when it is cancelled; a write completes."""
        pool = self._readers if is_reading else self._writer
        done: asyncio.Future[T] = asyncio.get_running_loop().run_in_executor(pool, work)
        with anyio.CancelScope(shield=not is_reading):
            return await done

    def close(self, leave: Callable[[], None]) -> None:
        """End the threads, each of which lets go of what it opened."""
        for pool, count in ((self._readers, _READERS), (self._writer, 1)):
            together = threading.Barrier(count)
            for _ in range(count):
                pool.submit(_left, together, leave)
            pool.shutdown()


def _left(together: threading.Barrier, leave: Callable[[], None]) -> None:
    with suppress(threading.BrokenBarrierError):  # so that each thread takes one
        together.wait(_TOGETHER_SECONDS)
    leave()
