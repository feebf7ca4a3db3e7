"""What is said about a setting that cannot be used."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NoReturn

from memwiki.errors import ConfigError
from memwiki.names import CONFIG_FILE


def where(source: str, line: int) -> str:
    """A source and the line in it, where that is known."""
    return f"{source} line {line}" if line else source


def refuse(message: str, hint: str, line: int = 0, source: str = CONFIG_FILE) -> NoReturn:
    """Say what is wrong where, and what to do."""
    raise ConfigError(f"{where(source, line)}: {message}", hint, path=source, line=line)


def refuse_name(
    name: str, known: Iterable[str], line: int = 0, source: str = CONFIG_FILE
) -> NoReturn:
    """Answer an unknown name with the nearest one."""
    import difflib

    near = difflib.get_close_matches(name, list(known), n=1)
    hint = f"did you mean {near[0]}?" if near else "memwiki config show lists the settings"
    refuse(f"there is no setting {name}", hint, line, source)
