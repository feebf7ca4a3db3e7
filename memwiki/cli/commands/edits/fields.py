"""`memwiki set`, `memwiki link` and `memwiki unlink`."""

from __future__ import annotations

from typing import Annotated

import typer

from memwiki.cli.app import door_of, examples, new_app
from memwiki.cli.shared import DryRun, Expect, PageName
from memwiki.errors import UsageError

app = new_app()


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
    name: PageName,
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
    expect: Expect = "",
    dry_run: DryRun = False,
) -> None:
    """Set fields in the front matter of a page, or remove them.

    Each field changes on its own line and keeps its style. A list takes values separated by
    commas. KEY= empties a field.
    """
    door = door_of(context)
    workspace = door.open()
    changes = dict(map(_field, fields or []))
    name = door.here(workspace).page(name)
    door.edited(
        workspace.pages.set(name, changes, unset=unset or [], expect=expect, dry_run=dry_run)
    )


def _field(argument: str) -> tuple[str, str]:
    key, sign, value = argument.partition("=")
    if not (sign and key.strip()):
        raise UsageError(f"set: {argument}: not KEY=VALUE", hint="for example status=stable")
    return key.strip(), value.strip()


_Target = Annotated[
    str, typer.Argument(metavar="TARGET", help="The page it links to, by any of its names.")
]


@app.command(epilog=examples("link Tea Water", "link Tea Water --relation needs --weight 0.9"))
def link(
    context: typer.Context,
    name: PageName,
    target: _Target,
    *,
    relation: Annotated[
        str, typer.Option(metavar="TYPE", help="Relation type, such as needs.")
    ] = "",
    weight: Annotated[
        float | None, typer.Option(metavar="W", help="Weight, from 0 to 1.", show_default=False)
    ] = None,
    expect: Expect = "",
    dry_run: DryRun = False,
) -> None:
    """Link a page to another one in its front matter.

    Plain links go to `related`, typed ones to `relations`.
    """
    door = door_of(context)
    workspace = door.open()
    ends = map(door.here(workspace).page, (name, target))
    answer = workspace.pages.link(
        *ends, relation=relation, weight=weight, expect=expect, dry_run=dry_run
    )
    door.edited(answer)


@app.command(epilog=examples("unlink Tea Water", "unlink Tea Water --relation needs --dry-run"))
def unlink(
    context: typer.Context,
    name: PageName,
    target: _Target,
    *,
    relation: Annotated[str, typer.Option(metavar="TYPE", help="Relation type to remove.")] = "",
    expect: Expect = "",
    dry_run: DryRun = False,
) -> None:
    """Remove the link from a page to another one.

    In the text, only a typed relation on a line of its own is removed; other links are listed.
    """
    door = door_of(context)
    workspace = door.open()
    ends = map(door.here(workspace).page, (name, target))
    door.edited(workspace.pages.unlink(*ends, relation=relation, expect=expect, dry_run=dry_run))
