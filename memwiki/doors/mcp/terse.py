"""What the log says of a fault: where and of what kind, never what was asked or found."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable

from memwiki.tools.call import frames


def be_terse(tell: Callable[[str], None]) -> None:
    """Keep the words of libraries and of failed threads out of the log: they quote requests."""
    root = logging.getLogger()
    root.handlers[:] = [_Terse(tell)]
    root.setLevel(logging.WARNING)
    threading.excepthook = lambda failed: tell(frames(failed.exc_value))


class _Terse(logging.Handler):
    def __init__(self, tell: Callable[[str], None]) -> None:
        super().__init__()
        self._tell = tell

    def emit(self, record: logging.LogRecord) -> None:
        kind = record.exc_info[0] if record.exc_info else None
        said = f"{record.levelname.lower()} at {record.name}:{record.lineno}"
        self._tell(f"{said} {kind.__name__}" if kind else said)
