"""`memwiki config`."""

from __future__ import annotations

from typing import Annotated

from memwiki.cli.app import App
from memwiki.cli.door import Door

app = App()
config = app.group("config", "config show", "config set catalog.enabled false")


@config.verb("config show --json", is_usual=True)
def show(door: Door) -> None:
    """Show each setting, its value and where that comes from."""
    workspace = door.open()
    door.show(workspace.settings.list())
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
