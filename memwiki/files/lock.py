"""One writer at a time: a lock that the system frees when its owner dies; and the folder
`.memwiki/`, which is ours and not derived."""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path

from memwiki.clock import iso_of, now_ns
from memwiki.errors import LinkedFolderError, LockedError, WriteError
from memwiki.files.read import NO_FOLLOW, READING, bytes_of
from memwiki.names import STATE_FOLDER

try:
    import fcntl
except ImportError:  # pragma: no cover - Windows
    fcntl = None  # type: ignore[assignment]

_FLAGS = os.O_RDWR | os.O_CREAT | NO_FOLLOW
_MAX_PAUSE_MS = 16
_Release = Callable[[], None]
LOCK_NAME = "lock"


class Lock:
    """A lock on a path. Each object takes it for itself: threads of one process exclude each other.

    The file stays when the lock is given back: whoever deleted it could let in two at once.
    """

    def __init__(self, path: Path, *, timeout_ms: int = 10_000) -> None:
        self.path = path
        self.timeout_ms = timeout_ms
        self._release: _Release | None = None

    @property
    def is_held(self) -> bool:
        """Whether this object holds the lock."""
        return self._release is not None

    def acquire(self, timeout_ms: int | None = None) -> bool:
        """Take the lock, waiting that long at most; False when another keeps it."""
        wait_ms = self.timeout_ms if timeout_ms is None else timeout_ms
        deadline, pause_ms = time.monotonic() + wait_ms / 1000, 1
        while (release := _take(self.path)) is None:
            left_ms = (deadline - time.monotonic()) * 1000
            if left_ms <= 0:
                return False
            time.sleep(min(pause_ms, left_ms) / 1000)
            pause_ms = min(pause_ms * 2, _MAX_PAUSE_MS)
        self._release = release
        return True

    def release(self) -> None:
        """Give the lock back, if this object holds it."""
        release, self._release = self._release, None
        if release:
            release()

    def is_taken(self) -> bool:
        """Whether somebody holds it. Whoever asks is not taken for the holder by others who ask,
        and writes nothing."""
        is_held = _is_flocked if fcntl else _is_guarded
        try:
            return is_held(self.path)
        except OSError:  # there is none, or what lies there is nobody's
            return False

    def owner(self) -> str:
        """Say who holds the lock, as far as it is known."""
        found = self._noted(("pid", "command", "since"))
        return "process {} ({}) since {}".format(*found) if found else "another process"

    def owner_pid(self) -> int:
        """The process that holds the lock, 0 where that is not known."""
        return next((pid for pid in self._noted(("pid",)) if isinstance(pid, int)), 0)

    def _noted(self, names: tuple[str, ...]) -> list[object]:
        """What its holder noted under these names; nothing where one of them cannot be read."""
        with suppress(OSError, ValueError, KeyError, TypeError, RecursionError):
            noted = json.loads(bytes_of(self.path))
            return [noted[name] for name in names]
        return []

    def __enter__(self) -> Lock:
        if not self.acquire():
            raise LockedError.at(
                self.path,
                f"is held by {self.owner()}",
                "wait until it is done, or end that process",
            )
        return self

    def __exit__(self, *_: object) -> None:
        self.release()


def _take(path: Path) -> _Release | None:
    """Take the lock now, or not at all."""
    take = _take_flock if fcntl else _take_filelock
    try:
        with suppress(FileNotFoundError):
            return take(path)
        path.parent.mkdir(parents=True, exist_ok=True)
        return take(path)
    except OSError as error:
        raise WriteError.at(
            path, "cannot be locked", "check that the folder can be written", cause=error
        ) from error


def _take_flock(path: Path) -> _Release | None:
    if path.parent.is_symlink():  # a workspace from elsewhere must not make us write elsewhere
        raise LinkedFolderError(str(path.parent))
    descriptor = os.open(path, _FLAGS, 0o666)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        is_ours = os.path.samestat(os.fstat(descriptor), path.stat())
    except (BlockingIOError, FileNotFoundError):
        is_ours = False
    except OSError:
        os.close(descriptor)
        raise
    if not is_ours:  # held by another, or removed by hand since it was opened
        os.close(descriptor)
        return None
    with suppress(OSError):  # a full disk does not make it less held
        os.ftruncate(descriptor, 0)
        os.pwrite(descriptor, _owner_note(), 0)
    return partial(_give_back, descriptor)


def _is_flocked(path: Path) -> bool:
    descriptor = os.open(path, READING | NO_FOLLOW)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(descriptor)
    return False


def _owner_note() -> bytes:
    # The running command without its arguments, which may hold what is private.
    program = Path(sys.argv[0]).name if sys.argv and sys.argv[0] else "python"
    verb = next((each for each in sys.argv[1:2] if each.isalpha()), "")
    command = f"{program} {verb}".rstrip()
    return json.dumps({"pid": os.getpid(), "command": command, "since": iso_of(now_ns())}).encode()


def _give_back(descriptor: int) -> None:
    with suppress(OSError):
        os.ftruncate(descriptor, 0)
    os.close(descriptor)


def _take_filelock(path: Path) -> _Release | None:  # pragma: no cover - Windows
    import filelock  # 50 ms; where there is flock, the system alone does

    lock = filelock.FileLock(f"{path}.guard", timeout=0, thread_local=False)
    try:
        lock.acquire()
    except filelock.Timeout:
        return None
    with suppress(OSError):
        path.write_bytes(_owner_note())
    return lock.release


def _is_guarded(path: Path) -> bool:  # pragma: no cover - Windows
    release = _take_filelock(path)
    if release:
        release()
    return release is None


def state_folder(root: Path) -> Path:
    """Give the folder, made if need be and kept out of git."""
    folder = root / STATE_FOLDER
    if folder.is_symlink():
        raise LinkedFolderError(STATE_FOLDER)
    try:
        folder.mkdir(exist_ok=True)
        with suppress(FileExistsError), (folder / ".gitignore").open("x") as ignore:
            ignore.write("*\n")
    except OSError as error:
        raise WriteError.at(
            STATE_FOLDER,
            "could not be created",
            "check that the workspace can be written",
            cause=error,
        ) from error
    return folder


def state_subfolder(root: Path, *names: str, is_made: bool = False) -> Path:
    """A folder below it, made if asked for. LinkedFolderError where one on the way is a symlink, by
    which a workspace from elsewhere would have us read or write outside of it."""
    folder = state_folder(root) if is_made else root / STATE_FOLDER
    for at in range(len(names) + 1):
        found = folder.joinpath(*names[:at])
        if found.is_symlink():
            raise LinkedFolderError(found.relative_to(root).as_posix())
        if is_made:
            found.mkdir(exist_ok=True)
    return found
