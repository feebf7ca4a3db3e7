"""What a shell asks while a command is typed: `memwiki --complete`, never seen by a person.

`--complete words WORD...` takes the words after `memwiki` up to the cursor, the last one half
typed, and gives one value and note a line. `--complete bash LINE BREAKS` takes the line itself and
gives what readline is to put in place of what it regards as the word.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from memwiki.answers.workspaces import Completion, CompletionList
from memwiki.cli import streams
from memwiki.cli.arguments import Options, split
from memwiki.cli.door import workspace_of
from memwiki.cli.registry import COMMANDS, GLOBAL_OPTIONS, current_name
from memwiki.errors import MemwikiError
from memwiki.present import Look, as_text
from memwiki.text import pattern

if TYPE_CHECKING:
    from typer._click.core import Command, Parameter


# What the words in the help of commands stand for.
_PAGES = ("NAME", "OLD", "NEW", "OTHER", "TARGET", "PAGE", "WHERE")
_KINDS = {
    **dict.fromkeys(_PAGES, "page"),
    "TAG": "tag",
    "PREFIX": "tag",
    "TYPE": "type",
    "QUERY": "query",
    "ID|KEY": "entry",
    "NAMESPACE": "namespace",
    "WORKSPACE": "workspace",
}
_TAG_PREFIXES = ("tag:", "-tag:")


def run(arguments: Sequence[str]) -> int:
    """Answer a shell; what goes wrong is no answer, and never a message."""
    mode, *rest = arguments
    try:
        if mode == "bash":
            streams.show("\n".join(answer(rest[0], rest[1], candidates)))
        else:
            streams.show(as_text(CompletionList(tuple(candidates(rest or [""]))), Look()))
    except MemwikiError:
        return 1
    return 0


def candidates(words: Sequence[str]) -> Iterable[Completion]:
    """What may stand in place of the last word."""
    *before, typed = words
    if before[-1:] in (["-C"], ["--directory"], ["--actor"], ["--shared"]):
        return ()  # the shell completes folders by itself, and nobody knows who asks
    if before[-1:] in (["-w"], ["--workspace"]):
        return _workspaces(typed)
    if before[-1:] in (["-n"], ["--namespace"]):
        return _names(split(before[:-1])[0], "namespace", typed)
    options, rest = split(before)
    if not rest:
        return _starting(typed, _commands())
    rest = current_name(rest)
    if rest[0] not in COMMANDS:
        return ()
    return _of_command(options, rest, typed)


def _commands() -> Iterable[Completion]:
    yield from (Completion(name, row.summary) for name, row in COMMANDS.items())
    yield from _global_options()


def _global_options() -> Iterable[Completion]:
    for names, text in GLOBAL_OPTIONS:
        long = next(word for word in names.split() if word.startswith("--"))
        yield Completion(long, text)


def _starting(typed: str, offered: Iterable[Completion]) -> Iterable[Completion]:
    """Options are offered only to who typed a minus."""
    return (
        each
        for each in offered
        if each.value.startswith(typed) and (typed.startswith("-") or each.value[0] != "-")
    )


class _Cursor(NamedTuple):
    """Where in a command the cursor is: after an option, or at a positional argument."""

    command: Command
    path: tuple[str, ...]
    option: str  # that waits for its value
    position: int


def _of_command(options: Options, rest: Sequence[str], typed: str) -> Iterable[Completion]:
    first = COMMANDS[rest[0]].first
    # Known without loading the command, which takes twice as long.
    if first and len(rest) == 1 and not typed.startswith("-"):
        return _names(options, first, typed)
    location = _location(rest)
    if typed.startswith("-") and not (location.option or typed.startswith(_TAG_PREFIXES)):
        own = [
            Completion(name, getattr(param, "help", "") or "")
            for param in location.command.params
            if param.param_type_name == "option"
            for name in param.opts
        ]
        return _starting(typed, [*own, *_global_options()])
    below = getattr(location.command, "commands", {})
    if below:
        return _starting(typed, (Completion(n, c.get_short_help_str()) for n, c in below.items()))
    param = _param(location)
    if param is None:
        return ()
    choices = getattr(param.type, "choices", None)
    if choices is not None:
        return _starting(typed, (Completion(str(getattr(c, "value", c))) for c in choices))
    meaning = _meaning(param, location.path)
    return _workspaces(typed) if meaning == "workspace" else _names(options, meaning, typed)


def _location(rest: Sequence[str]) -> _Cursor:
    from memwiki.cli.dispatch import load
    from memwiki.cli.typer_app import command_of

    command = command_of(load(rest[0]))
    path: list[str] = []
    option, position = "", 0
    for word in rest:
        below = getattr(command, "commands", {})
        if word in below:
            command, position = below[word], 0
            path.append(word)
        elif option:
            option = ""
        elif word.startswith("-"):
            takes_value = {
                n for p in command.params for n in p.opts if not getattr(p, "is_flag", 0)
            }
            option = word if word in takes_value else ""
        else:
            position += 1
    return _Cursor(command, tuple(path), option, position)


def _param(location: _Cursor) -> Parameter | None:
    if location.option:
        return next(p for p in location.command.params if location.option in p.opts)
    arguments = [p for p in location.command.params if p.param_type_name == "argument"]
    if location.position < len(arguments):
        return arguments[location.position]
    return arguments[-1] if arguments and arguments[-1].nargs == -1 else None


def _meaning(param: Parameter, path: tuple[str, ...]) -> str:
    word = (param.metavar or "").strip("[]. ")
    if path[0] == "tag" and path[1:] != ("add",) and path[1:] != ("remove",):
        return "tag"
    if "--relation" in param.opts:
        return ""  # its TYPE is not one of pages
    if word == "TYPE" and path[0] in ("add", "entry"):
        return ""  # nor is theirs
    return _KINDS.get(word, "")


def _workspaces(typed: str) -> Iterable[Completion]:
    from memwiki.setup.named import workspaces

    return _starting(typed, (Completion(each.name, each.folder) for each in workspaces()))


def _names(options: Options, meaning: str, typed: str) -> Iterable[Completion]:
    prefix = ""
    if meaning == "query":
        prefix = next(filter(typed.startswith, _TAG_PREFIXES), "")
        meaning = "tag" if prefix else ""
    if not meaning:
        return ()
    workspace = workspace_of(options._replace(is_synced=False))
    try:
        found = workspace.pages.complete(meaning, typed.removeprefix(prefix)).completions
    finally:
        workspace.close()
    return (Completion(prefix + each.value, each.note) for each in found)


_PLAIN = pattern(r"([^\w./:@%+,=-])")


class PartialLine(NamedTuple):
    """The line cut into words, and how its last word is being typed."""

    words: list[str]
    quote: str  # the quote that is open
    kept: int  # characters of the last word that readline leaves as they are


def answer(
    line: str, breaks: str, candidates: Callable[[Sequence[str]], Iterable[Completion]]
) -> list[str]:
    """What readline is to put in place of the word it sees, quoted as the word was begun."""
    typed = split_line(line, breaks)
    values = (each.value for each in candidates(typed.words[1:] or [""]))
    return [_quoted(value[typed.kept :], typed.quote) for value in values]


def split_line(line: str, breaks: str) -> PartialLine:
    """Cut a line into words as bash does, up to its end, which may lie inside quotes."""
    words, quote, kept = [""], "", 0
    characters = iter(line)
    for character in characters:
        if character == "\\" and quote != "'":
            words[-1] += next(characters, "")
        elif character == quote:
            quote = ""
        elif quote:
            words[-1] += character
        elif character in "\"'":
            quote, kept = character, len(words[-1])
        elif character.isspace():
            if words[-1]:
                words.append("")
            kept = 0
        else:
            words[-1] += character
            if character in breaks:
                kept = len(words[-1])
    return PartialLine(words, quote, kept)


def _quoted(value: str, quote: str) -> str:
    if quote == "'":
        return value.replace("'", "'\\''")
    if quote == '"':
        return re.sub(r'([\\"$`])', r"\\\1", value)
    return _PLAIN.sub(r"\\\1", value)
