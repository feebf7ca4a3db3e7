"""As many of many changes as go together: all at once, and in halves where that is refused."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Generic, NamedTuple, TypeVar

T = TypeVar("T")
R = TypeVar("R")
_TRIED = 64  # times at most: each looks at a whole page


class Most(NamedTuple, Generic[T, R]):
    """What could be taken, in its order, and what it makes; None of nothing."""

    taken: list[T]
    made: R | None


def most_of(
    things: Sequence[T], make: Callable[[Sequence[T]], R | None], tried: int = _TRIED
) -> Most[T, R]:
    """The things of which `make` makes something together, each of which it may refuse by None.

    One that is refused alone is left out; so is the rest after so many trials.
    """
    taken, made = list[T](), None
    waiting = [list(things)] if things else []
    while waiting and tried:
        part = waiting.pop()
        tried -= 1
        if (found := make([*taken, *part])) is not None:
            taken, made = [*taken, *part], found
        elif len(part) > 1:
            half = len(part) // 2
            waiting += [part[half:], part[:half]]
    return Most(taken, made)
