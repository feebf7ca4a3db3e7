"""How many threads libraries for numbers take, as the environment says when they are loaded."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

# With as many as there are cores the same vectors cost 3 to 11 times the CPU (2026-11-25).
_VARIABLES = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")


@contextmanager
def one_thread() -> Iterator[None]:
    """What is loaded within takes one thread, unless the person said otherwise; programs that are
    started later hear nothing of it."""
    unsaid = [name for name in _VARIABLES if name not in os.environ]
    os.environ.update(dict.fromkeys(unsaid, "1"))
    try:
        yield
    finally:
        for name in unsaid:
            os.environ.pop(name, None)
