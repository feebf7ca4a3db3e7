"""`memwiki undo` and `memwiki log`."""

from __future__ import annotations

from typing import Annotated

import typer

from memwiki.cli.app import door_of, examples, new_app
from memwiki.cli.input import has_person, is_yes
from memwiki.errors import UnconfirmedError
from memwiki.present import clean

app = new_app()
log = typer.Typer(
    invoke_without_command=True,
    help="Show what was done, or note it.",
    epilog=examples("log show --since 2w", "log add ingest 'Paper on sleep'"),
)
app.add_typer(log, name="log")


@app.command(epilog=examples("undo --dry-run", "undo", "undo 3"))
def undo(
    context: typer.Context,
    count: Annotated[
        int, typer.Argument(metavar="[N]", min=1, help="How many changes.", show_default=False)
    ] = 1,
    *,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show the difference, change nothing.")
    ] = False,
    yes: Annotated[
        bool, typer.Option("--yes", help="Also a change that was not made on this machine.")
    ] = False,
) -> None:
    """Take back the last changes that memwiki made.

    The files get back their exact bytes, if they are still as the change left them. A change that was not made
    here, such as a folder from elsewhere can bring along, is shown first, and you are asked.
    """
    door = door_of(context)
    workspace = door.open()
    try:
        answer = workspace.undo(count, dry_run=dry_run, yes=yes)
    except UnconfirmedError as error:
        if door.options.is_json or not has_person():
            raise
        door.show(workspace.undo(count, dry_run=True))
        if not is_yes(f"{clean(error.message)}\nUndo it all the same? [y/N] "):
            raise
        answer = workspace.undo(count, yes=True)
    door.edited(answer)


@log.callback()
def _log(context: typer.Context) -> None:
    if context.invoked_subcommand is None:
        show(context)


@log.command(epilog=examples("log show", "log show --since 2026-09-01 --op move"))
def show(
    context: typer.Context,
    *,
    since: Annotated[
        str, typer.Option(metavar="DAY", help="Only since this day, or 7d, 2w, 3m.")
    ] = "",
    op: Annotated[str, typer.Option(metavar="OP", help="Only of this kind.")] = "",
    limit: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="At most so many.", show_default=False)
    ] = None,
) -> None:
    """Show the entries of the journal, newest first."""
    door = door_of(context)
    answer = door.open().log(since=since, op=op, limit=limit)
    door.show_rows(answer, answer.entries, answer.total, "entries")


@log.command(epilog=examples("log add ingest 'Paper on sleep' --note 'created: [[Sleep]]'"))
def add(
    context: typer.Context,
    op: Annotated[str, typer.Argument(metavar="OP", help="What was done: ingest, query ...")],
    title: Annotated[str, typer.Argument(metavar="TITLE", help="To what.")],
    *,
    notes: Annotated[
        list[str] | None, typer.Option("--note", metavar="TEXT", help="One more line.")
    ] = None,
) -> None:
    """Note in the journal what was done by other means."""
    door = door_of(context)
    door.report(door.open().log_add(op, title, *(notes or ())))
