"""What a program's own settings say, in the names of ours."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple, TypeAlias


class Said(NamedTuple):
    """One setting of ours with the value that a file gives it; `note` says what was passed over."""

    source: str
    key: str
    value: object = ""
    note: str = ""

    @property
    def text(self) -> str:
        """All text of the value."""
        values = self.value if isinstance(self.value, list) else [self.value]
        return "".join(map(str, values))


Says: TypeAlias = Iterator[Said]
_WILD = re.compile(r"([\\*?\[\]! ])")


def unusable(source: str, what: str) -> Said:
    """What is told of a setting that says nothing here."""
    return Said(source, "", note=f"{source}: {what}; it is passed over")


def patterns_of(starts: Iterable[str]) -> list[str]:
    """What paths begin with, as patterns in gitignore's syntax."""
    found = (start.strip().strip("/") + "/" * start.strip().endswith("/") for start in starts)
    escaped = (_WILD.sub(r"\\\1", start) for start in found if start.strip("/"))
    return [f"/{start}" if start.endswith("/") else f"/{start}*" for start in escaped]
