"""`memwiki config`."""

from __future__ import annotations

from typing import Annotated

import typer

from memwiki.cli.app import door_of, examples, new_app

app = new_app()
config = typer.Typer(
    invoke_without_command=True,
    help="Show or change the settings of the workspace.",
    epilog=examples("config show", "config set catalog.enabled false"),
)
app.add_typer(config, name="config")


@config.callback()
def _config(context: typer.Context) -> None:
    if context.invoked_subcommand is None:
        show(context)


@config.command(epilog=examples("config show", "config show recall doors.max_tokens --json"))
def show(
    context: typer.Context,
    keys: Annotated[
        list[str] | None,
        typer.Argument(metavar="[KEY]...", help="Only these settings, or tables of them."),
    ] = None,
) -> None:
    """Show each setting, its value and where that comes from."""
    door = door_of(context)
    workspace = door.open()
    door.show(workspace.settings.list(keys or ()))
    for note in workspace.config.foreign_notes:
        door.talk(note)


@config.command("set", epilog=examples("config set layers.archive archive"))
def set_value(
    context: typer.Context,
    key: Annotated[str, typer.Argument(metavar="KEY")],
    value: Annotated[str, typer.Argument(metavar="VALUE")],
) -> None:
    """Write a setting into memwiki.toml."""
    door = door_of(context)
    door.report(door.open().settings.set(key, value))
