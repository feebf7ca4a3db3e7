"""What a reading command does first, and what its answer then says about being fresh."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

from memwiki.index.graph import Graph
from memwiki.index.lookup import Lookup
from memwiki.index.stores import Stores
from memwiki.workspace.keeping.keeper import Keeper
from memwiki.workspace.keeping.sync import Progress


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


def refresh(keeper: Keeper, progress: Progress | None = None) -> Freshness:
    """Bring the index in step as a reader does, or say why not."""
    if not keeper.is_synced:
        return Freshness(fresh=False, pending=None, reason="not synced, as asked")
    changes = keeper.reader_sync(progress)
    if changes.fresh:
        return Freshness(fresh=True, pending=0, reason=changes.reason)
    pending = max(keeper.pending(keeper.walk()), len(changes.failed))
    return Freshness(fresh=False, pending=pending, reason=changes.reason)


@contextmanager
def reading(keeper: Keeper, progress: Progress | None = None) -> Iterator[Reading]:
    """The cards, in step, for one answer."""
    freshness = refresh(keeper, progress)
    with keeper.opened() as stores:
        lookup = Lookup(stores.cards.db)
        yield Reading(stores, lookup, Graph(lookup, keeper.config.layers), freshness)
