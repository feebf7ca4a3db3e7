"""Opening files, small ones of our own at once; a FIFO, device or folder in the place of one is
never waited for."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

NO_FOLLOW = getattr(os, "O_NOFOLLOW", 0)
READING = (
    os.O_RDONLY
    | getattr(os, "O_NONBLOCK", 0)  # a FIFO in the place of a file must not hang us
    | getattr(os, "O_BINARY", 0)
)
_MOST_BYTES = 16_000_000
_UNAWAITED = (0, stat.S_IFREG, stat.S_IFDIR)


def bytes_of(location: Path, max_bytes: int = _MOST_BYTES) -> bytes:
    """All of a file; OSError when it is a link or no regular one, or too large to be ours."""
    descriptor = os.open(location, READING | NO_FOLLOW)
    with os.fdopen(descriptor, "rb") as file:
        found = os.fstat(descriptor)
        if not stat.S_ISREG(found.st_mode):
            raise OSError(errno.EINVAL, "not a regular file", os.fspath(location))
        if found.st_size > max_bytes:
            raise OSError(errno.EFBIG, os.strerror(errno.EFBIG), os.fspath(location))
        return file.read(max_bytes)


def irregular(location: Path) -> str:
    """The name of what an open would wait for, a place itself or what lies in the folder; "" for
    nothing.

    A folder in the folder is nobody's wait: Whoosh makes one while it writes.
    """
    mode = _mode(location)
    inside = location.iterdir() if stat.S_ISDIR(mode) else [location]
    return next((each.name for each in inside if _mode(each) not in _UNAWAITED), "")


def _mode(location: Path) -> int:
    """What kind of file stands there, 0 when none does; asked once, as it may go meanwhile."""
    try:
        return stat.S_IFMT(location.stat().st_mode)
    except FileNotFoundError:
        return 0
