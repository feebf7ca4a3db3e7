"""`memwiki session`."""

from __future__ import annotations

from functools import partial
from pathlib import PurePath
from typing import Annotated

from memwiki.cli.app import App, DryRun, Limit
from memwiki.cli.arguments import machine_path
from memwiki.cli.commands.edits import given_text
from memwiki.cli.door import Door
from memwiki.cli.jobs import AskedJob, require_one, require_with, show_job
from memwiki.cli.streams import read_text
from memwiki.present import as_path
from memwiki.present.plain import as_json

app = App()
session = app.group(
    "session",
    "session start design",
    "session add design 'Where do herons nest?' --name Anna",
    "session show design --json",
)

_MAX_BYTES = 256_000_000  # of an export
_Id = Annotated[str, "The session: its file name without .md.", "ID"]


@session.verb("session start", "session start design --participant Anna")
def start(
    door: Door,
    id_: Annotated[str, "Its id (default: the time).", "[ID]"] = "",
    *,
    participant: Annotated[list[str] | None, "Who takes part; may be repeated.", "NAME"] = None,
) -> None:
    """Begin a session, and print its id."""
    answer = door.open().sessions.start(id_, participants=participant or [])
    door.has_changed = True
    door.show(answer, text=as_path(answer.id))


@session.verb(
    "session add design 'In high trees.' --role assistant",
    "session add design - --role tool < result.txt",
    "session add design 'We meet on Monday.' --daily",
    takes_minus=True,
)
def add(
    door: Door,
    id_: _Id,
    text: Annotated[str, "What was said; - reads it from standard input.", "TEXT"],
    *,
    role: Annotated[str, "user, assistant, system, tool or a name.", "R"] = "user",
    name: Annotated[str, "Who said it.", "N"] = "",
    at: Annotated[str, "When it was said (default: now).", "T"] = "",
    daily: Annotated[bool, "Also add its first words to today's page."] = False,
) -> None:
    """Add a message at the end of a session, which begins with it if need be.

    Any text is kept byte for byte. With `session.strategy = sliding_window` the oldest messages
    leave for the archive.
    """
    workspace = door.open()
    given = given_text(workspace, "session add", text)
    answer = workspace.session(id_).add_message(role, given, name, at, daily=daily or None)
    door.has_changed = True
    door.report(answer)
    door.say(answer.notes)


@session.verb("session show design", "session show design --limit 20 --json")
def show(
    door: Door,
    id_: _Id,
    *,
    limit: Annotated[int | None, "The last N messages.", "N", 1] = None,
    jsonl: Annotated[bool, "Print each message as a JSON object on a line."] = False,
) -> None:
    """Print the messages of a session."""
    answer = door.open().sessions.get(id_, limit=limit)
    door.show(answer, text="\n".join(map(as_json, answer.messages)) if jsonl else None)


@session.verb("session list", "session list --limit 5 --json")
def list_(
    door: Door,
    *,
    limit: Limit = None,
) -> None:
    """List the sessions, the last changed first."""
    answer = door.open().sessions.list(limit=limit)
    door.show_rows(answer, "sessions")


@session.verb(
    "session end design", "session end design --summary 'Herons nest in trees.'", takes_minus=True
)
def end(
    door: Door,
    id_: _Id,
    *,
    summary: Annotated[str | None, "What it was about; - reads it from stdin.", "TEXT"] = None,
    summarise: Annotated[bool, "Let a model propose the summary, for review."] = False,
    brief: Annotated[bool, "With --summarise: print the job for any model."] = False,
    dry_run: DryRun = False,
) -> int:
    """Note that a session ended, with a summary that search finds.

    --summarise asks the model that is set (memwiki models) for five sentences with their lines;
    memwiki review accepts them. --dry-run shows what would be sent, and sends nothing.
    """
    require_one("session end", {"--summary": summary, "--summarise": summarise})
    require_one("session end", {"--brief": brief, "--dry-run": dry_run})
    require_with("session end", {"--brief": brief}, {"--summarise": summarise})
    workspace = door.open()
    if summarise:
        if not dry_run:
            door.say([workspace.session(id_).end().title])
        curation = workspace.curation
        job = AskedJob(
            partial(curation.summarise, id_),
            partial(curation.summarise_brief, id_),
            partial(curation.summarise_preview, id_),
        )
        return show_job(door, job, is_brief=brief, dry_run=dry_run)
    given = None if summary is None else given_text(workspace, "session end", summary)
    door.edited(workspace.session(id_).end(given, dry_run=dry_run))
    return 0


@session.verb("session compact design --dry-run")
def compact(
    door: Door,
    id_: _Id,
    *,
    dry_run: DryRun = False,
) -> None:
    """Leave one line of each tool result but the newest; their text goes to the archive."""
    door.edited(door.open().session(id_).compact(dry_run=dry_run))


@session.verb("session purge design", "session purge design --hard")
def purge(
    door: Door,
    id_: _Id,
    *,
    hard: Annotated[bool, "Delete it for good, in the archive and from undo too."] = False,
    dry_run: DryRun = False,
) -> None:
    """Move a session to the archive, with all that left it before."""
    door.edited(door.open().session(id_).purge(hard=hard, dry_run=dry_run))


@session.verb(
    "session import conversations.json",
    "session import ~/.claude/projects/notes/7c1e.jsonl",
    "session import messages.jsonl --session design",
)
def import_(
    door: Door,
    file: Annotated[str, "An export; - reads it from standard input.", "FILE"],
    *,
    session_: Annotated[str, "For messages that name no session (default: by FILE).", "ID"] = "",
    dry_run: DryRun = False,
) -> None:
    """Add the conversations of another program.

    Takes conversations.json of ChatGPT and of Claude, transcripts of Claude Code, and JSON lines
    with role and text. Done again, it adds only what is new.
    """
    workspace = door.open()
    location = file if file == "-" else machine_path(door.options.directory, file)
    text = read_text(location, _MAX_BYTES)
    name = session_ or ("import" if file == "-" else PurePath(file).stem)
    answer = workspace.sessions.import_(text, name=name, dry_run=dry_run)
    door.note_change(answer.edited)
    door.show(answer)
    door.say(answer.edited.notes)
