"""How long the memory may be that is read at the beginning of every conversation."""

from __future__ import annotations

MEMORY_LINES = 200
MEMORY_BYTES = 25_000


def is_over(lines: int, size: int) -> bool:
    """Whether so many lines and bytes are too many."""
    return lines > MEMORY_LINES or size > MEMORY_BYTES
