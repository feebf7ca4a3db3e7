"""The threads of a server: two that read, one that writes, and one for what reads long."""

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


class Stopped(BaseException):
    """Nobody waits any longer for what is done here."""


class Steps:
    """How far a call has come, as its thread notes it; who no longer waits stops a read."""

    def __init__(self) -> None:
        self.done, self.total = 0, 0
        self._is_stopped = False

    def note(self, done: int, total: int) -> None:
        """So many of so many files are read."""
        self.done, self.total = done, total
        if self._is_stopped:
            raise Stopped

    def stop(self) -> None:
        """End it at the next step."""
        self._is_stopped = True


class Workers:
    """Runs work beside the loop."""

    def __init__(self) -> None:
        self._readers = ThreadPoolExecutor(_READERS, "reader")
        self._writer = ThreadPoolExecutor(1, "writer")
        # One after the other: the next one finds what the one before it worked out.
        self._long_reader = ThreadPoolExecutor(1, "long reader")

    async def run(
        self,
        work: Callable[[], T],
        *,
        is_reading: bool,
        is_long: bool = False,
        steps: Steps | None = None,
    ) -> T:
        """When it is cancelled, what has not begun never begins, a read ends at its next step,
        and a write completes."""
        readers = self._long_reader if is_long else self._readers
        begun = (readers if is_reading else self._writer).submit(work)
        done = asyncio.wrap_future(begun)
        done.add_done_callback(_heard)
        try:
            return await asyncio.shield(done)
        except anyio.get_cancelled_exc_class():
            if not (begun.cancel() or is_reading):
                with anyio.CancelScope(shield=True):
                    await asyncio.wait([done])
            elif steps:
                steps.stop()
            raise

    def close(self, leave: Callable[[], None]) -> None:
        """End the threads, each of which lets go of what it opened."""
        for pool, count in (
            (self._readers, _READERS),
            (self._writer, 1),
            (self._long_reader, 1),
        ):
            together = threading.Barrier(count)
            for _ in range(count):
                pool.submit(_left, together, leave)
            pool.shutdown()


def _heard(done: asyncio.Future[T]) -> None:
    """What failed after nobody waited for it is nothing to report."""
    if not done.cancelled():
        done.exception()


def _left(together: threading.Barrier, leave: Callable[[], None]) -> None:
    with suppress(threading.BrokenBarrierError):  # so that each thread takes one
        together.wait(_TOGETHER_SECONDS)
    leave()
