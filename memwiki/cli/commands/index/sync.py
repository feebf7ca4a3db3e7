"""`memwiki sync` and `memwiki reindex`."""

from __future__ import annotations

from typing import Annotated

import typer

from memwiki.answers.index import Changes
from memwiki.cli import output
from memwiki.cli.app import door_of, examples, new_app
from memwiki.cli.door import Door

app = new_app()

_Verbose = Annotated[
    bool, typer.Option("--verbose", help="List every page, also when there are over 20.")
]


@app.command(
    epilog=examples("sync", "sync wiki/home.md", "sync --full   # compare the bytes of every file")
)
def sync(
    context: typer.Context,
    paths: Annotated[
        list[str] | None, typer.Argument(metavar="[PATH]...", show_default=False)
    ] = None,
    *,
    full: Annotated[
        bool, typer.Option("--full", help="Compare bytes, not only sizes and times.")
    ] = False,
    force: Annotated[
        bool,
        typer.Option("--force", help="Remove pages from the index even when many vanish at once."),
    ] = False,
    verbose: _Verbose = False,
) -> int:
    """Bring the index up to date with the files."""
    door = door_of(context)
    workspace = door.open()
    named = door.here(workspace).paths(paths or ())
    with door.progress("Indexing") as progress:
        changes = workspace.sync(named, full=full, force=force, progress=progress)
    return _report(door, changes, is_whole=verbose)


@app.command(epilog=examples("reindex", "reindex --verbose"))
def reindex(context: typer.Context, *, verbose: _Verbose = False) -> int:
    """Build a new index from the files and swap it in."""
    door = door_of(context)
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
