"""How a group of commands is declared, and the pieces they share."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

import typer

from memwiki.cli.door import Door


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


@contextmanager
def closed_to_others() -> Iterator[None]:
    """What is new is open to its user alone, where the program of an agent asks for it; files and
    folders that are there keep their modes."""
    before = os.umask(0o077)
    try:
        yield
    finally:
        os.umask(before)


def _keep_command_names() -> None:
    """Typer drops the name of an application's only command unless there is a callback."""
