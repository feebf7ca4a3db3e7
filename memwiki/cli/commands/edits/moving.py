"""`memwiki move`, `memwiki delete` and `memwiki undo`."""

from __future__ import annotations

from typing import Annotated

from memwiki.cli.app import App, DryRun, Expect
from memwiki.cli.arguments import first_found
from memwiki.cli.door import Door
from memwiki.cli.input import has_person, is_yes
from memwiki.errors import UnconfirmedError
from memwiki.present import clean

app = App()
app = App()


@app.verb(
    "move tea wiki/drinks/",
    "move 'Green tea' wiki/drinks/matcha.md --keep-alias",
    "move wiki/old/ wiki/new/ --dry-run",
)
def move(
    door: Door,
    old: Annotated[str, "A page by any of its names, a file, or a folder.", "OLD"],
    new: Annotated[str, "A path, a folder, or without / and .md a name in the same folder.", "NEW"],
    *,
    keep_alias: Annotated[bool, "Keep the old name as an alias of the page."] = False,
    expect: Expect = "",
    dry_run: DryRun = False,
) -> None:
    """Move or rename a page, a file or a folder, and update every link to it.

    Links to it and relative links on it are rewritten, each in its own style. Links in code do not
    change.
    """
    workspace = door.open()
    seen = door.here(workspace)
    names = seen.moving(old)
    new = seen.destination(new, of_page=seen.is_page(names[0]))
    door.edited(
        first_found(
            names,
            lambda name: workspace.pages.move(
                name, new, keep_alias=keep_alias, expect=expect, dry_run=dry_run
            ),
        )
    )


@app.verb("delete 'Green tea'", "delete wiki/draft.md --hard")
def delete(
    door: Door,
    name: Annotated[str, "Path, file name, title, alias or id.", "NAME"],
    *,
    hard: Annotated[bool, "Delete without archive and without undo."] = False,
    expect: Expect = "",
    dry_run: DryRun = False,
) -> None:
    """Delete or archive a page, and report the links that break.

    `memwiki undo` restores it.
    """
    workspace = door.open()
    name = door.here(workspace).file(name)
    door.edited(workspace.pages.delete(name, hard=hard, expect=expect, dry_run=dry_run))


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
