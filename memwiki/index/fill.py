"""Bringing a projection up to date: what it lacks compared with what there is, and giving it
that."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from memwiki.index.projection import Projection, ProjectionOf

P = TypeVar("P")
Progress = Callable[[int, int], None]


def lack(store: ProjectionOf[Any], wanted: Mapping[str, str]) -> tuple[set[str], list[str]]:
    """The pages that a store has to take in so that it holds these digests, and those to drop."""
    existing = store.digests()
    lacking = {path for path, digest in wanted.items() if existing.get(path) != digest}
    return lacking, [path for path in existing if path not in wanted]


def fill(
    store: ProjectionOf[P],
    cards: Projection,
    made: Callable[[str, str], P | None],
    *,
    batch: int = 0,
    progress: Progress | None = None,
) -> None:
    """Give a store what it lacks compared with the cards, so many pages a commit, or all in one.

    `made` is given the path and digest of a page; a page of which it makes nothing, or another
    version, is asked for again the next time.
    """
    if store.tree() == cards.tree():
        return
    wanted = cards.digests()
    lacking, gone = lack(store, wanted)
    paths = sorted(lacking)
    size = batch or len(paths) or 1
    for start in range(0, len(paths) or 1, size):
        puts = []
        for done, path in enumerate(paths[start : start + size], start):
            put = made(path, wanted[path])
            if put is not None:
                puts.append(put)
            if progress and not done % 32:
                progress(done, len(paths))
        store.apply(puts, gone)
        gone = []
