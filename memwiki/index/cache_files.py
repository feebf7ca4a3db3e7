"""Small files of the cache, which are read without trusting them and written whole."""

from __future__ import annotations

import errno
import json
import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from time import monotonic, sleep
from typing import TYPE_CHECKING, Any

from memwiki.digest import blake2b, text_hash
from memwiki.errors import MemwikiError
from memwiki.files.read import read
from memwiki.index.storage_sqlite import DiskError
from memwiki.records import NamedTuple

if TYPE_CHECKING:
    from memwiki.files.lock import Lock

ASIDE = ".aside-"
_MAX_BYTES = 1 << 20
_SEAL = "seal"
_DISK = (errno.EIO, errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.ESTALE)
_BEAT, _LOCK, _COOKIES = "watch.json", "watch.lock", "cookies"
_MAX_WAIT_S, _LOOK_S = 0.05, 0.0003  # for a watcher that hears; a walk takes as long


def read_small(path: Path) -> str | None:
    """The text of a small file; None when there is none, or anything else lies in its place.

    Raises DiskError when that cannot be told: a disk that fails says nothing about what is on it.
    """
    try:
        return read(*os.path.split(path), _MAX_BYTES).decode("utf-8")
    except (MemwikiError, OSError, ValueError, RuntimeError) as error:  # looped, says Python 3.11
        _require_disk(error)  # no name here: it would hold the frames of all who asked
        return None


def _require_disk(error: Exception) -> None:
    cause = error if isinstance(error, OSError) else error.__cause__
    if isinstance(cause, OSError) and cause.errno in _DISK:
        raise DiskError.under_the_index(cause, "read") from error


def read_object(path: Path) -> dict[str, Any] | None:
    """The JSON object that a small file holds, if it holds one; DiskError as `read_small`."""
    try:
        stored = json.loads(read_small(path) or "")
    except (ValueError, RecursionError):
        return None
    return stored if isinstance(stored, dict) else None


def read_sealed(path: Path) -> dict[str, Any] | None:
    """What `write_sealed` wrote, if not a character of it is another."""
    stored = read_object(path)
    if stored is None or stored.pop(_SEAL, None) != _seal(stored):
        return None
    return stored


def write_sealed(path: Path, stored: Mapping[str, object]) -> None:
    """Write an object that tells whether it was changed since."""
    write_small(path, json.dumps({**stored, _SEAL: _seal(stored)}))


def write_small(path: Path, text: str, *, mode: int = 0o666) -> None:
    """Write a file whole or not at all; OSError when it cannot be, and then nothing is left."""
    temporary = path.with_name(f"{path.name}.{os.getpid()}.{os.urandom(3).hex()}")
    try:
        temporary.touch(mode, exist_ok=False)
        temporary.write_text(text, encoding="utf-8")
        if path.is_dir() and not path.is_symlink():
            move_aside(path)
        temporary.replace(path)
    except OSError:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)
        raise


def move_aside(path: Path) -> None:
    """Make room where something lies that is not ours; the next sweep of the folder removes it."""
    with suppress(FileNotFoundError):
        path.rename(aside_of(path))


def clear(path: Path) -> None:
    """Remove a file of ours, or whatever lies in its place."""
    if path.is_dir() and not path.is_symlink():
        move_aside(path)
    else:
        path.unlink(missing_ok=True)


def aside_of(path: Path) -> Path:
    """A new name beside a path, for what is to be removed."""
    return path.with_name(f"{path.name[:40]}{ASIDE}{os.urandom(4).hex()}")


def _seal(stored: Mapping[str, object]) -> str:
    return text_hash(json.dumps(stored, sort_keys=True), 8).hex()


class Beat(NamedTuple):
    """One sign of life; times are in nanoseconds."""

    pid: int
    since: int
    at: int
    last_scan: int  # when a walk last found everything up to date, 0 for never
    state: str
    reason: str
    known: int = 0  # up to when files and index were surely the same, 0 while that is not known
    builds: tuple[str, ...] = ()  # of the index, of which it says so
    is_alone: bool = False  # whether the process does nothing else


class Heartbeat:
    """The signs of life of the one watcher of a workspace."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._path = folder, folder / _BEAT

    @cached_property
    def lock(self) -> Lock:
        """Held by the watcher; nobody asks for it where there is no sign of life."""
        from memwiki.files.lock import Lock

        return Lock(self._folder / _LOCK)

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
        """The last sign of life; None after a watcher that ended as it should, and of one of
        another version."""
        stored = read_sealed(self._path) or {}
        return Beat(**stored) if stored.keys() == set(Beat._fields) else None

    def has_watcher(self) -> bool:
        """Whether the process that left it is still there."""
        return self.lock.is_taken()

    def end(self) -> None:
        """Take the sign of life away."""
        with suppress(OSError):
            self._path.unlink(missing_ok=True)


class Cookies:
    """Files whose events a watcher hears after those of all that changed before they were made; it
    removes each that it has heard of."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / _COOKIES

    def make(self) -> None:
        """Make the folder of them, where there may be some that nobody waits for any more."""
        self.end()
        with suppress(OSError):
            self.folder.mkdir(mode=0o700)

    def end(self) -> None:
        """Take the folder away: nobody listens."""
        with suppress(OSError):
            for each in self.folder.iterdir():
                each.unlink()
            self.folder.rmdir()

    def answer(self, name: str) -> None:
        """Say that one was heard of."""
        with suppress(OSError):
            (self.folder / name).unlink()

    def are_answered(self) -> bool:
        """Make one, and wait a moment for the answer."""
        cookie = self.folder / os.urandom(8).hex()
        try:
            cookie.touch(0o600, exist_ok=False)
        except OSError:
            return False
        until = monotonic() + _MAX_WAIT_S
        while (is_there := os.path.lexists(cookie)) and monotonic() < until:
            sleep(_LOOK_S)
        if is_there:
            self.answer(cookie.name)
        return not is_there


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
                self._forget(now_ns)
                stored = json.dumps({"at": now_ns, "paths": list(paths)})
                write_small(self._file, stored, mode=0o600)

    def _forget(self, now_ns: int) -> None:
        for file in self.folder.glob("shown-*"):
            with suppress(FileNotFoundError):
                if now_ns - file.lstat().st_mtime_ns > _KEPT_NS:
                    file.unlink()
