"""The lock of the index: one process at a time writes it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from memwiki.errors import LockedError, WriteError
from memwiki.files.lock import Lock
from memwiki.index.cache_folder import CacheFolder
from memwiki.index.damage import DiskError

READER_WAIT_MS = 200
_WRITER_WAIT_MS = 60_000


@contextmanager
def locked(
    folder: CacheFolder, wait_ms: int | None, has_answers: Callable[[], bool]
) -> Iterator[None]:
    """Hold the lock of the index; LockedError when another process does not let go of it in
    time."""
    folder.make()
    lock = Lock(folder.lock)
    # The very first index is waited for: there is nothing older to answer from.
    if not acquired(lock, _WRITER_WAIT_MS if wait_ms is None else wait_ms) and (
        has_answers() or not acquired(lock, _WRITER_WAIT_MS)
    ):
        what = "the index is being written by another process"
        raise LockedError(what, hint="try again when it is done")
    try:
        yield
    finally:
        lock.release()


def is_being_written(folder: CacheFolder) -> bool:
    """Whether somebody writes an index now; the first one is not live before its folder is
    there."""
    lock = Lock(folder.lock)
    if not acquired(lock, 0):
        return True
    lock.release()
    return False


def acquired(lock: Lock, wait_ms: int) -> bool:
    """Whether the lock could be taken; that it cannot even be tried is a matter of the disk."""
    try:
        return lock.acquire(wait_ms)
    except WriteError as error:
        raise DiskError(error.message, hint=error.hint) from error
