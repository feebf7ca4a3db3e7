"""How a group of commands is declared, and the options that they share."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from enum import StrEnum
from typing import TYPE_CHECKING, TypeVar

import typer

from memwiki.cli.door import Door
from memwiki.errors import UsageError

if TYPE_CHECKING:
    from memwiki.cli.door import Door
    from memwiki.present.templates import RowForm


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


Kind = TypeVar("Kind", bound=StrEnum)


def row_form(door: Door, row: type, template: str, *, jsonl: bool) -> RowForm | None:
    """How each row is printed; None where the answer is printed as a whole."""
    asked = {"--json": door.options.is_json, "--jsonl": jsonl, "--format": template}
    given = [name for name, value in asked.items() if value]
    if len(given) > 1:
        raise UsageError(f"{' and '.join(given)} together", hint="choose one")
    if not (template or jsonl):
        return None
    from memwiki.present import as_json
    from memwiki.present.templates import template_form

    fields: tuple[str, ...] = getattr(row, "_fields", ())
    return template_form(template, fields) if template else as_json


def kind_or_form(
    door: Door, usual: Kind, row: type, given: str, command: str, *, jsonl: bool
) -> tuple[Kind, RowForm | None]:
    """What `--format` asks for where it names kinds, too: a value with a brace is a template."""
    if "{" in given:
        return usual, row_form(door, row, given, jsonl=jsonl)
    if jsonl:
        return usual, row_form(door, row, "" if given == usual else given, jsonl=True)
    kinds = {str(each): each for each in type(usual)}
    if given not in kinds:
        raise UsageError(
            f"{command}: --format {given} is no kind",
            hint=f"choose from {', '.join(kinds)}, or write a template such as '{{path}}'",
        )
    return kinds[given], None
