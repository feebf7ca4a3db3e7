"""How a group of commands is declared, and the options that several of them take."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from enum import StrEnum
from functools import wraps
from inspect import Parameter, Signature, signature
from typing import TYPE_CHECKING, Annotated, TypeVar, get_args

import typer

from memwiki.cli.registry import COMMANDS
from memwiki.errors import UsageError

if TYPE_CHECKING:
    from typer.core import TyperCommand

    from memwiki.cli.door import Door
    from memwiki.present.templates import RowForm

_NOT_GIVEN = (None,) * 4
Kind = TypeVar("Kind", bound=StrEnum)
Run = TypeVar("Run", bound=Callable[..., object])
Command = TypeVar("Command", bound=Callable[..., int | None])


def examples(*lines: str) -> str:
    """The end of a help page; the first character keeps the lines from being joined.

    A line that has a pipe into memwiki is whole, any other one begins after that word.
    """
    whole = (line if "| memwiki " in line else f"memwiki {line}" for line in lines)
    return "\n".join(["\b", "Examples:", *(f"  {line}" for line in whole)])


class App(typer.Typer):
    """Commands whose parameters are declared in short: `Annotated[str, "its help", "METAVAR"]`, for
    a number with the least one after it. Options are those that are given by name."""

    def __init__(
        self, about: str | None = None, *lines: str, no_args_is_help: bool = False
    ) -> None:
        # Without completion, rich help or tracebacks, which cost start-up time.
        super().__init__(
            add_completion=False,
            rich_markup_mode=None,
            pretty_exceptions_enable=False,
            help=about,
            epilog=examples(*lines) if lines else None,
            no_args_is_help=no_args_is_help,
        )
        self.callback()(_keep_command_names)

    def group(self, name: str, *lines: str, about: str = "", no_args_is_help: bool = False) -> App:
        """Commands below a name, with examples of them."""
        below = App(about or COMMANDS[name].summary, *lines, no_args_is_help=no_args_is_help)
        self.add_typer(below, name=name)
        return below

    def verb(
        self,
        *lines: str,
        cls: type[TyperCommand] | None = None,
        takes_minus: bool = False,
        is_usual: bool = False,
    ) -> Callable[[Command], Command]:
        """Make a function that is handed a door a command, with examples.

        With `takes_minus` a word that looks like an option may be a text; the usual one of a group
        runs when none is named.
        """
        settings = {"ignore_unknown_options": True} if takes_minus else None

        def declare(function: Command) -> Command:
            name = function.__name__.strip("_").replace("_", "-")
            declared = self.command(
                name, cls=cls, context_settings=settings, epilog=examples(*lines)
            )
            declared(_declared(function))
            if is_usual:
                self.callback(invoke_without_command=True)(_unless_one_is_named(function))
            return function

        return declare


def _unless_one_is_named(function: Command) -> Callable[[typer.Context], None]:
    def run(context: typer.Context) -> None:
        if context.invoked_subcommand is None:
            function(context.obj)

    return run


def _declared(function: Command) -> Callable[..., int | None]:
    """A function as typer reads it."""
    _, *own = signature(function, eval_str=True).parameters.values()
    context = Parameter("context", Parameter.POSITIONAL_ONLY, annotation=typer.Context)

    @wraps(function)
    def run(context: typer.Context, **given: object) -> int | None:
        return function(context.obj, **given)

    return with_parameters(run, [context, *map(_parameter, own)])


def with_parameters(function: Run, parameters: Sequence[Parameter]) -> Run:
    """A function that says of itself that it takes these."""
    vars(function).update(
        __signature__=Signature(parameters),
        __annotations__={each.name: each.annotation for each in parameters},
    )
    return function


def _parameter(parameter: Parameter) -> Parameter:
    kind, about, metavar, least = (*get_args(parameter.annotation), *_NOT_GIVEN)[:4]
    if not isinstance(about, str):  # typer's own words
        return parameter
    default = ... if parameter.default is Parameter.empty else parameter.default
    if parameter.kind is Parameter.KEYWORD_ONLY:
        name = f"--{parameter.name.strip('_').replace('_', '-')}"
        found = typer.Option(default, name, help=about, metavar=metavar, min=least)
    else:
        found = typer.Argument(
            default, help=about or None, metavar=metavar, min=least, show_default=False
        )
    return parameter.replace(annotation=kind, default=found)


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


def row_form(door: Door, row: type, template: str, *, jsonl: bool) -> RowForm | None:
    """How each row is printed; None where the answer is printed as a whole."""
    asked = {"--json": door.options.is_json, "--jsonl": jsonl, "--format": template}
    given = [name for name, value in asked.items() if value]
    if len(given) > 1:
        raise UsageError(f"{' and '.join(given)} together", "choose one")
    if not (template or jsonl):
        return None
    from memwiki.present.plain import as_json
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
            f"choose from {', '.join(kinds)}, or write a template such as '{{path}}'",
        )
    return kinds[given], None


Limit = Annotated[int | None, "Show at most N.", "N", 1]
MaxShown = Annotated[int, "Show at most N.", "N", 1]
MaxCount = Annotated[int, "At most so many.", "N", 1]
OfType = Annotated[str, "Only pages of this type.", "TYPE"]
WithTag = Annotated[str, "Only pages with this tag or one nested in it.", "TAG"]
AtPath = Annotated[str, "Only pages at these paths.", "GLOB"]
Orphans = Annotated[bool, "Only pages that no other page links to."]
DryRun = Annotated[bool, "Show what would change, and change nothing."]
OnlyShow = Annotated[bool, "Only show what would change."]
Expect = Annotated[
    str, "Only if the page still has this digest or etag (see get --json).", "DIGEST"
]
PageName = Annotated[str, "Path, file name, title, alias or id.", "NAME"]
Template = Annotated[
    str, "Print each as this text, with its fields in braces: '{path}\\t{title}'.", "TEMPLATE"
]
Jsonl = Annotated[bool, "Print one JSON object a line, one for each."]


class Profile(StrEnum):
    SMALL = "small"
    DEFAULT = "default"
    FULL = "full"
    GRAPH_MEMORY = "graph-memory"
