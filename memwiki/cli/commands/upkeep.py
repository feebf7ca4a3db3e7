"""`memwiki upkeep` and `memwiki snapshot`."""

from __future__ import annotations

from typing import Annotated

import typer

from memwiki.answers.upkeep import UpkeepReport
from memwiki.cli.app import door_of, examples, new_app
from memwiki.cli.door import Door

app = new_app()

DryRun = Annotated[bool, typer.Option("--dry-run", help="Only show what would change.")]


@app.command(epilog=examples("upkeep --dry-run   # the diff", "upkeep", "upkeep && memwiki undo"))
def upkeep(context: typer.Context, *, dry_run: DryRun = False) -> None:
    """Join, promote and retire memories, as one change.

    Safe repairs of check, consolidation, retention, overflow and the snapshot. Asks nothing, so
    that cron can run it; `memwiki undo` takes it back.
    """
    door = door_of(context)
    workspace = door.open()
    with door.progress("Checking") as progress:
        report = workspace.upkeep.run(dry_run=dry_run, progress=progress)
    show_report(door, report)


@app.command(epilog=examples("snapshot", "snapshot --dry-run"))
def snapshot(context: typer.Context, *, dry_run: DryRun = False) -> None:
    """Write the core memories to MEMORY_SNAPSHOT.md.

    `memwiki init` in a folder that holds nothing else brings them back.
    """
    door = door_of(context)
    show_report(door, door.open().upkeep.snapshot(dry_run=dry_run))


def show_report(door: Door, report: UpkeepReport) -> None:
    """Print what upkeep did, or with --dry-run the diff and beside it what it is for."""
    edited = report.edited
    door.has_changed = bool(edited.paths) and not edited.dry_run
    if edited.dry_run:
        from memwiki.present.upkeep import step_lines

        door.show(report)
        door.say(step_lines(report, door.look()))
    else:
        door.report(report)
    door.say(edited.notes)
