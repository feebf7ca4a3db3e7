"""The postings that each thread has open."""

from __future__ import annotations

import threading

from memwiki.index.keyword.backend import Snapshot
from memwiki.index.stores import Stores


class Snapshots:
    """One snapshot a thread, as long as there is no newer generation of the same stores."""

    def __init__(self) -> None:
        self._local = threading.local()

    def held(self, stores: Stores) -> Snapshot | None:
        """The snapshot that is open, if it is of the last generation; any other is closed."""
        held: tuple[Stores, Snapshot] | None = getattr(self._local, "held", None)
        if held and held[0] is stores and held[1].generation == stores.keyword.generation():
            return held[1]
        self.close()
        return None

    def open(self, stores: Stores) -> Snapshot:
        """Open the last generation."""
        snapshot = stores.keyword.snapshot()
        self._local.held = (stores, snapshot)
        return snapshot

    def close(self) -> None:
        """Let go of what this thread has open."""
        held = getattr(self._local, "held", None)
        self._local.held = None
        if held:
            held[1].close()
