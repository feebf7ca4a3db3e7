"""The files of a build, read beside the stores that have them open, and their checksums. That of a
database follows what is folded into it, so that a commit costs what it changed."""

from __future__ import annotations

import os
import threading
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from zlib import crc32

from memwiki.files.read import NO_FOLLOW, READING, signature_at, signature_of

_PIECE = 1 << 20
_MAX_OPEN = 64
_kept: dict[tuple[int, int], int] = {}  # (device, inode) -> descriptor, the last used at the end
_guard = threading.Lock()


def pieces_of(path: Path) -> Iterator[bytes]:
    """The bytes of a file, a megabyte at a time."""
    for at in count(0, _PIECE):
        with _open(path) as file:
            piece = _read(file, _PIECE, at)
        if not piece:
            return
        yield piece


@contextmanager
def _open(path: Path) -> Iterator[int]:
    """A descriptor of a file, for a moment.

    A process that closes any descriptor of a file loses all its locks on that file (POSIX), those
    of SQLite's connections, too; the next process would take itself for the last one and remove the
    log under them. So what SQLite has open stays open.
    """
    if path.suffix != ".sqlite" or not hasattr(os, "pread"):
        with path.open("rb") as file:
            yield file.fileno()
        return
    with _guard:  # nobody lets go of a descriptor that is being read
        yield _descriptor(path)


def _read(file: int, size: int, at: int) -> bytes:
    if hasattr(os, "pread"):  # forked processes have one place in a file
        return os.pread(file, size, at)
    os.lseek(file, at, os.SEEK_SET)  # Windows
    return os.read(file, size)


def copy_of(path: Path, copy: Path) -> None:
    """Write the bytes of a file into a new one."""
    with copy.open("wb") as file:
        file.writelines(pieces_of(path))


def _descriptor(path: Path) -> int:
    for key in [key for key, each in _kept.items() if os.fstat(each).st_nlink == 0]:
        os.close(_kept.pop(key))
    found = path.stat()
    descriptor = _kept.pop((found.st_dev, found.st_ino), -1)
    if descriptor < 0:
        descriptor = os.open(path, READING | NO_FOLLOW)
        found = os.fstat(descriptor)
    while len(_kept) >= _MAX_OPEN:
        os.close(_kept.pop(next(iter(_kept))))
    _kept[found.st_dev, found.st_ino] = descriptor
    return descriptor


_BLOCK = 4_096  # bytes: a page of SQLite
_LOG_HEAD, _FRAME_HEAD = 32, 24  # Source: https://www.sqlite.org/fileformat2.html#walformat
# By the paths of databases the signature and checksum that they had when that was last known.
KNOWN: dict[str, list[int]] = {}


def checksum(path: Path) -> int:
    """The sum over all blocks, each with its number: over 2 GB a second."""
    total, numbers = 0, count()
    for piece in pieces_of(path):
        view = memoryview(piece)
        blocks = (view[at : at + _BLOCK] for at in range(0, len(piece), _BLOCK))
        total += sum(map(crc32, blocks, numbers))
    return total


@contextmanager
def followed(path: str) -> Iterator[None]:
    """Within it the log of a database is folded into it. Where nothing else changed since its
    checksum was known, the checksum of what it is then is known, too."""
    here, (*left, total) = Path(path), KNOWN.pop(path, [0])
    pages = _pages_in_log(path) if tuple(left) == signature_at(here) else None
    if pages is None:
        yield
        return
    before = _sum_of(here, pages)
    yield
    signature = signature_of(here.stat())
    if signature[0] >= left[0]:  # what a file lost is in no log
        KNOWN[path] = [*signature, total + _sum_of(here, pages) - before]


def _pages_in_log(path: str) -> set[int] | None:
    """The numbers, from 0, of the pages that the log of a database has, and perhaps of more; None
    where they are of another size."""
    try:
        log = Path(f"{path}-wal").read_bytes()
    except FileNotFoundError:
        return set()
    if log and int.from_bytes(log[8:12], "big") != _BLOCK:
        return None
    heads = range(_LOG_HEAD, len(log), _FRAME_HEAD + _BLOCK)
    # A frame that is torn may have no number.
    return {int.from_bytes(log[at : at + 4], "big") - 1 for at in heads} - {-1}


def _sum_of(path: Path, numbers: Collection[int]) -> int:
    """The part of the checksum that these blocks make, as far as there are such."""
    with _open(path) as file:
        blocks = ((_read(file, _BLOCK, number * _BLOCK), number) for number in numbers)
        return sum(crc32(*each) for each in blocks if each[0])
