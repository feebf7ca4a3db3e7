"""Regular expressions of a module, compiled when they are first asked for something."""

from __future__ import annotations

import re
from typing import AnyStr, cast


class _PatternOnNeed:
    """Stands for a pattern, and keeps what it was asked for, so that it looks that up once."""

    def __init__(self, text: str | bytes, flags: int) -> None:
        self.pattern = text
        self._flags = flags

    def __getattr__(self, name: str) -> object:
        found: object = getattr(re.compile(self.pattern, self._flags), name)
        setattr(self, name, found)
        return found


def pattern(text: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """`re.compile`, put off: a command asks few of the patterns that stand in what it loads, and to
    compile those of a page's grammar takes longer than to search."""
    return cast("re.Pattern[AnyStr]", _PatternOnNeed(text, flags))
