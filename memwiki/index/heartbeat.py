"""What a watcher says of itself in the place of the index, so that others can tell it is alive."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from memwiki.errors import WriteError
from memwiki.files.lock import Lock
from memwiki.index.cache_files import read_sealed, write_sealed

_BEAT, _LOCK = "watch.json", "watch.lock"


class Beat(NamedTuple):
    """One sign of life; times are in nanoseconds."""

    pid: int
    since: int
    at: int
    last_scan: int  # when a walk last found everything up to date, 0 for never
    state: str
    reason: str


class Heartbeat:
    """The signs of life of the one watcher of a workspace."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / _BEAT
        self.lock = Lock(folder / _LOCK)

    def give(self, beat: Beat) -> None:
        """Leave a sign of life; that none can be left now does not matter."""
        with suppress(OSError):
            write_sealed(self._path, beat._asdict())

    def renew(self) -> None:
        """Take the lock anew when its file was removed and so guards nothing any more."""
        if self.lock.is_held and not self.lock.path.exists():
            self.lock.release()
            self.lock.acquire(0)

    def last(self) -> Beat | None:
        """The last sign of life; None after a watcher that ended as it should."""
        stored = read_sealed(self._path)
        return Beat(**stored) if stored else None

    def has_watcher(self) -> bool:
        """Whether the process that left it is still there."""
        with suppress(WriteError):  # what lies in place of the lock is nobody's
            if not self.lock.acquire(0):
                return True
            self.lock.release()
        return False

    def end(self) -> None:
        """Take the sign of life away."""
        with suppress(OSError):
            self._path.unlink(missing_ok=True)
