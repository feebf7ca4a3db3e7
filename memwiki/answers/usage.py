"""How memories are used, as answers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple


class UsageRow(NamedTuple):
    """How often an entry, a page or an entity was recalled, how well, and when last."""

    kind: str  # entry, page or entity
    name: str  # id (or the hash of the text of an entry without one), path, or folded name
    recalls: int
    mean_score: float
    last_recalled: str  # "" for never


@dataclass(frozen=True, slots=True)
class UsageList:
    """What was recalled most, or what a query recalled, the best first."""

    usage: tuple[UsageRow, ...]
    total: int
    fresh: bool = True

    def __iter__(self) -> Iterator[UsageRow]:
        return iter(self.usage)
