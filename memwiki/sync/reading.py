"""What a reading command does first, and what its answer then says about being fresh."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

from memwiki.index.cards.lookup import Lookup
from memwiki.index.fill import Progress
from memwiki.index.graph import Graph
from memwiki.index.stores import Stores
from memwiki.sync.context import Context
from memwiki.sync.live import LiveIndex


class Freshness(NamedTuple):
    """Whether an answer is up to date, how many changes are pending if not, and why."""

    fresh: bool
    pending: int | None
    reason: str = ""


class Reading(NamedTuple):
    """The index opened for one answer."""

    stores: Stores
    lookup: Lookup
    graph: Graph
    freshness: Freshness
    context: Context

    def find(self, name: str, *, is_only: bool = False) -> str:
        """The path of the page that a name means; NotFoundError or AmbiguousError otherwise.

        With `is_only` no other page may answer, not even a source behind the page that was made of
        it.
        """
        from memwiki.index.find import find  # not for a search

        root, layers, ignore = self.context.root, self.context.layers, self.context.ignore
        return find(name, self.lookup, layers, root, ignore, is_only=is_only)


def refresh(live: LiveIndex, progress: Progress | None = None) -> Freshness:
    """Bring the index up to date as a reader does, or say why not."""
    if not live.is_synced:
        return Freshness(fresh=False, pending=None, reason="not synced, as asked")
    changes = live.reader_sync(progress)
    if changes.fresh:
        return Freshness(fresh=True, pending=0, reason=changes.reason)
    pending = max(live.pending(live.context.walk()), len(changes.failed))
    return Freshness(fresh=False, pending=pending, reason=changes.reason)


@contextmanager
def reading(live: LiveIndex, progress: Progress | None = None) -> Iterator[Reading]:
    """The cards, up to date, for one answer."""
    freshness = refresh(live, progress)
    with _opened(live, freshness) as view:
        yield view


@contextmanager
def linked_reading(live: LiveIndex, progress: Progress | None = None) -> Iterator[Reading]:
    """The same for an answer about many links: what each means is brought up to date first."""
    freshness = refresh(live, progress)
    live.resolve_links()
    with _opened(live, freshness) as view:
        yield view


@contextmanager
def used_reading(live: LiveIndex) -> Iterator[Reading]:
    """The same for an answer that says how entries are used: the usage files are added up first."""
    freshness = refresh(live)
    live.add_up_usage()
    with _opened(live, freshness) as view:
        yield view


@contextmanager
def _opened(live: LiveIndex, freshness: Freshness) -> Iterator[Reading]:
    with live.opened() as stores:
        lookup, graph = Lookup(stores.cards.db), Graph(stores.cards, live.context.layers)
        yield Reading(stores, lookup, graph, freshness, live.context)
