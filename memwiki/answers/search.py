"""The answer of a search."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from memwiki.model import Hit


@dataclass(frozen=True, slots=True)
class SearchAnswer:
    query: str
    fresh: bool
    pending: int | None
    total: int
    fallback: bool
    hits: tuple[Hit, ...]
    reason: str = ""
    notes: tuple[str, ...] = ()  # what was taken otherwise than it was asked

    def __iter__(self) -> Iterator[Hit]:
        return iter(self.hits)
