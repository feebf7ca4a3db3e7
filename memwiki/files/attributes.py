"""Who may do what with a file, whose it is, and what hangs on it beside its bytes."""

from __future__ import annotations

import os
import stat
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from memwiki.records import NamedTuple

_LISTS_ACCESS = "system.posix_acl_access"  # the only one of `system.` that is a file's own
_MAX_BYTES = 65_536  # of one attribute: what Linux takes


class Attributes(NamedTuple):
    """The permissions of a file, its owner and group, and its extended attributes."""

    mode: int
    owner: tuple[int, int] | None = None
    extended: Mapping[str, bytes] = {}


def attributes_of(location: Path) -> Attributes | None:
    """What a file has; None when there is none."""
    try:
        found = location.stat()
    except OSError:
        return None
    return Attributes(
        stat.S_IMODE(found.st_mode), (found.st_uid, found.st_gid), _extended(location)
    )


def give(descriptor: int, attributes: Attributes) -> None:
    """Let a new file have them, as far as the system and its disk allow."""
    if not hasattr(os, "fchmod"):  # pragma: no cover - Windows
        return
    new = os.fstat(descriptor)
    if attributes.owner and attributes.owner != (new.st_uid, new.st_gid):
        with suppress(OSError):  # only root may give files away
            os.fchown(descriptor, *attributes.owner)
    if _LISTS_ACCESS not in attributes.extended and hasattr(os, "removexattr"):
        with suppress(OSError):  # the folder may have given it one that lets others in
            os.removexattr(descriptor, _LISTS_ACCESS)
    missing = [
        name for name, value in attributes.extended.items() if not _set(descriptor, name, value)
    ]
    # The group's part of the mode is the most that a list of access allows, not what the group may.
    mode = attributes.mode & (0o7707 if _LISTS_ACCESS in missing else 0o7777)
    os.fchmod(descriptor, mode)


def other_names(location: Path) -> int:
    """Under how many other names the file can be found (hard links)."""
    try:
        found = location.stat()
    except OSError:
        return 0
    return found.st_nlink - 1 if stat.S_ISREG(found.st_mode) else 0


def can_be_kept(name: str) -> bool:
    """Whether an attribute says something of the file, and is not the system's to give."""
    return name.startswith("user.") or name == _LISTS_ACCESS


def _extended(location: Path) -> dict[str, bytes]:
    found = dict[str, bytes]()
    if hasattr(os, "listxattr"):
        with suppress(OSError):  # a disk that knows of none
            for name in os.listxattr(location):
                with suppress(OSError):
                    found[name] = os.getxattr(location, name)
    return found


def _set(descriptor: int, name: str, value: bytes) -> bool:
    # What the system gives itself (security labels) already exists, or not ours to set.
    try:
        if os.getxattr(descriptor, name) == value:
            return True
    except (OSError, ValueError):
        pass
    with suppress(OSError, ValueError):
        os.setxattr(descriptor, name, value[:_MAX_BYTES])
        return True
    return False
