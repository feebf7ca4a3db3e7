"""`memwiki upkeep`, and its steps by themselves: consolidate, retain, snapshot and archive."""

from __future__ import annotations

from typing import Annotated

from memwiki.answers.entries import UpkeepReport
from memwiki.cli.app import App, MaxCount, OnlyShow
from memwiki.cli.door import Door
from memwiki.errors import UsageError
from memwiki.present.terminal import print_rows

app = App()
upkeep = app.group(
    "upkeep",
    "upkeep --dry-run   # the diff",
    "upkeep",
    "undo   # takes back the last change, as that of upkeep",
    "upkeep --propose   # each step by itself, for memwiki review",
    "upkeep archive list",
)
archive = upkeep.group(
    "archive",
    "upkeep archive",
    "upkeep archive list tea",
    "upkeep archive restore m-7k2f9a",
    "upkeep archive purge --older-than 1y",
    about="List what retired, put it back, or purge what is old.",
)


@upkeep.alone
def upkeep_(
    door: Door,
    *,
    dry_run: OnlyShow = False,
    propose: Annotated[bool, "Put each step up for review instead."] = False,
) -> None:
    """Join, promote and retire memories, as one change.

    Without a command all of it: safe repairs of check, consolidation, retention, overflow and the
    snapshot. Asks nothing, so that cron can run it; `memwiki undo` takes it back. With --propose
    nothing changes: `memwiki review` shows each step with its diff, to be accepted by number.
    """
    if dry_run and propose:
        raise UsageError("upkeep: --dry-run and --propose together", "choose one")
    if propose:
        _show_proposed(door)
    else:
        with door.progress("Checking") as progress:
            report = door.open().upkeep.run(dry_run=dry_run, progress=progress)
        _show_report(door, report)


@upkeep.verb(
    "upkeep consolidate --dry-run   # the diff",
    "upkeep consolidate",
    "upkeep consolidate --candidates   # what a summary could stand for",
)
def consolidate(
    door: Door,
    *,
    dry_run: OnlyShow = False,
    candidates: Annotated[bool, "Only list what is hardly ever recalled, by type."] = False,
) -> None:
    """Join, promote and relate what was staged or noted.

    A run looks at `consolidation.batch_size` entries. Lines of daily notes stay.
    """
    if candidates and dry_run:
        raise UsageError("--candidates and --dry-run: cannot be used together", "give one")
    workspace = door.open()
    if candidates:
        found = workspace.upkeep.compressible()
        door.show_rows(found, "groups", total=len(found.groups))
        return
    with door.progress("Judging") as progress:
        report = workspace.upkeep.consolidate(dry_run=dry_run, progress=progress)
    _show_report(door, report)


@upkeep.verb("upkeep retain --dry-run", "upkeep retain")
def retain(door: Door, *, dry_run: OnlyShow = False) -> None:
    """Let memories retire to the archive, as the settings say.

    A run lets go at most a tenth of a collection. Core memories stay until they are superseded.
    """
    _show_report(door, door.open().upkeep.retain(dry_run=dry_run))


@upkeep.verb("upkeep snapshot", "upkeep snapshot --dry-run")
def snapshot(door: Door, *, dry_run: OnlyShow = False) -> None:
    """Write the core memories to MEMORY_SNAPSHOT.md.

    `memwiki init` in a folder that holds nothing else brings them back.
    """
    _show_report(door, door.open().upkeep.snapshot(dry_run=dry_run))


@archive.verb("upkeep archive list", "upkeep archive list 'green tea' --limit 10", is_usual=True)
def list_(
    door: Door,
    query: Annotated[str, "Words that it has.", "[QUERY]"] = "",
    *,
    limit: MaxCount = 50,
) -> None:
    """List retired entries and conversations, with the month and where they were."""
    answer = door.open().upkeep.archived(query, limit=limit)
    door.show_rows(answer, "entries and conversations")


@archive.verb("upkeep archive restore m-7k2f9a", "upkeep archive restore archive/sessions/s1.md")
def restore(
    door: Door,
    name: Annotated[str, "A retired entry or conversation.", "ID|PATH"],
    *,
    dry_run: OnlyShow = False,
) -> None:
    """Put a retired entry below the heading where it was, or a conversation at its path."""
    _show_report(door, door.open().upkeep.restore(name, dry_run=dry_run))


@archive.verb("upkeep archive purge --older-than 1y --dry-run")
def purge(
    door: Door,
    *,
    older_than: Annotated[str, "A day, or an age such as 90d or 1y.", "D"],
    dry_run: OnlyShow = False,
) -> None:
    """Delete what retired long ago; memwiki undo brings it back.

    Entries count by the month in which they retired, conversations by their own last day.
    """
    _show_report(door, door.open().upkeep.purge(older_than, dry_run=dry_run))


def _show_proposed(door: Door) -> None:
    answer = door.open().upkeep.propose()
    door.show_rows(answer, "proposals")
    for each in answer.proposals:
        door.talk(f"memwiki review {each.id} shows it and decides.")
    if not answer.proposals and not answer.notes:
        door.talk("nothing to do")


def _show_report(door: Door, report: UpkeepReport) -> None:
    """Print what upkeep did, or with --dry-run the diff and beside it what it is for."""
    edited = report.edited
    door.note_change(edited)
    if edited.dry_run:
        from memwiki.present.entries import step_rows

        door.show(report)
        door.say(print_rows(step_rows(report), door.look()).splitlines())
        if not edited.paths:
            door.talk("nothing to do")
    else:
        door.report(report)
    door.say(edited.notes)
