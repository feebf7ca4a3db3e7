"""What processes leave for one another in the cache folder: the signs of life of a watcher, and the
pages of the hits that each terminal was shown last."""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from memwiki.digest import blake2b
from memwiki.errors import WriteError
from memwiki.files.lock import Lock
from memwiki.index.cache_files import read_object, read_sealed, write_sealed, write_small

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


_KEPT_NS = 3600 * 10**9


class ShownHits(NamedTuple):
    """What one terminal was shown of the workspace that this folder in the cache is of."""

    folder: Path
    terminal: str

    @property
    def _file(self) -> Path:
        name = self.terminal.encode("utf-8", "surrogateescape")
        return self.folder / f"shown-{blake2b(name, digest_size=8).hexdigest()}.json"

    def paths(self, now_ns: int) -> list[str] | None:
        """The paths, best hit first; None when nothing was shown within the last hour."""
        stored = read_object(self._file) or {}
        at, paths = stored.get("at"), stored.get("paths")
        if not isinstance(at, int) or not isinstance(paths, list):
            return None
        return [str(path) for path in paths] if 0 <= now_ns - at <= _KEPT_NS else None

    def note(self, paths: Sequence[str], now_ns: int) -> None:
        """Note what was shown, and forget what is over; where nothing can be written, nothing
        is."""
        with suppress(OSError):
            if self.folder.is_dir():
                for file in self.folder.glob("shown-*"):
                    with suppress(FileNotFoundError):
                        if now_ns - file.lstat().st_mtime_ns > _KEPT_NS:
                            file.unlink()
                stored = json.dumps({"at": now_ns, "paths": list(paths)})
                write_small(self._file, stored, mode=0o600)
