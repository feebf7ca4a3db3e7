"""`memwiki cache`."""

from __future__ import annotations

from memwiki.answers.workspaces import CacheList
from memwiki.cli.app import App
from memwiki.cli.door import Door

app = App()
cache = app.group("cache", "cache list", "cache prune")


@cache.verb("cache list --json", is_usual=True)
def list_(door: Door) -> None:
    """List the indexes on this machine and the workspaces they belong to."""
    door.show(_caches(is_pruning=False))


@cache.verb("cache prune")
def prune(door: Door) -> None:
    """Delete the indexes of workspaces that moved or vanished."""
    door.report(_caches(is_pruning=True))


def _caches(*, is_pruning: bool) -> CacheList:
    """They are those of a machine: there need be no workspace here."""
    from memwiki.config import environment
    from memwiki.setup import caches

    return caches.caches(environment(), prune=is_pruning)
