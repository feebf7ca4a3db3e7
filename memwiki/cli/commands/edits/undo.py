"""`memwiki undo`."""

from __future__ import annotations

from typing import Annotated

from memwiki.cli.app import App
from memwiki.cli.door import Door
from memwiki.cli.input import has_person, is_yes
from memwiki.cli.shared import DryRun
from memwiki.errors import UnconfirmedError
from memwiki.present import clean

app = App()


@app.verb("undo --dry-run", "undo", "undo 3")
def undo(
    door: Door,
    count: Annotated[int, "Number of changes to undo.", "[N]", 1] = 1,
    *,
    own: Annotated[bool, "Refuse a change that another --actor made."] = False,
    dry_run: DryRun = False,
    yes: Annotated[bool, "Also undo a change that was not made on this machine."] = False,
) -> None:
    """Undo the last changes that memwiki made.

    The files get their exact bytes back, if nobody changed them since. A change that was made on
    another machine is shown first, and you are asked.
    """
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
