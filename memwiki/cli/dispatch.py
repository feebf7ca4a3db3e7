"""Finding the command that was asked for, or meant, loading only its module, and running it.

A line as nearly all are written is read without typer, which takes a sixth of a search. Whatever
is odd in it, an option that nobody knows, a missing word, `--limit ten`, is left to typer: that one
has the errors, the help and all other ways to write a line.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from enum import StrEnum
from functools import partial
from importlib import import_module
from typing import NoReturn

from memwiki.cli import streams
from memwiki.cli.app import App, Argument, Verb
from memwiki.cli.arguments import Options, split
from memwiki.cli.door import Door
from memwiki.cli.registry import COMMANDS, current_name, overview
from memwiki.errors import MemwikiError, UsageError, WriteError

_HELP_HINT = "memwiki --help lists the commands."


def run(arguments: Sequence[str]) -> int:
    """Run one command; returns its exit code, or raises what went wrong."""
    options, rest = split(arguments)
    if rest[:1] == ["--help"]:
        streams.show(overview())
        return 0
    rest = _renamed(rest, options)
    app = load(rest[0])
    door = Door(options)
    try:
        code = _run(app, rest, door)
        streams.flush()
        with suppress(MemwikiError):  # it is tried again after the next write, and status says it
            door.keep()
    except (WriteError, OSError) as error:
        if isinstance(error, BrokenPipeError) or not door.has_changed:
            raise
        _say_done(error)
        return 0
    finally:
        door.close()
    return code


def _run(app: App, words: list[str], door: Door) -> int:
    command = plain_call(app, words)
    if command:
        return command(door) or 0
    from memwiki.cli import typer_app

    return typer_app.run(app, words, door)


def _renamed(words: list[str], options: Options) -> list[str]:
    current = current_name(words)
    if current != words and not options.is_quiet:
        path = " ".join(current[: len(current) - len(words) + 1])
        streams.talk(
            f"memwiki {words[0]} is now memwiki {path}; the old name works in this release"
        )
    return current


def _say_done(error: Exception) -> None:
    """What is done is done: told as a failure, it would be asked for again and stand there
    twice."""
    streams.abandon()
    with suppress(OSError, ValueError):
        streams.talk(f"memwiki: done, but what was done could not be shown: {error}")


def load(name: str) -> App:
    """Import the module of a command and give what it declares."""
    if name.startswith("-"):
        raise UsageError(f"memwiki: no such option: {name}", _HELP_HINT)
    if name not in COMMANDS:
        raise UsageError(f"memwiki: no such command: {name}", _nearest(name))
    app: App = import_module(f"memwiki.cli.commands.{COMMANDS[name].module}").app
    return app


def _nearest(name: str) -> str:
    found = nearest_command(name, COMMANDS)
    return f"Did you mean memwiki {found}?" if found else _HELP_HINT


# What the verbs of other programs are called here.
_MEANT = {
    "move": "rename mv ren",
    "search": "find grep rg ag ack query ask lookup fts f s",
    "list": "ls ll dir pages notes files ls-files",
    "get": "cat less more print view read page display head tail type bat",
    "delete": "rm del remove rmdir erase trash",
    "delete NAME or memwiki entry delete ID": "forget unlearn unremember",
    "check": "lint validate verify audit problems test",
    "check --fix": "fix repair",
    "open": "edit vi vim nvim nano emacs code e",
    "new": "create touch mk make note page-new zettel capture",
    "add": "remember memorize memorise store fact save",
    "today": "daily journal diary",
    "init": "setup adopt clone start",
    "sync": "index update refresh build scan rebuild-index pull",
    "reindex": "rebuild",
    "status": "st info stats stat state why",
    "undo": "revert rollback restore reset",
    "links": "backlinks refs references outgoing incoming inbound outbound follow linked",
    "links --unresolved": "broken dangling dead unresolved wanted missing",
    "search is:orphan": "orphan orphans isolated unlinked lonely",
    "list --sort updated --limit 10": "recent latest changed",
    "tags": "tag-list labels categories topics keywords",
    "history": "blame versions revisions commits changes",
    "show": "diff at past",
    "graph": "map neighbours neighbors around path tree",
    "catalog": "toc contents home summary",
    "config": "settings set-config options preferences",
    "doctor": "health diagnose fsck",
    "export": "backup dump archive-all zip",
    "import": "load ingest",
    "mcp": "serve server",
    "web": "ui gui webui",
    "upkeep archive": "archived retired",
    "agent tools": "tool functions",
    "upkeep": "gc clean cleanup tidy maintain compact",
    "session": "chat conversation sessions",
    "entry": "entries memory memories",
    "--help": "help commands man usage-help h ?",
    "--version": "version ver v",
}
_VERBS = {word: meant for meant, words in _MEANT.items() for word in words.split()}
# A typing error may lead to these: nothing is lost where something else was meant.
_READING = (
    "status doctor check search recall context get list browse links tags history show graph "
    "usage completion outline sync watch"
).split()
_MIN_PREFIX_CHARS = 3  # characters of the beginning of a command
_MAX_NAME_CHARS = 20  # characters of what anybody types as one


def nearest_command(name: str, commands: Collection[str]) -> str:
    """The command line that somebody means, "" when nothing comes near.

    Words that mean something come first. A command that writes is the answer to its own letters in
    another order or to its beginning, never to what only looks like it.
    """
    word = name.casefold()
    if len(word) > _MAX_NAME_CHARS:
        return ""
    if word in commands:
        return word
    if known := _VERBS.get(word, ""):
        return known
    for each in commands:
        is_begun = len(word) >= _MIN_PREFIX_CHARS and each.startswith(word)
        if is_begun or sorted(each) == sorted(word):
            return each
    from difflib import get_close_matches

    close = get_close_matches(word, [each for each in _READING if each in commands], n=1)
    return close[0] if close else ""


_MAX_DIGITS = 9


class _OddError(Exception):
    """The line is not a plain one."""


def plain_call(app: App, words: Sequence[str]) -> Callable[..., int | None] | None:
    """What these words run, to be handed a door; None where they are for typer to read."""
    try:
        verb, rest = _verb(app, words)
        arguments = verb.arguments
        given = _texts_by_name(arguments, rest)
        return partial(verb.run, **{each.name: _value(each, given) for each in arguments})
    except _OddError:
        return None


def _verb(app: App, words: Sequence[str]) -> tuple[Verb, Sequence[str]]:
    name, rest = words[0], words[1:]
    if name in app.verbs:
        return app.verbs[name], rest
    group = app.groups.get(name) or _refuse()
    if rest and (rest[0] in group.verbs or rest[0] in group.groups):
        return _verb(group, rest)
    return group.usual or _refuse(), rest


def _texts_by_name(
    arguments: Sequence[Argument], words: Sequence[str]
) -> Mapping[str, Sequence[str]]:
    """The texts that are given of each argument, by its name."""
    options = {each.option: each for each in arguments if each.option}
    given: dict[str, list[str]] = {}
    by_place: list[str] = []
    left = iter(words)
    for word in left:
        if word == "--":
            by_place += left
        elif word.startswith("-") and word != "-":
            option = options.get(word.partition("=")[0]) or _refuse()
            given.setdefault(option.name, []).append(_option_text(option, word, left))
        else:
            by_place.append(word)
    return given | _by_place([each for each in arguments if not each.option], by_place)


def _option_text(option: Argument, word: str, after: Iterator[str]) -> str:
    """What stands behind `=` or in the next word; "" for a flag."""
    _, sign, value = word.partition("=")
    if option.kind is bool:
        return _refuse() if sign else ""
    if sign:
        return value
    value = next(after, "--")
    return value if value == "-" or not value.startswith("-") else _refuse()


def _by_place(arguments: Sequence[Argument], words: Sequence[str]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    left = [*words]
    for each in arguments:
        many = len(left) if each.is_list else 1
        found[each.name], left = left[:many], left[many:]
    if left or any(each.is_list for each in arguments[:-1]):
        _refuse()
    return {name: texts for name, texts in found.items() if texts}


def _value(argument: Argument, given: Mapping[str, Sequence[str]]) -> object:
    if argument.name not in given:
        return _refuse() if argument.default is ... else argument.default
    values = [_read(argument, text) for text in given[argument.name]]
    if argument.is_list:
        return values
    return values[0] if len(values) == 1 else _refuse()


def _read(argument: Argument, text: str) -> object:
    """The value that a word is, where it is written in the usual way."""
    kind = argument.kind
    if kind is bool:
        return True
    if kind is str:
        return text
    if issubclass(kind, StrEnum):
        return kind(text) if text in {*map(str, kind)} else _refuse()
    digits = text.replace(".", "", 1) if kind is float else text
    if not (digits.isascii() and digits.isdigit()) or len(text) > _MAX_DIGITS:
        _refuse()
    number = float(text) if kind is float else int(text)
    return _refuse() if argument.least is not None and number < argument.least else number


def _refuse() -> NoReturn:
    raise _OddError
