"""The threads beside an event loop: two that read, one that writes, and one for what reads long."""

from __future__ import annotations

import asyncio
import sys
import threading
from collections.abc import Callable, Iterable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import AbstractContextManager, nullcontext
from contextvars import copy_context
from typing import TypeVar

T = TypeVar("T")
_READERS = 2  # more threads take memory, and answer no sooner


class Stopped(BaseException):
    """Nobody waits any longer for what is done here."""


class Steps:
    """How far a call has come, as its thread notes it; who no longer waits stops a read."""

    def __init__(self, tell: Callable[[int, int], None] | None = None) -> None:
        self.done, self.total = 0, 0
        self._tell = tell
        self._is_stopped = False

    def note(self, done: int, total: int) -> None:
        """So many of so many files are read."""
        self.done, self.total = done, total
        if self._is_stopped:
            raise Stopped
        if self._tell:
            self._tell(done, total)

    def stop(self) -> None:
        """End it at the next step."""
        self._is_stopped = True


class Workers:
    """Runs work beside the loop, any loop; threads begin when they are needed.

    What threads open stays open until `end`; what is asked after it begins new ones.
    """

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._readers = _Pool("reader", _READERS)
        self._writer = _Pool("writer", 1)
        # One after the other: the next one finds what the one before it worked out.
        self._long_reader = _Pool("long reader", 1)

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
        begun = self._submit(readers if is_reading else self._writer, work)
        done = asyncio.wrap_future(begun)
        try:
            await asyncio.wait([done])  # which, cancelled, does not cancel what it waits for
        except asyncio.CancelledError:
            if begun.cancel() or is_reading:
                done.cancel()  # nobody is told what becomes of it
                if steps:
                    steps.stop()
            else:
                await _completed(done)
            raise
        return done.result()

    async def finish(self, work: Callable[[], T]) -> T:
        """Write what has to be written, though its turn comes when nobody waits any longer."""
        done = asyncio.wrap_future(self._submit(self._writer, work))
        await _completed(done)
        return done.result()

    def end(self, leave: Callable[[], None]) -> list[Future[None]]:
        """Let each thread, when it has done what was asked, let go of what it opened, and end."""
        with self._guard:
            pools = (self._readers, self._long_reader, self._writer)
            return [each for pool in pools for each in pool.end(leave)]

    def close(self, leave: Callable[[], None]) -> None:
        """The same, and wait for it."""
        wait(self.end(leave))

    def _submit(self, pool: _Pool, work: Callable[[], T]) -> Future[T]:
        with self._guard:
            return pool.submit(work)


class _Pool:
    """Threads of one kind."""

    def __init__(self, name: str, count: int) -> None:
        self._name, self._count = name, count
        self._threads: ThreadPoolExecutor | None = None

    def submit(self, work: Callable[[], T]) -> Future[T]:
        """Do this in a thread, with the context variables of whoever asks."""
        if self._threads is None:
            self._threads = ThreadPoolExecutor(self._count, self._name)
        return self._threads.submit(copy_context().run, work)

    def end(self, leave: Callable[[], None]) -> Iterable[Future[None]]:
        """After what was asked each thread leaves; none if there are none."""
        threads, self._threads = self._threads, None
        if threads is None:
            return []
        together = threading.Barrier(self._count)  # so that each thread takes one
        try:
            return [threads.submit(_left, together, leave) for _ in range(self._count)]
        except RuntimeError:  # the interpreter ends, and has ended them
            return []
        finally:
            threads.shutdown(wait=False)


def _left(together: threading.Barrier, leave: Callable[[], None]) -> None:
    together.wait()
    leave()


async def _completed(done: asyncio.Future[T]) -> None:
    """Wait until it is done, however often this is cancelled; then say so."""
    cancelled: asyncio.CancelledError | None = None
    with _shielded():
        while not done.done():
            try:
                await asyncio.wait([done])
            except asyncio.CancelledError as error:
                cancelled = error
    done.exception()  # what failed when nobody waited for it is nothing to report
    if cancelled:
        raise cancelled


def _shielded() -> AbstractContextManager[object]:
    """Scopes of anyio cancel at every turn of the loop, unless they are told not to; where nobody
    has imported it, there are none."""
    anyio = sys.modules.get("anyio")
    return anyio.CancelScope(shield=True) if anyio else nullcontext()
