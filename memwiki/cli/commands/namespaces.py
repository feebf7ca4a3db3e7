"""`memwiki namespace`."""

from __future__ import annotations

from typing import Annotated

from memwiki.cli.app import App
from memwiki.cli.door import Door
from memwiki.cli.shared import DryRun

app = App()
namespace = app.group("namespace", "namespace list", "namespace purge work --dry-run")


@namespace.verb("namespace list", "namespace list --json")
def list_(door: Door) -> None:
    """List the namespaces with their pages, entries, bytes and newest change."""
    answer = door.open().namespaces.list()
    door.show_rows(answer, answer.namespaces, answer.total, "namespaces")


@namespace.verb("namespace purge work --dry-run", "namespace purge work --hard")
def purge(
    door: Door,
    name: Annotated[str, "The name of its folder.", "NAMESPACE"],
    *,
    hard: Annotated[bool, "Delete it and its usage, without archive and undo."] = False,
    dry_run: DryRun = False,
) -> None:
    """Move all files of a namespace into the archive, as one change."""
    answer = door.open().namespaces.purge(name, hard=hard, dry_run=dry_run)
    if dry_run:
        door.show(answer)
    else:
        door.report(answer)
    door.say(answer.edited.notes)
