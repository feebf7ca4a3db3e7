"""`memwiki sync` and `memwiki reindex`."""

from __future__ import annotations

from typing import Annotated

from memwiki.answers.index import Changes
from memwiki.cli import output
from memwiki.cli.app import App
from memwiki.cli.door import Door

app = App()

_Verbose = Annotated[bool, "List every page, also when there are over 20."]


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
