"""Which entries mean nearly the same, by the vectors that are there; without them words do."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from memwiki.errors import IndexDamagedError
from memwiki.index.damage import MISSHAPEN, SqlError, StoreMissingError
from memwiki.judgement.meetings import Pair
from memwiki.sync.live import LiveIndex

_MAX_NEW = 2_000  # entries of which the meaning is compared with that of all, so that it is linear
_MAX_PAIRS = 20_000  # of entries that are all alike nobody reads more
_NO_VECTORS = (OSError, SqlError, IndexDamagedError, StoreMissingError, *MISSHAPEN)


def alike(live: LiveIndex, texts: Sequence[str], least: float) -> Sequence[Pair]:
    """The places of texts, the oldest first, that have a cosine of so much."""
    with suppress(*_NO_VECTORS):
        return live.vectors.alike(texts, least, _MAX_NEW)[:_MAX_PAIRS] if live.vectors else ()
    return ()


def vectors_mark(live: LiveIndex) -> str:
    """Another text where other vectors may be found; "" without any."""
    with suppress(*_NO_VECTORS):
        return live.vectors.mark() if live.vectors else ""
    return ""
