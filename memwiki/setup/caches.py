"""The indexes of the workspaces on this machine, and the hits that a terminal was shown last."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path

from memwiki.answers.workspaces import CacheEntry, CacheList
from memwiki.clock import now_ns
from memwiki.config import cache_root, environment
from memwiki.errors import NotFoundError
from memwiki.index.cache_files import ShownHits
from memwiki.index.cache_folder import CacheFolder, bytes_of, cache_folders
from memwiki.nouns import Environ


def caches(environ: Environ, *, prune: bool) -> CacheList:
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


def note_shown(root: Path, terminal: str, paths: Sequence[str]) -> None:
    """Note what was shown; where nothing can be written, nothing is."""
    hits = _hits(root, terminal)
    if hits:
        hits.note(paths, now_ns())


def shown(root: Path, terminal: str, number: int) -> str:
    """The path of the hit of this number; NotFoundError, with the next step, where none is."""
    hits = _hits(root, terminal)
    paths = hits.paths(now_ns()) if hits else None
    if paths is None:
        raise NotFoundError(
            f"{number}: no page has this name, and no search was shown in this terminal within"
            " the last hour",
            f"memwiki search WORDS, then memwiki open {max(number, 1)}",
        )
    if not 1 <= number <= len(paths):
        count = "1 hit" if len(paths) == 1 else f"{len(paths)} hits"
        raise NotFoundError(
            f"{number}: no page has this name, and the last search here showed {count}",
            f"memwiki open 1 to {len(paths)}" if paths else "memwiki search other words",
        )
    return paths[number - 1]


def _hits(root: Path, terminal: str) -> ShownHits | None:
    cache = cache_root(environment())
    return ShownHits(CacheFolder(cache, root).path, terminal) if cache else None
