"""Which terminal a command runs in."""

from __future__ import annotations

import os
from contextlib import suppress


def terminal_name() -> str:
    """What one terminal keeps from command to command: its device, else the session's number."""
    for number in (1, 0, 2):
        with suppress(OSError, AttributeError):  # Windows knows no names of terminals
            return os.ttyname(number)
    return f"session {os.getsid(0) if hasattr(os, 'getsid') else os.getppid()}"
