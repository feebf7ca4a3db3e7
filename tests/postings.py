"""What a snapshot of the postings holds, unit by unit."""

from __future__ import annotations

import sys

from memwiki.index.keyword.backend import Snapshot


def terms_of(snapshot: Snapshot) -> dict[bytes, dict[str, int]]:
    """Every living unit's terms and weights, by unit key."""
    found: dict[bytes, dict[str, int]] = {}
    for term in snapshot.expand("", sys.maxsize):
        for documents, weights in snapshot.postings(term):
            for key, weight in zip(snapshot.keys(documents), weights, strict=True):
                found.setdefault(key, {})[term] = weight
    return found
