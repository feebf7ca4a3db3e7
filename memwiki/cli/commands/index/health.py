"""`memwiki status` and `memwiki doctor`."""

from __future__ import annotations

from typing import Annotated

from memwiki.cli.app import App
from memwiki.cli.door import Door
from memwiki.errors import UsageError

_PROBLEMS_FOUND = 3

app = App()


@app.verb("status", "status wiki/home.md", "status --metrics --json")
def status(
    door: Door,
    path: Annotated[str, "", "[PATH]"] = "",
    *,
    metrics: Annotated[bool, "Count memories, and time the last 1,000 recalls."] = False,
) -> None:
    """Show what is indexed, or why a file is not found."""
    if metrics and path:
        raise UsageError("status: --metrics and a path together", hint="ask for one of them")
    workspace = door.open()
    if metrics:
        door.show(workspace.index.metrics())
        return
    named = door.here(workspace).paths([path] if path else [])
    door.show(workspace.index.why(*named) if named else workspace.index.status())
    for note in () if named else workspace.config.foreign_notes:
        door.talk(note)


@app.verb("doctor", "doctor --verify")
def doctor(
    door: Door,
    *,
    verify: Annotated[bool, "Compare the index with a rebuild from the files."] = False,
) -> int:
    """Check the index, and with --verify compare it with a rebuild.

    Exits 3 when something is wrong.
    """
    with door.progress("Verifying") as progress:
        health = door.open().index.doctor(verify=verify, progress=progress)
    door.show(health)
    return 0 if health.healthy and health.equal is not False else _PROBLEMS_FOUND
