"""The commands as typer has them: their help, the errors, and every line that is no plain one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from difflib import get_close_matches
from functools import cache, wraps
from inspect import Parameter, Signature
from itertools import takewhile
from typing import TYPE_CHECKING

import typer
from typer.core import TyperCommand
from typer.main import get_command

from memwiki.cli.app import App, Argument, Verb
from memwiki.cli.door import Door
from memwiki.errors import UsageError, shell_word

if TYPE_CHECKING:
    from typer._click.core import Command, Context


class _QueryCommand(TyperCommand):
    """A command whose words may start with a minus: `memwiki search tea -green`."""

    def parse_args(self, ctx: Context, args: list[str]) -> list[str]:
        """Take `-word` as a word, but still refuse an option nobody knows."""
        for argument in _unknown(self, args):
            ctx.fail(
                f"no such option: {argument}"
                f" (to search for it: memwiki {self.name} -- {shell_word(argument)})"
            )
        return super().parse_args(ctx, args)


class _TextCommand(TyperCommand):
    """A command whose text may start with a minus: `memwiki add '- milk'`."""

    def parse_args(self, ctx: Context, args: list[str]) -> list[str]:
        """Take `-word` as the text; where that makes a word too many, it was to be an option."""
        names = (word.partition("=")[0] for word in _unknown(self, args))
        option = next((name for name in names if name[2:3].isalpha() and " " not in name), "")
        try:
            return super().parse_args(ctx, args)
        except typer.TyperException as error:
            if option and "extra argument" in error.message:
                near = get_close_matches(option, _options(self), n=1)
                meant = f" (did you mean {near[0]}?)" if near else ""
                ctx.fail(f"no such option: {option}{meant}")
            raise


def _options(command: TyperCommand) -> set[str]:
    return {name for each in command.params for name in each.opts} | {"--help"}


def _unknown(command: TyperCommand, args: Sequence[str]) -> list[str]:
    """The words before `--` that look like options and are none of the command."""
    before, known = takewhile(lambda word: word != "--", args), _options(command)
    return [each for each in before if each[:2] == "--" and each.partition("=")[0] not in known]


_KINDS = (  # the longest first
    ("int range", "a whole number"),
    ("integer", "a whole number"),
    ("float range", "a number"),
    ("float", "a number"),
)


def run(app: App, words: list[str], door: Door) -> int:
    """Read a line and run it; returns its exit code. UsageError where it cannot be read."""
    # Not the application's own main(): it prints errors itself and turns a closed pipe into exit 1.
    command = command_of(app)
    try:
        with command.make_context("memwiki", words, obj=door) as context:
            code = command.invoke(context)
    except typer.Exit as ended:
        return ended.exit_code
    except typer.TyperException as error:
        message = " ".join(error.format_message().split())
        for typed, plain in _KINDS:
            message = message.replace(f"is not a valid {typed}", f"is not {plain}")
        at = getattr(error, "ctx", None)
        called = str(at.command_path) if at else ""
        subject = called.removeprefix("memwiki").strip() or words[0]
        raise UsageError(
            f"{subject}: {message[:1].lower()}{message[1:].rstrip('.')}",
            f"memwiki {subject} --help",
        ) from error
    return code if isinstance(code, int) else 0


@cache
def command_of(app: App) -> Command:
    """A group of commands, made from the signatures of functions, which takes a while."""
    return get_command(_typer_of(app))


def _typer_of(app: App) -> typer.Typer:
    # Without completion, rich help or tracebacks, which cost start-up time.
    made = typer.Typer(
        add_completion=False,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        help=app.about,
        epilog=_examples(app.lines) if app.lines else None,
        no_args_is_help=app.no_args_is_help,
    )
    if app.usual:
        made.callback(invoke_without_command=True)(_unless_one_is_named(app.usual))
    else:
        made.callback()(_keep_command_names)
    for name, verb in app.verbs.items():
        made.command(
            name,
            cls=_class_of(verb),
            context_settings={"ignore_unknown_options": True}
            if verb.takes_minus or verb.takes_query
            else None,
            epilog=_examples(verb.lines),
        )(_handed_a_door(verb))
    for name, group in app.groups.items():
        made.add_typer(_typer_of(group), name=name)
    return made


def _class_of(verb: Verb) -> type[TyperCommand] | None:
    if verb.takes_query:
        return _QueryCommand
    return _TextCommand if verb.takes_minus else None


def _examples(lines: Sequence[str]) -> str:
    """The end of a help page; the first character keeps the lines from being joined.

    A line that has a pipe into memwiki is whole, any other one begins after that word.
    """
    whole = (line if "| memwiki " in line else f"memwiki {line}" for line in lines)
    return "\n".join(["\b", "Examples:", *(f"  {line}" for line in whole)])


def _keep_command_names() -> None:
    """Typer drops the name of an application's only command unless there is a callback."""


def _unless_one_is_named(verb: Verb) -> Callable[..., object]:
    @wraps(verb.run)
    def run(context: typer.Context, **given: object) -> None:
        step = context.invoked_subcommand
        if step is None:
            verb.run(context.obj, **given)
        elif named := [each for each in verb.arguments if given[each.name] != each.default]:
            option, group = named[0].option, context.info_name
            raise UsageError(
                f"{group}: {option} before a command", f"memwiki {group} {step} --help"
            )

    return _as_typer_reads(run, verb)


def _handed_a_door(verb: Verb) -> Callable[..., object]:
    @wraps(verb.run)
    def run(context: typer.Context, **given: object) -> int | None:
        return verb.run(context.obj, **given)

    return _as_typer_reads(run, verb)


def _as_typer_reads(run: Callable[..., object], verb: Verb) -> Callable[..., object]:
    context = Parameter("context", Parameter.POSITIONAL_ONLY, annotation=typer.Context)
    taken = [context, *map(_parameter, verb.arguments)]
    run.__annotations__ = {each.name: each.annotation for each in taken}
    vars(run)["__signature__"] = Signature(taken)
    return run


def _parameter(argument: Argument) -> Parameter:
    """An argument in typer's own words."""
    _, shape, *_, about, metavar, least, option = argument
    if option:
        shown = typer.Option(argument.default, option, help=about, metavar=metavar, min=least)
    else:
        shown = typer.Argument(
            argument.default, help=about or None, metavar=metavar, min=least, show_default=False
        )
    return Parameter(argument.name, Parameter.KEYWORD_ONLY, default=shown, annotation=shape)
