"""Giving memory back after much work: a watcher rests far longer than it works."""

from __future__ import annotations

import ctypes
import gc
from contextlib import suppress


def trim_memory() -> None:
    """Hand what is free to the system, which the allocator would keep for the next large sync."""
    gc.collect()
    with suppress(OSError, AttributeError, TypeError):  # only glibc has it
        ctypes.CDLL(None).malloc_trim(0)
