"""The bytes of the files of a build, read beside the stores that have them open."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from pathlib import Path

_PIECE = 1 << 20
_FLAGS = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
_MAX_OPEN = 64
_kept: dict[tuple[int, int], int] = {}  # (device, inode) -> descriptor, the last used at the end
_guard = threading.Lock()


def pieces_of(path: Path) -> Iterator[bytes]:
    """The bytes of a file, a megabyte at a time.

    A process that closes any descriptor of a file loses all its locks on that file (POSIX), those
    of SQLite's connections, too; the next process would take itself for the last one and remove the
    log under them. So what SQLite has open stays open.
    """
    if path.suffix != ".sqlite" or not hasattr(os, "pread"):
        with path.open("rb") as file:
            while piece := file.read(_PIECE):
                yield piece
        return
    at = 0
    while piece := _piece_at(path, at):
        yield piece
        at += len(piece)


def copy_of(path: Path, copy: Path) -> None:
    """Write the bytes of a file into a new one."""
    with copy.open("wb") as file:
        file.writelines(pieces_of(path))


def _piece_at(path: Path, at: int) -> bytes:
    with _guard:  # nobody lets go of a descriptor that is being read
        return os.pread(_descriptor(path), _PIECE, at)


def _descriptor(path: Path) -> int:
    for key in [key for key, each in _kept.items() if os.fstat(each).st_nlink == 0]:
        os.close(_kept.pop(key))
    found = path.stat()
    descriptor = _kept.pop((found.st_dev, found.st_ino), -1)
    if descriptor < 0:
        descriptor = os.open(path, _FLAGS)
        found = os.fstat(descriptor)
    while len(_kept) >= _MAX_OPEN:
        os.close(_kept.pop(next(iter(_kept))))
    _kept[found.st_dev, found.st_ino] = descriptor
    return descriptor
