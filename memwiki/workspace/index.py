"""`Workspace.index`: the state of the index, and building it anew."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from memwiki.errors import WriteError
from memwiki.index.projection import Progress
from memwiki.sync.reading import Facing, rebuilding

if TYPE_CHECKING:
    from memwiki.answers.entries import Metrics, Trend
    from memwiki.answers.index import Changes, Health, Overview, PathStatus, Status, WatcherProcess
    from memwiki.answers.workspaces import CacheList


_COMING_S = 15  # within which the first walk of a watcher ends; 48,000 files take one or two


class IndexFacet(Facing):
    """Looks at the index and, but for `reindex` and `doctor`, changes nothing."""

    def is_built(self) -> bool:
        """Whether a sync of everything was ever finished here."""
        return self.live.has_answers()

    def sweep_for(self, seconds: float) -> None:
        """From now on questions take in only as much of what changed as fits this time, all of them
        together, and say when they are behind; they build no index and start no process."""
        self.live.sweep_seconds = seconds

    def ask_watcher(self, *, is_coming: bool = False) -> None:
        """From now on questions look at no file where a watcher says that it has heard of all that
        changed, and that the index holds it; with `is_coming` not before it can say so either, for
        a quarter of a minute at most."""
        self.live.asks_watcher = True
        self.live.await_watcher(_COMING_S if is_coming else 0)

    def is_awaiting(self) -> bool:
        """Whether questions look at no file, as a watcher is to come."""
        return self.live.is_awaiting

    def end_awaiting(self) -> bool:
        """Look at the files again, whether a watcher is there or not; False where that is so."""
        is_awaiting = self.live.is_awaiting
        self.live.await_watcher(0)
        return is_awaiting

    def own_folder(self) -> Path:
        """The folder of the workspace in the cache, this user's alone; WriteError for none."""
        folder = self.live.cache_folder
        if folder is None:
            raise WriteError.no_cache()
        folder.make()
        return folder.whole

    def watch_log(self) -> Path:
        """Where a watcher in the background prints."""
        return self.own_folder() / "watch.log"

    def stop_watcher(self) -> WatcherProcess:
        """End the watcher that runs in a process of its own; NotFoundError when there is none."""
        from memwiki.health.status import stop_watcher

        return stop_watcher(self.live)

    def open_stores(self) -> None:
        """Open what the next question asks, without looking at a file."""
        with self.live.opened() as stores:
            self.live.snapshot(stores, must_agree=False)

    def is_writing(self) -> bool:
        """Whether this process writes the index at this moment."""
        return self.live.is_writing

    @rebuilding
    def status(self) -> Status:
        """What the index holds compared with what is on disk."""
        from memwiki.health.status import status
        from memwiki.upkeep.runs import state_of

        return status(self.live, state_of(self.live.context))

    @rebuilding
    def metrics(self) -> Metrics:
        """What memories there are, and how fast and how well the last 1,000 recalls did."""
        from memwiki.memory.listing import metrics

        return metrics(self.live)

    @rebuilding
    def trend(self, unit: str = "") -> Trend:
        """What was made and recalled week by week, or in another `unit` (month, year), and which
        types and tags there are."""
        from memwiki.memory.trend import trend

        return trend(self.live, unit)

    @rebuilding
    def overview(self) -> Overview:
        """Whether all is well, and what to do next."""
        from memwiki.health.status import overview

        return overview(self.live)

    @rebuilding
    def why(self, path: str) -> PathStatus:
        """Why one file is or is not found."""
        from memwiki.health.status import why

        return why(self.live, path)

    @rebuilding
    def doctor(self, *, verify: bool = False, progress: Progress | None = None) -> Health:
        """What is wrong with the index or its place; `verify` compares it with one built anew."""
        from memwiki.health.doctor import doctor

        return doctor(self.live, verify=verify, progress=progress)

    def reindex(self, *, progress: Progress | None = None) -> Changes:
        """Build a new index beside the old one, swap it in when it is whole, and list the pages, so
        that nobody who browses waits for that."""
        from memwiki.commit.catalogs import list_pages_if_possible

        changes = self.live.reindex(progress)
        list_pages_if_possible(self.live)
        return changes

    def caches(self, *, prune: bool = False) -> CacheList:
        """The indexes of all workspaces on this machine; `prune` removes those of vanished ones."""
        from memwiki.setup.machine import caches

        return caches(self._environ, prune=prune)
