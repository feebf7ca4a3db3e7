"""`memwiki consolidate`."""

from __future__ import annotations

from typing import Annotated

import typer

from memwiki.cli.app import door_of, examples, new_app
from memwiki.cli.commands.upkeep import DryRun, show_report
from memwiki.errors import UsageError

app = new_app()


@app.command(
    epilog=examples(
        "consolidate --dry-run   # the diff",
        "consolidate",
        "consolidate --candidates   # what a summary could stand for",
    )
)
def consolidate(
    context: typer.Context,
    *,
    dry_run: DryRun = False,
    candidates: Annotated[
        bool,
        typer.Option("--candidates", help="Only list what is hardly ever recalled, by type."),
    ] = False,
) -> None:
    """Join, promote and relate what was staged or noted.

    A run looks at `consolidation.batch_size` entries. Lines of daily notes stay.
    """
    door = door_of(context)
    if candidates and dry_run:
        raise UsageError("--candidates and --dry-run: cannot be used together", hint="give one")
    workspace = door.open()
    if candidates:
        found = workspace.upkeep.compressible()
        door.show_rows(found, found.groups, len(found.groups), "groups")
        return
    with door.progress("Judging") as progress:
        report = workspace.upkeep.consolidate(dry_run=dry_run, progress=progress)
    show_report(door, report)
