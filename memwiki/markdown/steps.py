"""A count of steps that a loop over a page may take: what goes on for longer is a mistake of ours.

Steps are counted, never timed, so that a page means the same on every machine and at every sync.
"""

from __future__ import annotations

_FREE = 1_000


class StuckError(RuntimeError):
    """A loop that does not move on, or takes more steps than the size of the page can explain."""


class StepBudget:
    """What may be spent on so many lines or bytes; `each` is the most that one of them can cost."""

    __slots__ = ("left",)

    def __init__(self, size: int, each: int) -> None:
        self.left = _FREE + size * each

    def spend(self, count: int) -> None:
        """Take steps; StuckError when there are none left."""
        self.left -= count
        if self.left < 0:
            raise StuckError("more steps than the page can need")
