"""`memwiki move` and `memwiki delete`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from memwiki.cli.app import door_of, examples, inside, new_app, page_name
from memwiki.cli.commands.fields import DRY_RUN
from memwiki.errors import UnsafePathError

app = new_app()


@app.command(
    epilog=examples(
        "move tea wiki/drinks/",
        "move 'Green tea' wiki/drinks/matcha.md --keep-alias",
        "move wiki/old/ wiki/new/ --dry-run",
    )
)
def move(
    context: typer.Context,
    old: Annotated[
        str, typer.Argument(metavar="OLD", help="A page by any of its names, a file, or a folder.")
    ],
    new: Annotated[
        str,
        typer.Argument(
            metavar="NEW", help="A path, a folder, or without / and .md a name in the same folder."
        ),
    ],
    *,
    keep_alias: Annotated[
        bool, typer.Option("--keep-alias", help="The page goes on answering to its old name.")
    ] = False,
    dry_run: Annotated[bool, DRY_RUN] = False,
) -> None:
    """Move or rename a page, a file or a folder, and keep every link true.

    Links to it, and the relative ones on it, are written anew in the style they are written in.
    Nothing in code is touched.
    """
    door = door_of(context)
    workspace = door.open()
    old, new = place(workspace.root, old), place(workspace.root, new, is_new=True)
    door.edited(workspace.pages.move(old, new, keep_alias=keep_alias, dry_run=dry_run))


@app.command(epilog=examples("delete 'Green tea'", "delete wiki/draft.md --hard"))
def delete(
    context: typer.Context,
    name: Annotated[
        str, typer.Argument(metavar="NAME", help="Path, file name, title, alias or id.")
    ],
    *,
    hard: Annotated[
        bool, typer.Option("--hard", help="No archive, and nothing kept to undo it.")
    ] = False,
    dry_run: Annotated[bool, DRY_RUN] = False,
) -> None:
    """Delete a page, into the archive if the workspace has one, and say which links lead nowhere.

    `memwiki undo` brings it back.
    """
    door = door_of(context)
    workspace = door.open()
    name = page_name(workspace.root, name)
    door.edited(workspace.pages.delete(name, hard=hard, dry_run=dry_run))


def place(root: Path, written: str, *, is_new: bool = False) -> str:
    """A path as the workspace knows it when it was typed relative to the current folder; a `/` at its
    end, which means a folder, stays."""
    if is_new and written.startswith(("./", "../", "/")):
        path = Path(written).absolute().resolve()
        # At a shell `/` is the root of the machine, not that of the workspace.
        if written.startswith("/") and not path.is_relative_to(root.resolve()):
            raise UnsafePathError(
                f"{written}: leads out of the workspace", hint="give a path inside it", path=written
            )
        found = (
            path.relative_to(root.resolve()).as_posix()
            if path.is_relative_to(root.resolve())
            else written
        )
    elif written.endswith("/"):
        found = inside(root, written)
    else:
        found = page_name(root, written)
    return f"{found.rstrip('/')}/" if written.endswith("/") else found
