"""The answer of a search."""

from __future__ import annotations

from typing import NamedTuple

from memwiki.model import Hit


class SearchAnswer(NamedTuple):
    query: str
    fresh: bool
    pending: int | None
    total: int
    fallback: bool
    hits: tuple[Hit, ...]
    reason: str = ""
    notes: tuple[str, ...] = ()  # what was taken otherwise than it was asked
