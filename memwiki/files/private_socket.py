"""A Unix socket that is this user's alone, in a folder of its own, and who listens to it."""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from memwiki.files.lock import Lock

if TYPE_CHECKING:
    from socket import socket

FOLDER = "warm"  # in the cache
_BACKLOG = 128


class PrivateSocket:
    """The socket in the cache folder, the lock of the one process that listens to it, and when it
    last answered."""

    def __init__(self, cache: Path) -> None:
        self.folder = cache / FOLDER
        self.path = self.folder / "socket"
        self.lock = Lock(self.folder / "lock")

    @classmethod
    def of(cls, workspace: Path) -> PrivateSocket:
        """That of the cache in which the folder of a workspace is."""
        return cls(workspace.parent)

    def is_closed(self) -> bool:
        """Whether the folder, made if need be, is ours and closed to all others."""
        with suppress(OSError):
            self.folder.mkdir(mode=0o700, exist_ok=True)
            found = self.folder.lstat()
            is_own = stat.S_ISDIR(found.st_mode) and found.st_uid == os.geteuid()
            return is_own and not found.st_mode & 0o077
        return False

    def listen(self) -> socket:
        """The socket, in the place of one that is left over; call it under the lock."""
        from socket import AF_UNIX, SOCK_STREAM, socket

        self.remove()
        found = socket(AF_UNIX, SOCK_STREAM)
        before = os.umask(0o177)
        try:
            found.bind(os.fspath(self.path))
        finally:
            os.umask(before)
        found.listen(_BACKLOG)
        return found

    def remove(self) -> None:
        """Take it away; call it under the lock."""
        with suppress(FileNotFoundError):
            self.path.unlink()

    def listener(self) -> int:
        """The process that listens, 0 for none."""
        return self.lock.owner_pid() if self.lock.is_taken() else 0

    def note_answer(self) -> None:
        """Note that something was asked now."""
        with suppress(OSError):
            os.utime(self.lock.path)

    def last_answer(self) -> float:
        """When something was asked last, in seconds since 1970; 0 for never."""
        with suppress(OSError):
            return self.lock.path.stat().st_mtime
        return 0.0
