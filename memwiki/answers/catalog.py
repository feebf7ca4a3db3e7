"""What became of the catalogs, as an answer."""

from __future__ import annotations

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
