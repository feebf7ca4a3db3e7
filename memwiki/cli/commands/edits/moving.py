"""`memwiki move` and `memwiki delete`."""

from __future__ import annotations

from typing import Annotated

from memwiki.cli.app import App
from memwiki.cli.arguments import first_found
from memwiki.cli.door import Door
from memwiki.cli.shared import DryRun, Expect

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
