"""The usage files in `.memwiki/state/`, one a machine; where they cannot be written, nothing is."""

from __future__ import annotations

import errno
import os
import re
from collections.abc import Callable, Collection, Iterator
from contextlib import suppress
from itertools import chain
from pathlib import Path

from memwiki.errors import MemwikiError
from memwiki.files.lock import Lock
from memwiki.files.regular_files import NO_FOLLOW, READING, bytes_of
from memwiki.files.state import state_folder
from memwiki.files.temporary import machine, sweep_temporaries, temporary_name
from memwiki.files.usage_lines import IsErased, RecallTiming, Subject, last_timings, tally_of
from memwiki.names import STATE_FOLDER

_NAME = re.compile(r"usage-([0-9a-f]{1,32})\.jsonl")
_MOST_BYTES = 64_000_000
_GROWTH_BYTES = 512_000
_WAIT_MS = 5_000
_HEAD = re.compile(rb'\{"compacted":([0-9]{1,12})\}\n')
_WRITING = (
    os.O_RDWR
    | os.O_CREAT
    | os.O_APPEND
    | NO_FOLLOW
    | getattr(os, "O_NONBLOCK", 0)
    | getattr(os, "O_BINARY", 0)
)


class UsageLog:
    """What one machine recalled in a workspace."""

    def __init__(self, root: Path, name: str = "") -> None:
        self._root = root
        self._folder = root / STATE_FOLDER / "state"
        self.location = self._folder / f"usage-{name or machine()}.jsonl"

    def append(self, line: bytes) -> bool:
        """Add a line with one write, unflushed; False where that is not possible."""
        return self.append_made(lambda: line)

    def append_made(self, make: Callable[[], bytes]) -> bool:
        """The same with lines that are made under the lock of the file, from what is in it then."""
        with suppress(OSError, MemwikiError):
            state_folder(self._root)
            if not self._folder.is_symlink():
                self._folder.mkdir(exist_ok=True)
                with self._lock():
                    lines = make()
                    if lines and _append(self.location, lines):
                        self._rewrite()
                return True
        return False

    def forget(self, subjects: Collection[Subject], is_erased: IsErased | None = None) -> bool:
        """Rewrite the file without these subjects and the queries that found them, or that repeat
        what was deleted for good."""
        with suppress(OSError, MemwikiError):
            if not self.location.exists() or self._folder.is_symlink():
                return True
            with self._lock():
                self._rewrite(subjects, *filter(None, [is_erased]))
            return True
        return False

    def compact(self) -> None:
        """Leave one line a subject."""
        with self._lock():
            self._rewrite()

    def _lock(self) -> Lock:
        return Lock(self.location.with_suffix(".lock"), timeout_ms=_WAIT_MS)

    def _rewrite(self, dropped: Collection[Subject] = (), *is_erased: IsErased) -> None:
        lines = list(tally_of(bytes_of(self.location, _MOST_BYTES)).lines(dropped, *is_erased))
        head = b'{"compacted":%d}\n' % sum(map(len, lines))
        sweep_temporaries(self._root, [f"{STATE_FOLDER}/{self._folder.name}"])  # of killed ones
        temporary = self._folder / temporary_name()
        try:
            with temporary.open("xb") as file:
                file.writelines([head, *lines])
                file.flush()
                os.fsync(file.fileno())
            temporary.replace(self.location)
        finally:
            temporary.unlink(missing_ok=True)


def usage_files(root: Path) -> Iterator[Path]:
    """The files of all machines, in order."""
    with suppress(OSError):
        folder = root / STATE_FOLDER / "state"
        if not (folder.is_symlink() or folder.parent.is_symlink()):
            yield from sorted(each for each in folder.iterdir() if _NAME.fullmatch(each.name))


def timings_of(root: Path) -> list[RecallTiming]:
    """How long the last recalls on all machines took, the oldest first."""
    parts = (tally_of(bytes_from(file, 0)).timings for file in usage_files(root))
    return last_timings(chain.from_iterable(parts))


def forget(root: Path, subjects: Collection[Subject], is_erased: IsErased | None = None) -> bool:
    """Clear subjects, and what repeats an erased text, from the files of all machines; whether
    nothing of them is left."""
    logs = [
        UsageLog(root, found[1]) for each in usage_files(root) if (found := _NAME.match(each.name))
    ]
    cleared = [log.forget(subjects, is_erased) for log in logs]
    return all(cleared)


def bytes_from(location: Path, offset: int, most: int = _MOST_BYTES) -> bytes:
    """A usage file from an offset on; b"" when it is no regular file of usual size."""
    with suppress(OSError):
        if location.lstat().st_size <= _MOST_BYTES and location.is_file():
            descriptor = os.open(location, READING | NO_FOLLOW)
            with os.fdopen(descriptor, "rb") as file:
                file.seek(offset)
                return file.read(most)
    return b""


def _append(location: Path, line: bytes) -> bool:
    """Write a line at the end, on a line of its own; tell whether the file grew much since it was
    last compacted."""
    descriptor = os.open(location, _WRITING, 0o600)
    try:
        size = os.lseek(descriptor, 0, os.SEEK_END)
        if size > _MOST_BYTES:
            raise OSError(errno.EFBIG, os.strerror(errno.EFBIG))
        is_torn = bool(size) and _read(descriptor, 1, size - 1) != b"\n"
        os.write(descriptor, b"\n" * is_torn + line)
        found = _HEAD.match(_read(descriptor, 40, 0))
    finally:
        os.close(descriptor)
    return size > (2 * int(found[1]) if found else 0) + _GROWTH_BYTES


def _read(descriptor: int, size: int, offset: int) -> bytes:
    os.lseek(descriptor, offset, os.SEEK_SET)
    return os.read(descriptor, size)
