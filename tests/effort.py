"""How much a run of all tests tries out of what can be tried for ever."""

import os
from collections.abc import Sequence
from typing import TypeVar

from hypothesis import settings

Case = TypeVar("Case")

IS_WIDE = os.environ.get("HYPOTHESIS_PROFILE") == "wide"


def tries(count: int) -> int:
    """So many, or forty times as many in the profile `wide`."""
    return count * 40 if IS_WIDE else count


def each_in_turn(cases: Sequence[Case], turn: int) -> Sequence[Case]:
    """One of them, the next one at the next turn; all in the profile `wide`."""
    return cases if IS_WIDE else cases[turn % len(cases) :][:1]


def examples(count: int) -> settings:
    """So many examples of what takes a second each, or as many as ever in the profile `wide`."""
    return settings() if IS_WIDE else settings(max_examples=count)
