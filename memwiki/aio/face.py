"""What asynchronous calls share: how they are asked, the threads beside an event loop (two that
read, one that writes, and one for what reads long), and the end of them."""

from __future__ import annotations

import asyncio
import sys
import threading
from collections.abc import AsyncIterator, Callable, Coroutine, Iterable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import AbstractContextManager, ExitStack, asynccontextmanager, nullcontext
from contextvars import copy_context
from functools import wraps
from pathlib import Path
from threading import Lock
from typing import (
    TYPE_CHECKING,
    Any,
    Concatenate,
    Generic,
    ParamSpec,
    Self,
    TypeVar,
    cast,
    get_args,
)

from memwiki.sync.sweeps import telling
from memwiki.workspace import Workspace

if TYPE_CHECKING:
    from memwiki.answers.index import WatchEvent
    from memwiki.options import Progress
    from memwiki.watch.watching import Watching


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
            return [threads.submit(_leave_together, together, leave) for _ in range(self._count)]
        except RuntimeError:  # the interpreter ends, and has ended them
            return []
        finally:
            threads.shutdown(wait=False)


def _leave_together(together: threading.Barrier, leave: Callable[[], None]) -> None:
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


Plain = TypeVar("Plain")
P = ParamSpec("P")
Asked = Callable[Concatenate[Plain, P], T]
Awaited = Callable[Concatenate["Face[Plain]", P], Coroutine[Any, Any, T]]
_GUARD = Lock()


def workers_of(workspace: Workspace) -> Workers:
    """The threads of a workspace, shared by all who call it asynchronously."""
    with _GUARD:
        for known in workspace.beside:
            if isinstance(known, Workers):
                return known
        workers = Workers()
        workspace.beside.append(workers)
        return workers


class Face(Generic[Plain]):
    """A part of a workspace; it is found anew for each call, on the thread of the call."""

    def __init_subclass__(cls) -> None:
        """It has the words of what it mirrors, where it has none of its own."""
        cls.__doc__ = cls.__doc__ or get_args(vars(cls)["__orig_bases__"][0])[0].__doc__

    def __init__(self, workers: Workers, find: Callable[[], Plain]) -> None:
        self._workers, self._find = workers, find

    async def _read(
        self, ask: Callable[[Plain], T], steps: Steps | None = None, *, is_long: bool = False
    ) -> T:
        steps = steps or Steps()

        def asked() -> T:
            with telling(steps.note):
                return ask(self._find())

        return await self._workers.run(asked, is_reading=True, is_long=is_long, steps=steps)

    async def _write(self, do: Callable[[Plain], T]) -> T:
        return await self._workers.run(lambda: do(self._find()), is_reading=False)


def reads(
    ask: Asked[Plain, P, T], *, is_long: bool = False, has_progress: bool = False
) -> Awaited[Plain, P, T]:
    """A method that changes no file of the workspace, awaited; others do not wait behind a long
    one, and one that is told of its progress ends at the next step when nobody waits any longer."""

    @wraps(ask)
    async def awaited(face: Face[Plain], /, *args: P.args, **kwargs: P.kwargs) -> T:
        if not has_progress:
            return await face._read(lambda it: ask(it, *args, **kwargs), is_long=is_long)
        steps = Steps(cast("Progress | None", kwargs.get("progress")))
        kwargs["progress"] = steps.note
        return await face._read(lambda it: ask(it, *args, **kwargs), steps, is_long=is_long)

    return awaited


def writes(do: Asked[Plain, P, T]) -> Awaited[Plain, P, T]:
    """Any other method, awaited: it completes when it is cancelled."""

    @wraps(do)
    async def awaited(face: Face[Plain], /, *args: P.args, **kwargs: P.kwargs) -> T:
        return await face._write(lambda it: do(it, *args, **kwargs))

    return awaited


class WorkspaceFace(Face[Workspace]):
    """What an asynchronous workspace has of its own.

    All calls for one plain workspace share its threads, whichever object they go through.
    """

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workers_of(workspace), lambda: workspace)
        self.workspace = workspace

    @classmethod
    async def _make(cls, make: Callable[[], Workspace]) -> Self:
        workers = Workers()
        workspace = await workers.run(make, is_reading=False)
        workspace.beside.append(workers)
        return cls(workspace)

    def _view(self, look: Callable[[Workspace], Workspace]) -> Self:
        """The same as it is looked at; a view is made for each call, so that it is of that
        moment."""
        view, find = type(self)(self.workspace), self._find
        view._find = lambda: look(find())
        return view

    @property
    def root(self) -> Path:
        """The folder."""
        return self.workspace.root

    async def read(self, ask: Callable[[Workspace], T]) -> T:
        """Ask the plain workspace several things, in one thread and of one look at the files."""

        def asked(workspace: Workspace) -> T:
            with workspace.one_sweep():
                return ask(workspace)

        return await self._read(asked)

    async def write(self, do: Callable[[Workspace], T]) -> T:
        """Do something with the plain workspace that may change files, in the writer's thread."""
        return await self._write(do)

    @asynccontextmanager
    async def watch(
        self,
        *,
        tell: Callable[[WatchEvent], None] | None = None,
        poll: bool = False,
        upkeep: bool = False,
    ) -> AsyncIterator[Watching]:
        """Keep the index up to date in the background, within `async with`; `tell` is called on a
        thread of the watcher's own."""
        running = ExitStack()

        def begin(workspace: Workspace) -> Watching:
            return running.enter_context(workspace.watch(tell=tell, poll=poll, upkeep=upkeep))

        try:
            yield await self._write(begin)
        finally:
            await self._workers.finish(running.close)

    async def close(self) -> None:
        """Wait for what was asked, then end the threads, each of which closes what it opened; the
        next call begins new ones."""
        left = list(map(asyncio.wrap_future, self._workers.end(self.workspace.leave)))
        if left:
            await asyncio.wait(left)
        self.workspace.close()
        # Each is asked: a failure that nobody asks for is logged by asyncio.
        failed = [error for each in left if (error := each.exception())]
        if failed:
            raise failed[0]

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()
