"""What asynchronous calls share: how they are asked, the threads of a workspace, and its end."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import ExitStack, asynccontextmanager
from functools import wraps
from threading import Lock
from typing import TYPE_CHECKING, Any, Concatenate, Generic, ParamSpec, TypeVar, cast

from memwiki.aio.workers import Steps, Workers
from memwiki.sync.sweeps import telling
from memwiki.workspace import Workspace

if TYPE_CHECKING:
    from pathlib import Path
    from typing import Self

    from memwiki.answers.index import WatchEvent
    from memwiki.options import Progress
    from memwiki.watch.watching import Watching

Plain = TypeVar("Plain")
T = TypeVar("T")
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
    async def _made(cls, make: Callable[[], Workspace]) -> Self:
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
