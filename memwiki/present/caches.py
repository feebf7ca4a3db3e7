"""The derived indexes of a machine, as text."""

from __future__ import annotations

from memwiki.answers.caches import CacheEntry, CacheList
from memwiki.present.screen import Look, as_path
from memwiki.present.text import size, table, text_of


@text_of.register(CacheList)
def _(answer: CacheList, look: Look) -> str:
    if answer.removed:
        return "\n".join(f"removed {as_path(place)}" for place in answer.removed)
    return table((_cache_cells(each) for each in answer.caches), look, whole=[1, 2], paths=[1, 2])


def _cache_cells(cache: CacheEntry) -> tuple[str, ...]:
    workspace = f"{cache.workspace} (gone)" if cache.is_orphan else cache.workspace
    return size(cache.bytes), workspace, cache.place
