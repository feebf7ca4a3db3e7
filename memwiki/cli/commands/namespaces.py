"""`memwiki namespace`."""

from __future__ import annotations

from typing import Annotated

import typer

from memwiki.cli.app import door_of, examples, new_app
from memwiki.cli.shared import DryRun

app = new_app()
namespace = typer.Typer(
    help="List the namespaces, or put one away.",
    epilog=examples("namespace list", "namespace purge work --dry-run"),
)
app.add_typer(namespace, name="namespace")


@namespace.command("list", epilog=examples("namespace list", "namespace list --json"))
def list_namespaces(context: typer.Context) -> None:
    """List the namespaces with their pages, entries, bytes and newest change."""
    door = door_of(context)
    answer = door.open().namespaces.list()
    door.show_rows(answer, answer.namespaces, answer.total, "namespaces")


@namespace.command(epilog=examples("namespace purge work --dry-run", "namespace purge work --hard"))
def purge(
    context: typer.Context,
    name: Annotated[
        str, typer.Argument(metavar="NAMESPACE", help="The name of its folder.", show_default=False)
    ],
    *,
    hard: Annotated[
        bool, typer.Option("--hard", help="Delete it and its usage, without archive and undo.")
    ] = False,
    dry_run: DryRun = False,
) -> None:
    """Move all files of a namespace into the archive, as one change."""
    door = door_of(context)
    answer = door.open().namespaces.purge(name, hard=hard, dry_run=dry_run)
    if dry_run:
        door.show(answer)
    else:
        door.report(answer)
    door.say(answer.edited.notes)
