"""What there is, as lines of a catalog."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple


class BrowseSection(NamedTuple):
    """Lines under a heading, as an index.md has them; links are from the workspace on."""

    title: str
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Browse:
    """Sections of lines; `total` counts what `limit` and `offset` choose from."""

    what: str
    path: str
    sections: tuple[BrowseSection, ...]
    total: int
    next_offset: int = 0  # 0 where nothing follows
    fresh: bool = True

    def __iter__(self) -> Iterator[BrowseSection]:
        return iter(self.sections)
