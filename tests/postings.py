"""Every backend of the keyword index, and what a snapshot of one holds, unit by unit."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path

from memwiki.index.keyword.backend import SearchBackend, Snapshot
from memwiki.index.keyword.memory_backend import MemoryBackend
from memwiki.index.keyword.segments import SqliteSegments
from memwiki.index.keyword.whoosh_backend import WhooshBackend

BACKENDS: dict[str, Callable[[Path], SearchBackend]] = {
    "whoosh": WhooshBackend,
    "memory": lambda _: MemoryBackend(),
    "sqlite": lambda path: SqliteSegments(os.fspath(path)),
}


def terms_of(snapshot: Snapshot) -> dict[bytes, dict[str, int]]:
    """Every living unit's terms and weights, by unit key."""
    found: dict[bytes, dict[str, int]] = {}
    for term in snapshot.expand("", sys.maxsize):
        for documents, weights in snapshot.postings(term):
            for key, weight in zip(snapshot.keys(documents), weights, strict=True):
                found.setdefault(key, {})[term] = weight
    return found
