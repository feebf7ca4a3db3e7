"""Finding the command that was asked for, or meant, loading only its module, and running it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from contextlib import suppress
from importlib import import_module

from memwiki.cli import output, plain_line
from memwiki.cli.app import App
from memwiki.cli.arguments import Options, split
from memwiki.cli.door import Door
from memwiki.cli.registry import COMMANDS, current_name, overview
from memwiki.errors import MemwikiError, UsageError, WriteError

_HELP_HINT = "memwiki --help lists the commands."


def run(arguments: Sequence[str]) -> int:
    """Run one command; returns its exit code, or raises what went wrong."""
    options, rest = split(arguments)
    if rest[:1] == ["--help"]:
        output.show(overview())
        return 0
    rest = _renamed(rest, options)
    app = load(rest[0])
    door = Door(options)
    try:
        code = _run(app, rest, door)
        output.flush()
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
    command = plain_line.read(app, words)
    if command:
        return command(door) or 0
    from memwiki.cli import typer_app

    return typer_app.run(app, words, door)


def _renamed(words: list[str], options: Options) -> list[str]:
    current = current_name(words)
    if current != words and not options.is_quiet:
        path = " ".join(current[: len(current) - len(words) + 1])
        output.talk(f"memwiki {words[0]} is now memwiki {path}; the old name works in this release")
    return current


def _say_done(error: Exception) -> None:
    """What is done is done: told as a failure, it would be asked for again and stand there
    twice."""
    output.abandon()
    with suppress(OSError, ValueError):
        output.talk(f"memwiki: done, but what was done could not be shown: {error}")


def load(name: str) -> App:
    """Import the module of a command and give what it declares."""
    if name.startswith("-"):
        raise UsageError(f"memwiki: no such option: {name}", _HELP_HINT)
    if name not in COMMANDS:
        raise UsageError(f"memwiki: no such command: {name}", _nearest(name))
    app: App = import_module(f"memwiki.cli.commands.{COMMANDS[name].module}").app
    return app


def _nearest(name: str) -> str:
    found = meant(name, COMMANDS)
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


def meant(name: str, commands: Collection[str]) -> str:
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
