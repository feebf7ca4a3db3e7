"""`memwiki cache`."""

from __future__ import annotations

import typer

from memwiki.answers.workspaces import CacheList
from memwiki.cli.app import door_of, examples, new_app

app = new_app()
cache = typer.Typer(
    invoke_without_command=True,
    help="List the indexes on this machine, or delete orphaned ones.",
    epilog=examples("cache list", "cache prune"),
)
app.add_typer(cache, name="cache")


@cache.callback()
def _cache(context: typer.Context) -> None:
    if context.invoked_subcommand is None:
        list_caches(context)


@cache.command("list", epilog=examples("cache list --json"))
def list_caches(context: typer.Context) -> None:
    """List the indexes on this machine and the workspaces they belong to."""
    door_of(context).show(_caches(is_pruning=False))


@cache.command(epilog=examples("cache prune"))
def prune(context: typer.Context) -> None:
    """Delete the indexes of workspaces that moved or vanished."""
    door_of(context).report(_caches(is_pruning=True))


def _caches(*, is_pruning: bool) -> CacheList:
    """They are those of a machine: there need be no workspace here."""
    from memwiki.config import environment
    from memwiki.setup import caches

    return caches.caches(environment(), prune=is_pruning)
