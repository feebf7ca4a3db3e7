"""Where events can be relied on: the file systems below a folder, and the folders to be watched."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

_MOUNTS = Path("/proc/self/mountinfo")
# What others change there reaches this machine without an event.
_REMOTE = (
    "nfs",
    "cifs",
    "smb",
    "9p",
    "fuse",
    "afs",
    "ceph",
    "gluster",
    "lustre",
    "vboxsf",
    "prl_fs",
    "virtiofs",
    "davfs",
    "coda",
    "ncpfs",
)


def why_poll(root: Path, mounts: str | None = None) -> str:
    """Why changes in a folder may come without an event; "" when they come with one."""
    table = _mounts() if mounts is None else mounts
    here = os.path.realpath(root)
    around = ""
    for location, kind in _points(table):
        if location == here or here.startswith(location.rstrip("/") + "/"):
            around = kind  # later lines are mounted over earlier ones, deeper ones come later
        elif location.startswith(here + "/") and kind.startswith(_REMOTE):
            return f"{location} is on {kind}"
    return f"the folder is on {around}" if around.startswith(_REMOTE) else ""


def _mounts() -> str:
    with suppress(OSError):
        return _MOUNTS.read_text(encoding="utf-8", errors="surrogateescape")
    return ""


def _points(table: str) -> Iterator[tuple[str, str]]:
    """(where, which file system) of each mount, as mountinfo lists them."""
    for line in table.splitlines():
        before, dash, after = line.partition(" - ")
        fields = before.split(" ")
        if dash and len(fields) > 4:
            location = re.sub(r"\\([0-7]{3})", lambda found: chr(int(found[1], 8)), fields[4])
            yield location, after.split(" ")[0]


def folders(root: str, is_foreign: Callable[[str], bool]) -> Iterator[str]:
    """Every folder that events have to come from: those that can be listed, without foreign
    ones."""
    waiting = [root]
    while waiting:
        folder = waiting.pop()
        try:
            with os.scandir(folder) as listing:
                below = [each.path for each in listing if each.is_dir(follow_symlinks=False)]
        except OSError:
            continue
        yield folder
        waiting += [path for path in below if not is_foreign(path)]
