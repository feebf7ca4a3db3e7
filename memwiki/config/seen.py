"""What tells whether settings are those that were read: the files they are in, by signature."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import TypeAlias

from memwiki.config.dialects.found import SETTINGS_OF_OTHERS, program_of
from memwiki.names import CONFIG_FILE

SettingsSeen: TypeAlias = tuple[object, ...]


def settings_seen(root: Path) -> SettingsSeen:
    """Another value as soon as any file with settings of a workspace is another one."""
    files = (root / name for name in (CONFIG_FILE, *SETTINGS_OF_OTHERS))
    return (program_of(root), *map(_state_of, files))


def _state_of(file: Path) -> tuple[int, ...]:
    with suppress(OSError):
        found = file.stat()
        return found.st_size, found.st_mtime_ns, found.st_ctime_ns, found.st_ino
    return ()
