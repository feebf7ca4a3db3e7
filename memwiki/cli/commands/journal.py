"""`memwiki log`."""

from __future__ import annotations

from typing import Annotated

from memwiki.cli.app import App, Limit
from memwiki.cli.door import Door

app = App()
log = app.group("log", "log show --since 2w", "log add ingest 'Paper on sleep'")


@log.verb(
    "log show", "log show --since 2026-09-01 --op move", "log show --by claude-code", is_usual=True
)
def show(
    door: Door,
    *,
    since: Annotated[str, "Only entries since this day, or 7d, 2w, 3m.", "DAY"] = "",
    op: Annotated[str, "Only entries of this kind.", "OP"] = "",
    by: Annotated[str, "Only what this actor did; a beginning will do.", "ACTOR"] = "",
    limit: Limit = None,
) -> None:
    """Show the entries of the journal, newest first."""
    answer = door.open().journal.list(since=since, op=op, by=by, limit=limit)
    door.show_rows(answer, answer.entries, answer.total, "entries")


@log.verb("log add ingest 'Paper on sleep' --note 'created: [[Sleep]]'")
def add(
    door: Door,
    op: Annotated[str, "What was done: ingest, query ...", "OP"],
    title: Annotated[str, "What it was done to.", "TITLE"],
    *,
    note: Annotated[list[str] | None, "A line below the entry; may be repeated.", "TEXT"] = None,
) -> None:
    """Add an entry to the journal."""
    door.report(door.open().journal.add(op, title, *(note or ())))
