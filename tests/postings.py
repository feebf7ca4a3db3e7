"""Every backend of the keyword index, and what a snapshot of one holds, unit by unit."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from memwiki.index.keyword.backend import SearchBackend, Snapshot
from memwiki.index.keyword.segments import SqliteSegments
from memwiki.index.keyword.whoosh_backend import WhooshBackend
from tests import postgres
from tests.memory_backend import MemoryBackend

if TYPE_CHECKING:
    from memwiki.index.shared_stores import SharedStores

BACKENDS: dict[str, Callable[[Path], SearchBackend]] = {
    "whoosh": WhooshBackend,
    "memory": lambda _: MemoryBackend(),
    "sqlite": lambda path: SqliteSegments(os.fspath(path)),
    "postgresql": lambda path: kept(stores_on_a_server(path), "keyword"),
}


@cache
def _address() -> str:
    return postgres.server().database()


def stores_on_a_server(path: Path) -> SharedStores:
    """Those of a workspace that is named as a path is."""
    from memwiki.catalog.store import ListingStore
    from memwiki.index.shared_stores import SharedStores

    stores = SharedStores.at(_address())
    stores.set_up(ListingStore.tables)
    stores.make(str(path), "readers")
    return stores


def kept(stores: SharedStores, name: str) -> Any:
    """One of them, with which the others stay open."""
    store = getattr(stores, name)
    store.kept = stores
    return store


def terms_of(snapshot: Snapshot) -> dict[bytes, dict[str, int]]:
    """Every living unit's terms and weights, by unit key."""
    found: dict[bytes, dict[str, int]] = {}
    for term in snapshot.expand("", sys.maxsize):
        for documents, weights in snapshot.postings(term):
            for key, weight in zip(snapshot.keys(documents), weights, strict=True):
                found.setdefault(key, {})[term] = weight
    return found
