"""Settings and caches, as text."""

from __future__ import annotations

from memwiki.answers.settings import CacheEntry, CacheList, Setting, SettingList
from memwiki.present.screen import Look, as_path, line
from memwiki.present.text import size, table, text_of


@text_of.register(SettingList)
def _(answer: SettingList, look: Look) -> str:
    rows = ((each.key, each.value or '""', each.origin, each.help) for each in answer.settings)
    return table(rows, look, whole=[0, 1, 3], paths=[1])


@text_of.register(Setting)
def _(answer: Setting, _look: Look) -> str:
    return f"{line(answer.key)} = {as_path(answer.value)}"


@text_of.register(CacheList)
def _(answer: CacheList, look: Look) -> str:
    if answer.removed:
        return "\n".join(f"removed {as_path(place)}" for place in answer.removed)
    return table((_cache_cells(each) for each in answer.caches), look, whole=[1, 2], paths=[1, 2])


def _cache_cells(cache: CacheEntry) -> tuple[str, ...]:
    workspace = f"{cache.workspace} (gone)" if cache.is_orphan else cache.workspace
    return size(cache.bytes), workspace, cache.place
