"""`memwiki undo`."""

from __future__ import annotations

from typing import Annotated

import typer

from memwiki.cli.app import door_of, examples, new_app
from memwiki.cli.input import has_person, is_yes
from memwiki.cli.shared import DryRun
from memwiki.errors import UnconfirmedError
from memwiki.present import clean

app = new_app()


@app.command(epilog=examples("undo --dry-run", "undo", "undo 3"))
def undo(
    context: typer.Context,
    count: Annotated[
        int,
        typer.Argument(metavar="[N]", min=1, help="Number of changes to undo.", show_default=False),
    ] = 1,
    *,
    own: Annotated[
        bool, typer.Option("--own", help="Refuse a change that another --actor made.")
    ] = False,
    dry_run: DryRun = False,
    yes: Annotated[
        bool, typer.Option("--yes", help="Also undo a change that was not made on this machine.")
    ] = False,
) -> None:
    """Undo the last changes that memwiki made.

    The files get their exact bytes back, if nobody changed them since. A change that was made on
    another machine is shown first, and you are asked.
    """
    door = door_of(context)
    workspace = door.open()
    try:
        answer = workspace.undo(count, own=own, dry_run=dry_run, yes=yes)
    except UnconfirmedError as error:
        if door.options.is_json or not has_person():
            raise
        door.show(workspace.undo(count, own=own, dry_run=True))
        if not is_yes(f"{clean(error.message)}\nUndo it anyway? [y/N] "):
            raise
        answer = workspace.undo(count, own=own, yes=True)
    door.edited(answer)
