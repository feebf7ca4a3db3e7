"""The options of every command, taken out of the arguments wherever people put them."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

from memwiki.errors import UsageError


class Options(NamedTuple):
    """What holds for any command; `directory` is what stands for the current folder."""

    directory: str | None = None
    is_exact: bool = False  # the workspace is that folder, or the current one, and none above
    is_json: bool = False
    is_synced: bool = True
    is_quiet: bool = False
    namespace: str | None = None  # None where the setting counts
    workspace: str = ""  # its name in the user's settings; a folder that is given goes before it
    actor: str = ""  # who changes something


_HOSTED = (["hook"], ["mcp"])  # commands that programs of agents start
_MAKING = (["init"],)  # whose folder need not be there yet
_NAMED = {
    **dict.fromkeys(("-w", "--workspace"), "workspace"),
    **dict.fromkeys(("-n", "--namespace"), "namespace"),
    "--actor": "actor",
}


def split(arguments: Sequence[str]) -> tuple[Options, list[str]]:
    """Separate these options from the rest; nothing after `--` is touched."""
    options, rest = Options(), []
    waiting = iter(arguments)
    for argument in waiting:
        match argument:
            case "--":
                rest += [argument, *waiting]
            case "--here":
                options = options._replace(is_exact=True)
            case "--json":
                options = options._replace(is_json=True)
            case "--no-sync":
                options = options._replace(is_synced=False)
            case "-q" | "--quiet":
                options = options._replace(is_quiet=True)
            case "-C" | "--directory":
                options = options._replace(directory=_value(argument, waiting))
            case _ if argument in _NAMED:
                options = _with(options, _NAMED[argument], _name(argument, waiting))
            case _:
                rest.append(argument)
    return _located(options, rest), rest


def _located(options: Options, rest: Sequence[str]) -> Options:
    """With a relative folder where it is: an agent works in any folder of its project."""
    named, is_hosted = options.directory, rest[:1] in _HOSTED
    is_as_given = options.is_exact or rest[:1] in _MAKING
    if named is None or is_as_given or os.path.isabs(named):
        return options
    if not is_hosted and os.path.isdir(named):
        return options
    from memwiki.config import environment, folder_meant

    with suppress(OSError, ValueError):  # opening it says what is wrong
        named = folder_meant(named, environment(), is_hosted=is_hosted)
    return options._replace(directory=named)


def _with(options: Options, field: str, value: str) -> Options:
    given: dict[str, Any] = {field: value}
    return options._replace(**given)


def _name(option: str, waiting: Iterator[str]) -> str:
    value = next(waiting, None)
    if value is None or (not value and _NAMED[option] == "workspace"):
        raise UsageError(f"{option}: a name is missing", f"memwiki {option} NAME COMMAND")
    return value


def _value(option: str, waiting: Iterator[str]) -> str:
    value = next(waiting, "")
    if not value:
        raise UsageError(f"{option}: a folder is missing", f"memwiki {option} DIR COMMAND")
    return value
