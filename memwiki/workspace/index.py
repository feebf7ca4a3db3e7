"""`Workspace.index`: the state of the index, and building it anew."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from memwiki.sync.live import LiveIndex
from memwiki.sync.reading import rebuilding

if TYPE_CHECKING:
    from memwiki.answers.index import Changes, Health, Overview, PathStatus, Status
    from memwiki.answers.usage import Metrics
    from memwiki.answers.workspaces import CacheList
    from memwiki.index.projection import Progress


class IndexFacet:
    """Looks at the index and, but for `reindex` and `doctor`, changes nothing."""

    def __init__(self, live: LiveIndex, environ: Mapping[str, str]) -> None:
        self.live = live
        self._environ = environ

    def is_built(self) -> bool:
        """Whether a sync of everything was ever finished here."""
        return self.live.has_answers()

    def sweep_for(self, seconds: float) -> None:
        """From now on questions take in only as much of what changed as fits this time, all of them
        together, and say when they are behind; they build no index and start no process."""
        self.live.sweep_seconds = seconds

    def is_writing(self) -> bool:
        """Whether this process writes the index at this moment."""
        return self.live.is_writing

    @rebuilding
    def status(self) -> Status:
        """What the index holds compared with what is on disk."""
        from memwiki.health.status import status
        from memwiki.proposals.review import waiting_count
        from memwiki.upkeep.runs import state_of

        found = status(self.live, state_of(self.live.context))
        return found._replace(proposals=waiting_count(self.live))

    @rebuilding
    def metrics(self) -> Metrics:
        """What memories there are, and how fast and how well the last 1,000 recalls did."""
        from memwiki.memory.listing import metrics

        return metrics(self.live)

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
        from memwiki.setup.caches import caches

        return caches(self._environ, prune=prune)
