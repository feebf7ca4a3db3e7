"""What two sequences begin and end with alike."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

T = TypeVar("T")


def shared_start(one: Sequence[T], other: Sequence[T]) -> int:
    """How many characters, parts or lines two sequences begin with alike, found by halving: slices
    compare in C."""
    return _alike(min(len(one), len(other)), lambda at, to: one[at:to] == other[at:to])


def shared_ends(one: Sequence[T], other: Sequence[T]) -> tuple[int, int]:
    """How many items two sequences share at their beginning, and how many more at their end."""
    head, a, b = shared_start(one, other), len(one), len(other)
    rest = min(a, b) - head
    return head, _alike(rest, lambda at, to: one[a - to : a - at] == other[b - to : b - at])


def _alike(most: int, are_same: Callable[[int, int], bool]) -> int:
    low, high = 0, most
    while low < high:
        middle = (low + high + 1) // 2
        if are_same(low, middle):
            low = middle
        else:
            high = middle - 1
    return low
