"""A file beside the workspaces, such as an export: written whole or not at all, never over
another."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, TypeVar

from memwiki.errors import AlreadyExistsError, WriteError, reason_of
from memwiki.files.temporary import temporary_name

T = TypeVar("T")


def write_new(location: Path, fill: Callable[[IO[bytes]], T]) -> T:
    """Make a file that is not there yet, and give what filling it gave."""
    if os.path.lexists(location):
        raise _taken(location)
    temporary = location.parent / temporary_name()
    with _failures_named(location):
        try:
            with temporary.open("xb") as file:
                filled = fill(file)
                file.flush()
                os.fsync(file.fileno())
            _name(temporary, location)
        finally:
            with suppress(OSError):
                temporary.unlink(missing_ok=True)
    return filled


def _name(temporary: Path, location: Path) -> None:
    """Give the file its name, unless somebody else has it by now."""
    try:
        os.link(temporary, location)
    except FileExistsError as error:
        raise _taken(location) from error
    except OSError:  # a file system without hard links
        if os.path.lexists(location):
            raise _taken(location) from None
        temporary.rename(location)


def _taken(location: Path) -> AlreadyExistsError:
    return AlreadyExistsError(
        f"{location}: already exists", hint="give another file", path=str(location)
    )


@contextmanager
def _failures_named(location: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise WriteError(
            f"{location}: could not be written ({reason_of(error)})",
            hint="check the folder and the disk",
            path=str(location),
        ) from error
