"""Many rows that are asked for with few statements."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import TypeVar

T = TypeVar("T")
_BATCH = 100  # rows that are asked for with one statement


def batched(rows: Iterable[T]) -> Iterator[list[T]]:
    """The rows in parts of a size that one statement takes."""
    rest = iter(rows)
    while part := list(islice(rest, _BATCH)):
        yield part


def marks(row: str, rows: Sequence[object]) -> str:
    """The placeholders of a statement for so many rows."""
    return ",".join([row] * len(rows))
