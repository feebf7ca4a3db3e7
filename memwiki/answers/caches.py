"""The derived indexes of a machine, as answers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple


class CacheEntry(NamedTuple):
    """One derived index in the user's cache folder."""

    workspace: str
    place: str
    bytes: int
    is_orphan: bool


@dataclass(frozen=True, slots=True)
class CacheList:
    caches: tuple[CacheEntry, ...]
    removed: tuple[str, ...] = ()

    def __iter__(self) -> Iterator[CacheEntry]:
        return iter(self.caches)
