"""Catalogs, and what there is as lines of one, as answers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple


class CatalogReport(NamedTuple):
    """What `catalog` wrote, or with `check` would write."""

    written: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    stale: tuple[str, ...] = ()  # with `check`: the files that are not as they should be
    unmarked: tuple[str, ...] = ()  # index files of people's own; `catalog --adopt` adds a block
    notes: tuple[str, ...] = ()
    catalogs: int = 0  # how many there are
    pages: int = 0  # how many they list
    fresh: bool = True
    reason: str = ""


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
