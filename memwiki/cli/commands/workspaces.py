"""`memwiki workspaces`."""

from __future__ import annotations

from typing import Annotated

from memwiki.cli.app import App
from memwiki.cli.arguments import machine_path
from memwiki.cli.door import Door

app = App()
workspaces = app.group(
    "workspaces", "workspaces add work ~/work/notes", "-w work search tea", "workspaces"
)


@workspaces.verb("workspaces list --json", is_usual=True)
def list_(door: Door) -> None:
    """List the names and the folders that they mean."""
    from memwiki.setup import named

    answer = named.workspaces()
    door.show(answer)
    if not answer.workspaces:
        door.talk("No workspace has a name yet: memwiki workspaces add NAME DIR")


@workspaces.verb("workspaces add work", "workspaces add home ~/notes")
def add(
    door: Door,
    name: Annotated[str, "A name of your own.", "WORKSPACE"],
    directory: Annotated[
        str | None, "A folder of the workspace (default: the current one).", "[DIR]"
    ] = None,
) -> None:
    """Give the workspace around a folder a name."""
    from memwiki.setup import named

    seen = door.options.directory
    folder = seen if directory is None else machine_path(seen, directory)
    door.report(named.add(name, folder))


@workspaces.verb("workspaces remove work")
def remove(door: Door, name: Annotated[str, "", "WORKSPACE"]) -> None:
    """Forget a name; the workspace itself stays as it is."""
    from memwiki.setup import named

    answer = named.remove(name)
    door.report(answer)
    door.talk(f"{answer.name} is no name any more; every file there stays.")
