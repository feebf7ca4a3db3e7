"""`memwiki status` and `memwiki doctor`."""

from __future__ import annotations

from typing import Annotated

import typer

from memwiki.cli.app import door_of, examples, new_app
from memwiki.errors import UsageError

_PROBLEMS_FOUND = 3

app = new_app()


@app.command(epilog=examples("status", "status wiki/home.md", "status --metrics --json"))
def status(
    context: typer.Context,
    path: Annotated[str, typer.Argument(metavar="[PATH]", show_default=False)] = "",
    *,
    metrics: Annotated[
        bool, typer.Option("--metrics", help="Count memories, and time the last 1,000 recalls.")
    ] = False,
) -> None:
    """Show what is indexed, or why a file is not found."""
    if metrics and path:
        raise UsageError("status: --metrics and a path together", hint="ask for one of them")
    door = door_of(context)
    workspace = door.open()
    if metrics:
        door.show(workspace.index.metrics())
        return
    named = door.here(workspace).paths([path] if path else [])
    door.show(workspace.index.why(*named) if named else workspace.index.status())
    for note in () if named else workspace.config.foreign_notes:
        door.talk(note)


@app.command(epilog=examples("doctor", "doctor --verify"))
def doctor(
    context: typer.Context,
    *,
    verify: Annotated[
        bool, typer.Option("--verify", help="Compare the index with a rebuild from the files.")
    ] = False,
) -> int:
    """Check the index, and with --verify compare it with a rebuild.

    Exits 3 when something is wrong.
    """
    door = door_of(context)
    with door.progress("Verifying") as progress:
        health = door.open().index.doctor(verify=verify, progress=progress)
    door.show(health)
    return 0 if health.healthy and health.equal is not False else _PROBLEMS_FOUND
