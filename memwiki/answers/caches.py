"""The derived indexes of a machine, as answers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from memwiki.answers.packed import ListAnswer


class CacheEntry(NamedTuple):
    """One derived index in the user's cache folder."""

    workspace: str
    place: str
    bytes: int
    is_orphan: bool


@dataclass(frozen=True, slots=True)
class CacheList(ListAnswer[CacheEntry]):
    caches: tuple[CacheEntry, ...]
    removed: tuple[str, ...] = ()
