"""`memwiki workspaces`."""

from __future__ import annotations

from typing import Annotated

import typer

from memwiki.cli.app import door_of, examples, new_app
from memwiki.cli.arguments import machine_path

app = new_app()
workspaces = typer.Typer(
    invoke_without_command=True,
    help="Give workspaces names, for `memwiki -w NAME`.",
    epilog=examples("workspaces add work ~/work/notes", "-w work search tea", "workspaces"),
)
app.add_typer(workspaces, name="workspaces")


@workspaces.callback()
def _workspaces(context: typer.Context) -> None:
    if context.invoked_subcommand is None:
        list_workspaces(context)


@workspaces.command("list", epilog=examples("workspaces list --json"))
def list_workspaces(context: typer.Context) -> None:
    """List the names and the folders that they mean."""
    from memwiki.setup import named

    door = door_of(context)
    answer = named.workspaces()
    door.show(answer)
    if not answer.workspaces:
        door.talk("No workspace has a name yet: memwiki workspaces add NAME DIR")


@workspaces.command(epilog=examples("workspaces add work", "workspaces add home ~/notes"))
def add(
    context: typer.Context,
    name: Annotated[str, typer.Argument(metavar="WORKSPACE", help="A name of your own.")],
    directory: Annotated[
        str | None,
        typer.Argument(
            metavar="[DIR]",
            help="A folder of the workspace (default: the current one).",
            show_default=False,
        ),
    ] = None,
) -> None:
    """Give the workspace around a folder a name."""
    from memwiki.setup import named

    door = door_of(context)
    seen = door.options.directory
    folder = seen if directory is None else machine_path(seen, directory)
    door.report(named.add(name, folder))


@workspaces.command(epilog=examples("workspaces remove work"))
def remove(
    context: typer.Context, name: Annotated[str, typer.Argument(metavar="WORKSPACE")]
) -> None:
    """Forget a name; the workspace itself stays as it is."""
    from memwiki.setup import named

    door = door_of(context)
    answer = named.remove(name)
    door.report(answer)
    door.talk(f"{answer.name} is no name any more; every file there stays.")
