"""What the machine of a person says, and no workspace can: the editor, the threads of libraries for
numbers, and what the page in a browser loads of a user's own.

[web.assets]
mermaid = "/home/anna/lib/mermaid.min.js"
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from memwiki.config.locations import user_file
from memwiki.config.named import WEB, parsed, text_of_user_file
from memwiki.config.values import line_of, refuse, refuse_name
from memwiki.errors import ConfigError
from memwiki.nouns import Environ


def editor(environ: Environ) -> tuple[str, ...]:
    """The person's editor with its arguments, of VISUAL or else EDITOR."""
    import shlex

    name = next((each for each in ("VISUAL", "EDITOR") if environ.get(each, "").strip()), "")
    try:
        words = tuple(shlex.split(environ[name], posix=os.name != "nt")) if name else ()
    except ValueError as error:
        raise ConfigError.at(name, f"cannot be read ({error})", "close its quotes") from error
    if not words:
        raise ConfigError(
            "no editor is set",
            "set EDITOR, for example to nano, vi or 'code --wait'",
            path="EDITOR",
        )
    return words


# With as many as there are cores the same vectors cost 3 to 11 times the CPU (2026-11-25).
_VARIABLES = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")


@contextmanager
def one_thread() -> Iterator[None]:
    """What is loaded within takes one thread, unless the person said otherwise; programs that are
    started later hear nothing of it."""
    unsaid = [name for name in _VARIABLES if name not in os.environ]
    os.environ.update(dict.fromkeys(unsaid, "1"))
    try:
        yield
    finally:
        for name in unsaid:
            os.environ.pop(name, None)


_MERMAID = f"{WEB}.assets.mermaid"


def mermaid_script(environ: Environ) -> Path | None:
    """The script that draws diagrams of mermaid; None where none is named. ConfigError where it is
    no file that is there."""
    text, source = text_of_user_file(environ), str(user_file(environ))
    given = dict(_settings(parsed(text, source).get(WEB, {}), WEB))
    for name in given.keys() - {_MERMAID}:
        refuse_name(name, [_MERMAID], line_of(text, name), source)
    if _MERMAID not in given:
        return None
    path = _file(str(given[_MERMAID]))
    if path is None:
        what = f"{_MERMAID} is not the full path of a file"
        hint = "npm pack mermaid has it as package/dist/mermaid.min.js"
        refuse(what, hint, line_of(text, _MERMAID), source)
    return path


def _file(given: str) -> Path | None:
    """A file by its full path; None where there is none that may be looked at."""
    with suppress(OSError, RuntimeError):  # `~nobody`
        path = Path(given).expanduser()
        return path if path.is_absolute() and path.is_file() else None
    return None


def _settings(value: object, name: str) -> Iterator[tuple[str, object]]:
    """What is written, by dotted names."""
    if not isinstance(value, dict):
        yield name, value
        return
    for key, each in value.items():
        yield from _settings(each, f"{name}.{key}")
