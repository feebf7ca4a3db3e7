"""The door itself: from arguments to an exit code, and every failure to a clear message."""

from __future__ import annotations

import gc
import re
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from memwiki import __version__
from memwiki.cli import streams
from memwiki.cli.registry import overview
from memwiki.errors import (
    MemwikiError,
    UsageError,
    WriteError,
    current_folder_gone,
    shell_word,
)

_DONE, _ERROR, _USAGE, _INTERRUPTED = 0, 1, 2, 130
_OPTIONS = {"content": "from"}  # those with another name than the argument in Python


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code."""
    given = sys.argv[1:] if arguments is None else list(arguments)
    # A command lives too short to gain from looking for cycles every 700 objects: a tenth of a
    # sync.
    gc.set_threshold(100_000, 20, 50)
    streams.prepare()
    try:
        code = _run(given)
        streams.flush()
    except BrokenPipeError:
        streams.abandon()
        return _DONE
    except KeyboardInterrupt:
        streams.talk("interrupted: finished work is kept; the next command continues")
        return _INTERRUPTED
    except MemwikiError as error:
        return _fail(error, given)
    except Exception as error:  # noqa: BLE001 - the one place where nothing may slip through
        return _fail(_folder_gone(error) or _unexpected(error), given)
    return code


def _run(arguments: list[str]) -> int:
    if arguments == ["--version"]:
        streams.show(f"memwiki {__version__}")
        return _DONE
    if arguments[:1] == ["--help"]:
        streams.show(overview())
        return _DONE
    if arguments[:1] == ["--complete"] and arguments[1:]:
        from memwiki.cli import complete

        return complete.run(arguments[1:])
    from memwiki.cli.arguments import split

    options, rest = split(arguments)
    if rest == ["--version"]:
        return _run(rest)
    if not rest:
        from memwiki.cli import home as alone

        return alone.run(options)
    from memwiki.cli.dispatch import run

    return run(arguments)


def _fail(error: MemwikiError, arguments: list[str]) -> int:
    error.spell(_as_option)
    if "--json" in arguments:
        from memwiki.present.plain import error_as_json

        with suppress(BrokenPipeError, WriteError):  # the exit code tells it, too
            streams.show(error_as_json(error))
            streams.flush()
    else:
        from memwiki.present import as_path, clean

        candidates = (f"  {as_path(each)}" for each in error.candidates)
        lines = [clean(error.message), *candidates, clean(error.hint)]
        streams.talk("\n".join(filter(None, lines)))
    return _USAGE if isinstance(error, UsageError) else _ERROR


def _as_option(name: str, value: str | None) -> str:
    """What an argument is called on the command line."""
    option = f"--{_OPTIONS.get(name, name.replace('_', '-'))}"
    if value is None:
        return option
    is_plain = re.fullmatch(r"[\w@%+=:,./][\w@%+=:,./~^-]*", value, re.ASCII)
    return f"{option} {value if is_plain else shell_word(value)}"


def _folder_gone(error: Exception) -> MemwikiError | None:
    """What is said where the failure is that the folder we are in was removed."""
    try:
        Path.cwd()
    except OSError:
        return current_folder_gone() if isinstance(error, OSError) else None
    return None


def _unexpected(error: Exception) -> MemwikiError:
    from memwiki.config import environment

    if environment().get("MEMWIKI_DEBUG"):
        import traceback

        streams.talk("".join(traceback.format_exception(error)).rstrip())
    failure = MemwikiError(
        f"memwiki: unexpected {type(error).__name__}: {error}",
        "This is a bug in memwiki; please report it with what MEMWIKI_DEBUG=1 prints.",
    )
    failure.code = "unexpected"
    failure.is_recoverable = False
    return failure
