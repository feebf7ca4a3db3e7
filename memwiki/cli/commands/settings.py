"""`memwiki config` and `memwiki namespace`."""

from __future__ import annotations

from typing import Annotated

from memwiki.cli.app import App, DryRun
from memwiki.cli.door import Door

app = App()
config = app.group("config", "config show", "config set catalog.enabled false")
namespace = app.group("namespace", "namespace list", "namespace purge work --dry-run")


@config.verb("config show", "config show recall doors.max_tokens --json", is_usual=True)
def show(
    door: Door,
    keys: Annotated[list[str] | None, "Only these settings, or tables of them.", "[KEY]..."] = None,
) -> None:
    """Show each setting, its value and where that comes from."""
    workspace = door.open()
    door.show(workspace.settings.list(keys or ()))
    for note in workspace.config.foreign_notes:
        door.talk(note)


@config.verb("config set layers.archive archive")
def set_(
    door: Door,
    key: Annotated[str, "", "KEY"],
    value: Annotated[str, "", "VALUE"],
) -> None:
    """Write a setting into memwiki.toml."""
    door.report(door.open().settings.set(key, value))


@namespace.verb("namespace list", "namespace list --json")
def list_(door: Door) -> None:
    """List the namespaces with their pages, entries, bytes and newest change."""
    answer = door.open().namespaces.list()
    door.show_rows(answer, "namespaces")


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
