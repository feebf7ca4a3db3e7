"""`memwiki status`, `doctor`, `sync`, `reindex` and `cache`."""

from __future__ import annotations

from typing import Annotated

from memwiki.answers.index import Changes
from memwiki.answers.workspaces import CacheList
from memwiki.cli import output
from memwiki.cli.app import App
from memwiki.cli.door import Door
from memwiki.errors import UsageError

_PROBLEMS_FOUND = 3

app = App()
app = App()

_Verbose = Annotated[bool, "List every page, also when there are over 20."]
cache = app.group("cache", "cache list", "cache prune")


@app.verb("status", "status wiki/home.md", "status --metrics --json")
def status(
    door: Door,
    path: Annotated[str, "", "[PATH]"] = "",
    *,
    metrics: Annotated[bool, "Count memories, and time the last 1,000 recalls."] = False,
) -> None:
    """Show what is indexed, or why a file is not found."""
    if metrics and path:
        raise UsageError("status: --metrics and a path together", "ask for one of them")
    workspace = door.open()
    if metrics:
        door.show(workspace.index.metrics())
        return
    named = door.here(workspace).paths([path] if path else [])
    door.show(workspace.index.why(*named) if named else workspace.index.status())
    for note in () if named else workspace.config.foreign_notes:
        door.talk(note)


@app.verb("doctor", "doctor --verify")
def doctor(
    door: Door,
    *,
    verify: Annotated[bool, "Compare the index with a rebuild from the files."] = False,
) -> int:
    """Check the index, and with --verify compare it with a rebuild.

    Exits 3 when something is wrong.
    """
    with door.progress("Verifying") as progress:
        health = door.open().index.doctor(verify=verify, progress=progress)
    door.show(health)
    return 0 if health.healthy and health.equal is not False else _PROBLEMS_FOUND


@app.verb("sync", "sync wiki/home.md", "sync --full   # compare the bytes of every file")
def sync(
    door: Door,
    paths: Annotated[list[str] | None, "", "[PATH]..."] = None,
    *,
    full: Annotated[bool, "Compare bytes, not only sizes and times."] = False,
    force: Annotated[bool, "Remove pages from the index even when many vanish at once."] = False,
    verbose: _Verbose = False,
) -> int:
    """Bring the index up to date with the files."""
    workspace = door.open()
    named = door.here(workspace).paths(paths or ())
    with door.progress("Indexing") as progress:
        changes = workspace.sync(named, full=full, force=force, progress=progress)
    return _report(door, changes, is_whole=verbose)


@app.verb("reindex", "reindex --verbose")
def reindex(door: Door, *, verbose: _Verbose = False) -> int:
    """Build a new index from the files and swap it in."""
    with door.progress("Indexing") as progress:
        changes = door.open().index.reindex(progress=progress)
    return _report(door, changes, is_whole=verbose)


def _report(door: Door, changes: Changes, *, is_whole: bool) -> int:
    from memwiki.present.index import change_rows
    from memwiki.present.terminal import printed

    door.report(changes, text=printed(change_rows(changes, is_whole=is_whole), door.look()))
    if changes.fresh:
        return 0
    output.talk(f"sync: {changes.reason}\nmemwiki sync --force removes them from the index")
    return 1


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
