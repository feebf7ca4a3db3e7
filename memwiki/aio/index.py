"""`AsyncWorkspace.index`: the state of the index, and building it anew."""

# Generated from memwiki/workspace/index.py: python docs/generate_aio.py
from __future__ import annotations

from typing import TYPE_CHECKING

from memwiki.aio.face import Face
from memwiki.aio.workers import Steps
from memwiki.workspace.index import IndexFacet

if TYPE_CHECKING:
    from pathlib import Path

    from memwiki.answers.index import Changes, Health, Overview, PathStatus, Status, WatcherProcess
    from memwiki.answers.usage import Metrics, Trend
    from memwiki.answers.workspaces import CacheList
    from memwiki.index.projection import Progress


class AsyncIndexFacet(Face[IndexFacet]):
    """Looks at the index and, but for `reindex` and `doctor`, changes nothing."""

    async def is_built(self) -> bool:
        """Whether a sync of everything was ever finished here."""
        return await self._read(lambda it: it.is_built())

    async def sweep_for(self, seconds: float) -> None:
        """From now on questions take in only as much of what changed as fits this time, all of them
        together, and say when they are behind; they build no index and start no process."""
        return await self._read(lambda it: it.sweep_for(seconds))

    async def ask_watcher(self) -> None:
        """From now on questions look at no file where a watcher says that it has heard of all that
        changed, and that the index holds it."""
        return await self._write(lambda it: it.ask_watcher())

    async def own_folder(self) -> Path:
        """The folder of the workspace in the cache, this user's alone; WriteError for none."""
        return await self._write(lambda it: it.own_folder())

    async def watch_log(self) -> Path:
        """Where a watcher in the background prints."""
        return await self._write(lambda it: it.watch_log())

    async def stop_watcher(self) -> WatcherProcess:
        """End the watcher that runs in a process of its own; NotFoundError when there is none."""
        return await self._write(lambda it: it.stop_watcher())

    async def open_stores(self) -> None:
        """Open what the next question asks, without looking at a file."""
        return await self._write(lambda it: it.open_stores())

    async def is_writing(self) -> bool:
        """Whether this process writes the index at this moment."""
        return await self._read(lambda it: it.is_writing())

    async def status(self) -> Status:
        """What the index holds compared with what is on disk."""
        return await self._read(lambda it: it.status())

    async def metrics(self) -> Metrics:
        """What memories there are, and how fast and how well the last 1,000 recalls did."""
        return await self._read(lambda it: it.metrics())

    async def trend(self, unit: str = "") -> Trend:
        """What was made and recalled week by week, or in another `unit` (month, year), and which
        types and tags there are."""
        return await self._read(lambda it: it.trend(unit))

    async def overview(self) -> Overview:
        """Whether all is well, and what to do next."""
        return await self._read(lambda it: it.overview())

    async def why(self, path: str) -> PathStatus:
        """Why one file is or is not found."""
        return await self._read(lambda it: it.why(path))

    async def doctor(self, *, verify: bool = False, progress: Progress | None = None) -> Health:
        """What is wrong with the index or its place; `verify` compares it with one built anew."""
        steps = Steps(progress)
        return await self._read(
            lambda it: it.doctor(verify=verify, progress=steps.note), steps, is_long=True
        )

    async def reindex(self, *, progress: Progress | None = None) -> Changes:
        """Build a new index beside the old one, swap it in when it is whole, and list the pages, so
        that nobody who browses waits for that."""
        return await self._write(lambda it: it.reindex(progress=progress))

    async def caches(self, *, prune: bool = False) -> CacheList:
        """The indexes of all workspaces on this machine; `prune` removes those of vanished ones."""
        return await self._write(lambda it: it.caches(prune=prune))
