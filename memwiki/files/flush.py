"""Flushing a whole file system at once, where that is as good as flushing each file.

Of many files each flush of its own waits for the disk. `syncfs` of Linux waits once. It says
whether the disk took everything since Linux 5.8, if it was opened before the first write.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from memwiki.records import NamedTuple

_MOUNTS = Path("/proc/self/mountinfo")
# Those of which the kernel itself writes all there is to the disk: FUSE, 9p and shares ask others.
_KNOWN = {"bcachefs", "btrfs", "ext2", "ext3", "ext4", "f2fs", "tmpfs", "xfs", "zfs"}
_TELLS_OF_FAILURES = (5, 8)


class FileSystem(NamedTuple):
    """An open file system, on which files are written that are flushed together."""

    device: int
    descriptor: int

    def defer(self, descriptor: int) -> None:
        """In the place of flushing a file of it; one of another is flushed."""
        if os.fstat(descriptor).st_dev != self.device:
            os.fsync(descriptor)

    def flush(self) -> None:
        """Bring all that was written to the disk; OSError when it did not take it."""
        import ctypes

        if ctypes.CDLL(None, use_errno=True).syncfs(self.descriptor):
            code = ctypes.get_errno()
            raise OSError(code, os.strerror(code))


@contextmanager
def file_system_of(folder: Path) -> Iterator[FileSystem | None]:
    """Open the file system of a folder; None where it cannot be flushed at once."""
    if not _is_flushed_at_once(folder):
        yield None
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        yield FileSystem(os.fstat(descriptor).st_dev, descriptor)
    finally:
        os.close(descriptor)


def _is_flushed_at_once(folder: Path) -> bool:
    if sys.platform != "linux" or _kernel() < _TELLS_OF_FAILURES:
        return False
    device = folder.stat().st_dev
    number = f"{os.major(device)}:{os.minor(device)}"
    kinds = {_kind(line) for line in _MOUNTS.read_text().splitlines() if number in line.split()[:3]}
    return bool(kinds) and kinds <= _KNOWN


def _kernel() -> tuple[int, ...]:
    """Its version, as far as it is numbers."""
    return tuple(map(int, re.findall(r"\d+", os.uname().release)[:2]))


def _kind(mount: str) -> str:
    """The kind of file system in a line of `_MOUNTS`."""
    return mount.rpartition(" - ")[2].partition(" ")[0]
