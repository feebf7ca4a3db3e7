"""How a group of commands is declared, and the pieces they share."""

from __future__ import annotations

import os
import re
from pathlib import Path

import typer

from memwiki.cli.door import Door
from memwiki.errors import UsageError


def new_app() -> typer.Typer:
    """An application without completion, rich help or tracebacks, which cost start-up time."""
    app = typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)
    app.callback()(_keep_command_names)
    return app


def examples(*lines: str) -> str:
    """The end of a help page; the first character keeps the lines from being joined.

    A line that has a pipe into memwiki is whole, any other one begins after that word.
    """
    whole = (line if "| memwiki " in line else f"memwiki {line}" for line in lines)
    return "\n".join(["\b", "Examples:", *(f"  {line}" for line in whole)])


def door_of(context: typer.Context) -> Door:
    """The door a command was called through."""
    door: Door = context.obj
    return door


def inside(root: Path, written: str) -> str:
    """A path as the workspace knows it, when it was typed relative to the current folder."""
    path = Path(os.path.normpath(Path(written).absolute()))
    is_here = path.exists() and path.is_relative_to(root)
    return path.relative_to(root).as_posix() if is_here else written


def page_name(root: Path, written: str) -> str:
    """A page's name; a path that was typed relative to the current folder as the workspace has it."""
    is_path = "/" in written or written.lower().endswith((".md", ".markdown"))
    return inside(root, written) if is_path and Path(written).is_file() else written


def lines_of(text: str) -> tuple[int, int]:
    """First and last line of a range such as `10-20`, or of one line."""
    match = re.fullmatch(r"([0-9]{1,9})(?:-([0-9]{1,9}))?", text)
    first, last = (int(match[1]), int(match[2] or match[1])) if match else (0, 0)
    if not 1 <= first <= last:
        raise UsageError(f"--lines: {text} is no range of lines", hint="for example --lines 10-20")
    return first, last


def _keep_command_names() -> None:
    """Typer drops the name of an application's only command unless there is a callback."""
