"""The hits that a terminal was shown last, to be opened by their number."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from memwiki.clock import now_ns
from memwiki.errors import NotFoundError
from memwiki.index.cache_files import ShownHits
from memwiki.index.cache_folder import CacheFolder


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
            hint=f"memwiki search WORDS, then memwiki open {max(number, 1)}",
        )
    if not 1 <= number <= len(paths):
        count = "1 hit" if len(paths) == 1 else f"{len(paths)} hits"
        raise NotFoundError(
            f"{number}: no page has this name, and the last search here showed {count}",
            hint=f"memwiki open 1 to {len(paths)}" if paths else "memwiki search other words",
        )
    return paths[number - 1]


def _hits(root: Path, terminal: str) -> ShownHits | None:
    from memwiki.config import cache_root, environment

    cache = cache_root(environment())
    return ShownHits(CacheFolder(cache, root).path, terminal) if cache else None
