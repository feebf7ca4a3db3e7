"""`memwiki set`."""

from __future__ import annotations

from typing import Annotated

import typer

from memwiki.cli.app import door_of, examples, new_app, page_name
from memwiki.errors import UsageError

app = new_app()

DRY_RUN = typer.Option("--dry-run", help="Show what would change, and change nothing.")
PAGE = typer.Argument(metavar="NAME", help="Path, file name, title, alias or id.")


@app.command(
    "set",
    epilog=examples(
        "set Tea status=stable",
        "set Tea 'description=How it is made.' tags=drink,green",
        "set Tea --unset status --dry-run",
    ),
)
def set_fields(
    context: typer.Context,
    name: Annotated[str, PAGE],
    fields: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[KEY=VALUE]...", help="Fields and their values.", show_default=False
        ),
    ] = None,
    *,
    unset: Annotated[
        list[str] | None,
        typer.Option(metavar="KEY", help="Remove this field; may be repeated.", show_default=False),
    ] = None,
    dry_run: Annotated[bool, DRY_RUN] = False,
) -> None:
    """Set fields in the front matter of a page, or remove them.

    Each changes on its own line, in the style in which it is written. A list takes values separated
    by commas, KEY= empties a field.
    """
    door = door_of(context)
    workspace = door.open()
    changes = dict(map(_field, fields or []))
    name = page_name(workspace.root, name)
    door.edited(workspace.pages.set(name, changes, unset=unset or [], dry_run=dry_run))


def _field(argument: str) -> tuple[str, str]:
    key, sign, value = argument.partition("=")
    if not (sign and key.strip()):
        raise UsageError(f"set: {argument}: not KEY=VALUE", hint="for example status=stable")
    return key.strip(), value.strip()
