"""The derived indexes in the user's cache folder, and removing those that nobody needs."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path

from memwiki.answers.workspaces import CacheEntry, CacheList
from memwiki.config import cache_root
from memwiki.index.cache_folder import bytes_of, cache_folders


def caches(environ: Mapping[str, str], *, prune: bool) -> CacheList:
    """Every index in the cache folder; with `prune` those go whose workspace is gone."""
    cache = cache_root(environ)
    if cache is None:
        return CacheList(())
    entries = [
        CacheEntry(workspace, str(folder), bytes_of(folder), is_orphan=not Path(workspace).is_dir())
        for folder, workspace in cache_folders(cache)
    ]
    if not prune:
        return CacheList(tuple(entries))
    orphans = [entry for entry in entries if entry.is_orphan]
    for entry in orphans:
        shutil.rmtree(entry.place, ignore_errors=True)
    kept = tuple(entry for entry in entries if not entry.is_orphan)
    return CacheList(kept, tuple(entry.place for entry in orphans))
