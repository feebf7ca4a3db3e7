"""Showing a page in the person's editor."""

from __future__ import annotations

from pathlib import Path

from memwiki.cli.door import Door
from memwiki.errors import ConfigError, MemwikiError, reason_of
from memwiki.workspace import Workspace


def edit(door: Door, workspace: Workspace, path: str) -> None:
    """Wait until the editor ends, then bring the index up to date and say what changed."""
    import subprocess

    from memwiki.config import environment
    from memwiki.config.editor import editor

    command = editor(environment())
    place = str(Path(workspace.root, path).absolute())  # never mistaken for an option
    try:
        done = subprocess.run([*command, place], check=False)
    except OSError as error:
        raise ConfigError(
            f"{command[0]}: cannot be started ({reason_of(error)})",
            hint="set EDITOR to a program that is installed",
            path="EDITOR",
        ) from error
    door.report(workspace.sync())
    if done.returncode:
        raise MemwikiError(
            f"{command[0]}: ended with exit code {done.returncode}",
            hint="what it saved is kept and can be searched",
            path=path,
        )
