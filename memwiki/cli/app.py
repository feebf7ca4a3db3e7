"""How a group of commands is declared, and the options that several of them take."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from enum import StrEnum
from types import FunctionType, NoneType
from typing import TYPE_CHECKING, Annotated, TypeVar, cast, get_args, get_origin, get_type_hints

from memwiki.cli.door import Door
from memwiki.cli.registry import COMMANDS
from memwiki.errors import MissingExtraError, UsageError
from memwiki.records import NamedTuple

if TYPE_CHECKING:
    from memwiki.present.plain import RowForm

Kind = TypeVar("Kind", bound=StrEnum)
Run = TypeVar("Run", bound=Callable[..., object])
CommandFunction = Callable[..., int | None]
AnyCommand = TypeVar("AnyCommand", bound=CommandFunction)


class Argument(NamedTuple):
    """A parameter of a function, as a line gives it. Its annotation is
    `Annotated[type, help, metavar, least number, "--option"]`, where all after the help may be left
    out; what is keyword-only is an option."""

    name: str
    shape: object  # the type as it is annotated
    kind: type  # of the value, or of each where there may be several
    is_list: bool
    default: object  # `...` where there is none
    about: str
    metavar: str | None
    least: int | None
    option: str  # "" for what is given by place


class Verb(NamedTuple):
    """A command: the function that is handed a door and the values, and how its line is read."""

    run: CommandFunction
    lines: tuple[str, ...] = ()  # examples
    takes_minus: bool = False  # a word that looks like an option may be a text
    takes_query: bool = False  # the same, but for `--word`

    @property
    def arguments(self) -> tuple[Argument, ...]:
        """What it takes, the door apart."""
        return tuple(arguments_of(self.run))


class App:
    """Commands by name, and groups of them; nothing here needs typer."""

    def __init__(
        self, about: str | None = None, *lines: str, no_args_is_help: bool = False
    ) -> None:
        self.about, self.lines, self.no_args_is_help = about, lines, no_args_is_help
        self.verbs: dict[str, Verb] = {}
        self.groups: dict[str, App] = {}
        self.usual: Verb | None = None  # what runs where none is named

    def group(self, name: str, *lines: str, about: str = "", no_args_is_help: bool = False) -> App:
        """Commands below a name, with examples of them."""
        below = App(about or COMMANDS[name].summary, *lines, no_args_is_help=no_args_is_help)
        self.groups[name] = below
        return below

    def verb(
        self,
        *lines: str,
        takes_minus: bool = False,
        takes_query: bool = False,
        is_usual: bool = False,
    ) -> Callable[[AnyCommand], AnyCommand]:
        """Make a function that is handed a door a command, with examples; the usual one of a group
        runs without options when none is named."""

        def declare(function: AnyCommand) -> AnyCommand:
            name = function.__name__.strip("_").replace("_", "-")
            self.verbs[name] = Verb(function, lines, takes_minus, takes_query)
            if is_usual:
                self.usual = Verb(_without_options(function))
            return function

        return declare

    def alone(self, function: AnyCommand) -> AnyCommand:
        """Make a function with options what runs where no command of this group is named."""
        self.usual = Verb(function)
        return function


def arguments_of(function: Run, options: Sequence[Argument] = ()) -> Sequence[Argument]:
    """What a command takes, the door apart; `options` in the place of its parameter of that name.

    Read without `inspect`, whose import is a twentieth of a search (2026-11-28).
    """
    if known := vars(function).get("arguments"):
        return cast("Sequence[Argument]", known)
    read = cast("FunctionType", function)
    by_place, by_name = read.__code__.co_argcount, read.__code__.co_kwonlyargcount
    names = read.__code__.co_varnames[: by_place + by_name]
    usual = dict(zip(reversed(names[:by_place]), reversed(read.__defaults__ or ()), strict=False))
    usual |= read.__kwdefaults__ or {}
    hints = get_type_hints(read, include_extras=True)
    found: list[Argument] = []
    for at, name in enumerate(names[1:], 1):
        if name == "options":
            found += options
        else:
            shape, *told = get_args(hints[name])
            option = f"--{name.strip('_').replace('_', '-')}" if at >= by_place else ""
            found.append(argument_of(name, usual.get(name, ...), shape, option, *told))
    return found


def argument_of(
    name: str,
    usual: object,
    shape: object,
    option: str,
    about: str,
    metavar: str | None = None,
    least: int | None = None,
    called: str = "",
) -> Argument:
    """An argument by its annotation; `option` is what it is `called` unless that is said, "" for
    what is given by place."""
    (inner,) = [each for each in get_args(shape) or (shape,) if each is not NoneType]
    is_list = list in (get_origin(shape), get_origin(inner))
    kind = (get_args(inner) or (inner,))[0]
    return Argument(name, shape, kind, is_list, usual, about, metavar, least, called or option)


def _without_options(function: CommandFunction) -> CommandFunction:
    def run(door: Door) -> int | None:
        return function(door)

    return run


def with_arguments(function: Run, arguments: Sequence[Argument]) -> Run:
    """A function that says of itself that it takes these."""
    vars(function)["arguments"] = arguments
    return function


@contextmanager
def closed_to_others() -> Iterator[None]:
    """What is new is open to its user alone, where the program of an agent asks for it; files and
    folders that are there keep their modes."""
    before = os.umask(0o077)
    try:
        yield
    finally:
        os.umask(before)


def require_libraries(extra: str, *names: str) -> None:
    """Refuse at once what needs libraries of an extra that are not installed."""
    from importlib.util import find_spec

    for name in names:
        if sys.modules.get(name) is None and find_spec(name) is None:
            raise MissingExtraError(extra, name)


def row_form(door: Door, row: type, template: str, *, jsonl: bool) -> RowForm | None:
    """How each row is printed; None where the answer is printed as a whole."""
    asked = {"--json": door.options.is_json, "--jsonl": jsonl, "--format": template}
    given = [name for name, value in asked.items() if value]
    if len(given) > 1:
        raise UsageError(f"{' and '.join(given)} together", "choose one")
    if not (template or jsonl):
        return None
    from memwiki.present.plain import as_json, template_form

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
