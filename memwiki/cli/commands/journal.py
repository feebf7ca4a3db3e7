"""`memwiki log`."""

from __future__ import annotations

from typing import Annotated

import typer

from memwiki.cli.app import door_of, examples, new_app
from memwiki.cli.shared import Limit

app = new_app()
log = typer.Typer(
    invoke_without_command=True,
    help="Show the journal, or add an entry to it.",
    epilog=examples("log show --since 2w", "log add ingest 'Paper on sleep'"),
)
app.add_typer(log, name="log")


@log.callback()
def _log(context: typer.Context) -> None:
    if context.invoked_subcommand is None:
        show(context)


@log.command(
    epilog=examples(
        "log show", "log show --since 2026-09-01 --op move", "log show --by claude-code"
    )
)
def show(
    context: typer.Context,
    *,
    since: Annotated[
        str, typer.Option(metavar="DAY", help="Only entries since this day, or 7d, 2w, 3m.")
    ] = "",
    op: Annotated[str, typer.Option(metavar="OP", help="Only entries of this kind.")] = "",
    by: Annotated[
        str, typer.Option(metavar="ACTOR", help="Only what this actor did; a beginning will do.")
    ] = "",
    limit: Limit = None,
) -> None:
    """Show the entries of the journal, newest first."""
    door = door_of(context)
    answer = door.open().journal.list(since=since, op=op, by=by, limit=limit)
    door.show_rows(answer, answer.entries, answer.total, "entries")


@log.command(epilog=examples("log add ingest 'Paper on sleep' --note 'created: [[Sleep]]'"))
def add(
    context: typer.Context,
    op: Annotated[str, typer.Argument(metavar="OP", help="What was done: ingest, query ...")],
    title: Annotated[str, typer.Argument(metavar="TITLE", help="What it was done to.")],
    *,
    notes: Annotated[
        list[str] | None,
        typer.Option("--note", metavar="TEXT", help="A line below the entry; may be repeated."),
    ] = None,
) -> None:
    """Add an entry to the journal."""
    door = door_of(context)
    door.report(door.open().journal.add(op, title, *(notes or ())))
