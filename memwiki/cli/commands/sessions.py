"""`memwiki session`."""

from __future__ import annotations

from pathlib import PurePath
from typing import Annotated

import typer

from memwiki.cli.app import door_of, examples, new_app
from memwiki.cli.arguments import machine_path
from memwiki.cli.commands.edits.text import TEXT_MAY_BE_AN_ITEM, given_text
from memwiki.cli.input import read_text
from memwiki.cli.shared import DryRun, Limit
from memwiki.present import as_json, as_path

app = new_app()
session = typer.Typer(
    help="Keep conversations: begin, add, show, list, end, compact, purge and import them.",
    epilog=examples(
        "session start design",
        "session add design 'Where do herons nest?' --name Anna",
        "session show design --json",
    ),
)
app.add_typer(session, name="session")

_MOST_BYTES = 256_000_000  # of an export
_LAST = typer.Option(min=1, metavar="N", help="The last N messages.", show_default=False)
_Id = Annotated[str, typer.Argument(metavar="ID", help="The session: its file name without .md.")]


@session.command(epilog=examples("session start", "session start design --participant Anna"))
def start(
    context: typer.Context,
    id_: Annotated[
        str,
        typer.Argument(metavar="[ID]", help="Its id (default: the time).", show_default=False),
    ] = "",
    *,
    participant: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="Who takes part; may be repeated.", show_default=False),
    ] = None,
) -> None:
    """Begin a session, and print its id."""
    door = door_of(context)
    answer = door.open().sessions.start(id_, participants=participant or [])
    door.has_changed = True
    door.show(answer, text=as_path(answer.id))


@session.command(
    context_settings=TEXT_MAY_BE_AN_ITEM,
    epilog=examples(
        "session add design 'In high trees.' --role assistant",
        "session add design - --role tool < result.txt",
        "session add design 'We meet on Monday.' --daily",
    ),
)
def add(
    context: typer.Context,
    id_: _Id,
    text: Annotated[
        str, typer.Argument(metavar="TEXT", help="What was said; - reads it from standard input.")
    ],
    *,
    role: Annotated[
        str, typer.Option(metavar="R", help="user, assistant, system, tool or a name.")
    ] = "user",
    name: Annotated[str, typer.Option(metavar="N", help="Who said it.")] = "",
    at: Annotated[str, typer.Option(metavar="T", help="When it was said (default: now).")] = "",
    daily: Annotated[
        bool, typer.Option("--daily", help="Also add its first words to today's page.")
    ] = False,
) -> None:
    """Add a message at the end of a session, which begins with it if need be.

    Any text is kept byte for byte. With `session.strategy = sliding_window` the oldest messages
    leave for the archive.
    """
    door = door_of(context)
    workspace = door.open()
    given = given_text(workspace, "session add", text)
    answer = workspace.session(id_).add_message(role, given, name, at, daily=daily or None)
    door.has_changed = True
    door.report(answer)
    door.say(answer.notes)


@session.command(epilog=examples("session show design", "session show design --limit 20 --json"))
def show(
    context: typer.Context,
    id_: _Id,
    *,
    limit: Annotated[int | None, _LAST] = None,
    jsonl: Annotated[
        bool, typer.Option("--jsonl", help="Print each message as a JSON object on a line.")
    ] = False,
) -> None:
    """Print the messages of a session."""
    door = door_of(context)
    answer = door.open().sessions.get(id_, limit=limit)
    door.show(answer, text="\n".join(map(as_json, answer.messages)) if jsonl else None)


@session.command("list", epilog=examples("session list", "session list --limit 5 --json"))
def list_sessions(
    context: typer.Context,
    *,
    limit: Limit = None,
) -> None:
    """List the sessions, the last changed first."""
    door = door_of(context)
    answer = door.open().sessions.list(limit=limit)
    door.show_rows(answer, answer.sessions, answer.total, "sessions")


@session.command(
    context_settings=TEXT_MAY_BE_AN_ITEM,
    epilog=examples("session end design", "session end design --summary 'Herons nest in trees.'"),
)
def end(
    context: typer.Context,
    id_: _Id,
    *,
    summary: Annotated[
        str | None,
        typer.Option(
            metavar="TEXT", help="What it was about; - reads it from stdin.", show_default=False
        ),
    ] = None,
    dry_run: DryRun = False,
) -> None:
    """Note that a session ended, with a summary that search finds."""
    door = door_of(context)
    workspace = door.open()
    given = None if summary is None else given_text(workspace, "session end", summary)
    door.edited(workspace.session(id_).end(given, dry_run=dry_run))


@session.command(epilog=examples("session compact design --dry-run"))
def compact(
    context: typer.Context,
    id_: _Id,
    *,
    dry_run: DryRun = False,
) -> None:
    """Leave one line of each tool result but the newest; their text goes to the archive."""
    door = door_of(context)
    door.edited(door.open().session(id_).compact(dry_run=dry_run))


@session.command(epilog=examples("session purge design", "session purge design --hard"))
def purge(
    context: typer.Context,
    id_: _Id,
    *,
    hard: Annotated[
        bool, typer.Option("--hard", help="Delete it for good, in the archive and from undo too.")
    ] = False,
    dry_run: DryRun = False,
) -> None:
    """Move a session to the archive, with all that left it before."""
    door = door_of(context)
    door.edited(door.open().session(id_).purge(hard=hard, dry_run=dry_run))


@session.command(
    "import",
    epilog=examples(
        "session import conversations.json",
        "session import ~/.claude/projects/notes/7c1e.jsonl",
        "session import messages.jsonl --session design",
    ),
)
def import_sessions(
    context: typer.Context,
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="An export; - reads it from standard input.")
    ],
    *,
    into: Annotated[
        str,
        typer.Option(
            "--session", metavar="ID", help="For messages that name no session (default: by FILE)."
        ),
    ] = "",
    dry_run: DryRun = False,
) -> None:
    """Add the conversations of another program.

    Takes conversations.json of ChatGPT and of Claude, transcripts of Claude Code, and JSON lines
    with role and text. Done again, it adds only what is new.
    """
    door = door_of(context)
    workspace = door.open()
    location = file if file == "-" else machine_path(door.options.directory, file)
    text = read_text(location, _MOST_BYTES)
    name = into or ("import" if file == "-" else PurePath(file).stem)
    answer = workspace.sessions.import_(text, name=name, dry_run=dry_run)
    door.has_changed = bool(answer.edited.paths) and not dry_run
    door.show(answer)
    door.say(answer.edited.notes)
