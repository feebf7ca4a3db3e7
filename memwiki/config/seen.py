"""What tells whether settings are those that were read: the files they are in, by signature."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import TypeAlias

from memwiki.config.dialects.programs import (
    PROGRAMS,
    SETTINGS_OF_OTHERS,
    folders_read,
    program_of,
)
from memwiki.names import CONFIG_FILE, GIT_IGNORE_FILE, IGNORE_FILE

SettingsSeen: TypeAlias = tuple[object, ...]


def settings_seen(root: Path, folders: Iterable[str] = ()) -> SettingsSeen:
    """Another value as soon as any file with settings of a workspace, or of the `folders` in it
    that other programs keep, is another one."""
    # What is ignored is no folder of another program, either.
    files = (CONFIG_FILE, IGNORE_FILE, GIT_IGNORE_FILE, *SETTINGS_OF_OTHERS)
    below = (part for folder in folders_read(folders) for part in _of_program(root / folder))
    return (program_of(root), *_states(root, files), *below)


def _of_program(folder: Path) -> Iterator[object]:
    """The program that keeps a folder, and its settings."""
    name = program_of(folder)
    yield name
    yield from _states(folder, PROGRAMS[name].files if name else ())


def _states(folder: Path, names: Iterable[str]) -> Iterator[tuple[int, ...]]:
    base = f"{folder}/"
    return (_state_of(base + name) for name in names)


def _state_of(file: str) -> tuple[int, ...]:
    with suppress(OSError):
        # Every access to a workspace asks: making a `Path` of each file takes most of the time.
        found = os.stat(file)  # noqa: PTH116
        return found.st_size, found.st_mtime_ns, found.st_ctime_ns, found.st_ino
    return ()
