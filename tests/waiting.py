"""How a test waits for other threads and processes: until it is so, on the busiest machine."""

import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")
PATIENCE_S = 600  # only what never happens is waited for so long


def until(condition: Callable[[], T], what: str = "") -> T:
    """Wait for a condition, and give what it is; the last is shown when it never holds."""
    deadline = time.monotonic() + PATIENCE_S
    while not (seen := condition()):
        assert time.monotonic() < deadline, (what, seen)
        time.sleep(0.01)
    return seen
