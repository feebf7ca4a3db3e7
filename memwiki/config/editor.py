"""Which programs a person has chosen; a workspace can never name one."""

from __future__ import annotations

import os

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
