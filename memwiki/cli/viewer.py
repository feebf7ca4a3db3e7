"""A page shown to a person: drawn on the terminal, or in an editor."""

from __future__ import annotations

import re
from pathlib import Path

from memwiki.answers.pages import PageAt, PageView
from memwiki.cli import output
from memwiki.cli.door import Door
from memwiki.errors import ConfigError, MemwikiError, reason_of
from memwiki.present import Look, clean
from memwiki.text import pattern
from memwiki.workspace import Workspace

_FRONT_MATTER = pattern(r"\A\s*---\n.*?\n(?:---|\.\.\.)\n", re.DOTALL)


def show_markdown(view: PageView | PageAt, look: Look, *, note: str = "") -> None:
    """Draw the text of a page, with where it stands above it."""
    from rich.console import Console
    from rich.markdown import Markdown

    # Without colours it is no terminal to rich: it would write bold all the same, and take a dumb
    # terminal for one of 80 columns.
    console = Console(width=look.width, force_terminal=look.has_colour, highlight=False)
    place = f"{view.path}:{view.line_start}-{view.line_end}{note}"
    with console.capture() as drawn:
        console.print(clean(place), style="dim", markup=False, soft_wrap=True)
        console.print(Markdown(_FRONT_MATTER.sub("", clean(view.text)), hyperlinks=False))
    output.show(re.sub(r"(?<! ) +$", "", drawn.get().rstrip("\n"), flags=re.MULTILINE))


def edit(door: Door, workspace: Workspace, path: str) -> None:
    """Wait until the editor ends, then bring the index up to date and say what changed."""
    import subprocess

    from memwiki.config import environment
    from memwiki.config.machine import editor

    command = editor(environment())
    place = str(Path(workspace.root, path).absolute())  # never mistaken for an option
    try:
        done = subprocess.run([*command, place], check=False)
    except OSError as error:
        raise ConfigError(
            f"{command[0]}: cannot be started ({reason_of(error)})",
            "set EDITOR to a program that is installed",
            path="EDITOR",
        ) from error
    door.report(workspace.sync())
    if done.returncode:
        raise MemwikiError(
            f"{command[0]}: ended with exit code {done.returncode}",
            "what it saved is kept and can be searched",
            path=path,
        )
