"""Hearing of changes as the system tells of them, through watchdog, and where that can be relied
on."""

from __future__ import annotations

import logging
import os
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

from watchdog import events
from watchdog.observers import Observer
from watchdog.observers.api import BaseObserver

from memwiki.index.cache_files import Cookies

Note = Callable[[str, bool], None]  # a path below the workspace, whether it is a folder

# Without a filter our own reading would flood the queue: of 30,000 quick creates 11,160 were lost.
_FILTER: list[type[events.FileSystemEvent]] = [
    events.FileCreatedEvent,
    events.FileModifiedEvent,
    events.FileClosedEvent,
    events.FileDeletedEvent,
    events.FileMovedEvent,
    events.FileAttribEvent,
    events.DirCreatedEvent,
    events.DirDeletedEvent,
    events.DirMovedEvent,
    events.DirAttribEvent,
]
_LOGGER = "watchdog.observers"  # says when the kernel dropped events
_SILENT = logging.NullHandler()
_PATIENCE_S = 2.0
_MOUNTS = Path("/proc/self/mountinfo")
# What others change there reaches this machine without an event.
_REMOTE = (
    "nfs",
    "cifs",
    "smb",
    "9p",
    "fuse",
    "afs",
    "ceph",
    "gluster",
    "lustre",
    "vboxsf",
    "prl_fs",
    "virtiofs",
    "davfs",
    "coda",
    "ncpfs",
)


class _Warnings(logging.Handler):
    """Hears watchdog complain: whatever it is, events may be missing."""

    def __init__(self, lose: Callable[[], None]) -> None:
        super().__init__(logging.WARNING)
        self._lose = lose

    def emit(self, record: logging.LogRecord) -> None:
        """Take in a warning."""
        del record
        self._lose()


class EventListener(events.FileSystemEventHandler):
    """Tells `note` of every path that changes, and `lose` when events were dropped."""

    def __init__(
        self,
        root: Path,
        note: Note,
        lose: Callable[[], None],
        is_foreign: Callable[[str], bool],
        cookies: Cookies | None = None,
    ) -> None:
        self._root = os.path.realpath(root)
        self._note, self._is_foreign = note, is_foreign
        self._cookies = cookies
        self._warnings = _Warnings(lose)
        self._observer: BaseObserver | None = None

    def start(self) -> None:
        """Begin to listen; OSError when the system has no room for it."""
        logging.getLogger(_LOGGER).addHandler(self._warnings)
        # What it says when it ends is said to nobody, rather than to the terminal.
        logging.getLogger("watchdog").addHandler(_SILENT)
        self._observer = _observer(self._is_foreign_place, self._cookies)
        self._observer.schedule(self, self._root, recursive=True, event_filter=_FILTER)
        self._observer.start()

    def stop(self) -> None:
        """Listen no more."""
        logging.getLogger(_LOGGER).removeHandler(self._warnings)
        if self._cookies:
            self._cookies.end()
        observer, self._observer = self._observer, None
        if observer is None:
            return
        with suppress(RuntimeError):  # it was never started
            observer.stop()
            observer.join(_PATIENCE_S)

    def is_sound(self) -> bool:
        """Whether all threads that hear and tell are alive."""
        observer = self._observer
        # One that was stopped lets go of its watches before its threads are gone.
        if observer is None or not (observer.is_alive() and observer.should_keep_running()):
            return False
        is_reading: Callable[[], bool] = getattr(observer, "is_reading", lambda: True)
        return is_reading() and all(emitter.is_alive() for emitter in observer.emitters)

    def unwatched(self) -> list[str]:
        """Folders that exist and from which no event will come."""
        unwatched = getattr(self._observer, "unwatched", None)
        if unwatched is None:
            return []  # elsewhere one watch covers all folders
        missing: list[str] = unwatched(folders(self._root, self._is_foreign_place))
        return missing

    def dispatch(self, event: events.FileSystemEvent) -> None:
        """Take in one event of watchdog."""
        folder, _, name = os.fsdecode(event.src_path).rpartition(os.sep)
        if self._cookies and folder == str(self._cookies.folder):
            self._cookies.answer(name)  # all that came before it is noted
            return
        for location in (event.src_path, event.dest_path):
            if location:
                self._note(self._path_of(os.fsdecode(location)), event.is_directory)

    def _path_of(self, location: str) -> str:
        return location[len(self._root) + 1 :].replace(os.sep, "/")

    def _is_foreign_place(self, location: str) -> bool:
        return self._is_foreign(self._path_of(location))


def _observer(is_foreign: Callable[[str], bool], cookies: Cookies | None) -> BaseObserver:
    if not sys.platform.startswith("linux"):
        return Observer()
    from memwiki.watch.inotify import FolderObserver

    if cookies:
        cookies.make()
    return FolderObserver(is_foreign, str(cookies.folder) if cookies else "")


def why_poll(root: Path, mounts: str | None = None) -> str:
    """Why changes in a folder may come without an event; "" when they come with one."""
    table = _mounts() if mounts is None else mounts
    here = os.path.realpath(root)
    around = ""
    for location, kind in _points(table):
        if location == here or here.startswith(location.rstrip("/") + "/"):
            around = kind  # later lines are mounted over earlier ones, deeper ones come later
        elif location.startswith(here + "/") and kind.startswith(_REMOTE):
            return f"{location} is on {kind}"
    return f"the folder is on {around}" if around.startswith(_REMOTE) else ""


def _mounts() -> str:
    with suppress(OSError):
        return _MOUNTS.read_text(encoding="utf-8", errors="surrogateescape")
    return ""


def _points(table: str) -> Iterator[tuple[str, str]]:
    """(where, which file system) of each mount, as mountinfo lists them."""
    for line in table.splitlines():
        before, dash, after = line.partition(" - ")
        fields = before.split(" ")
        if dash and len(fields) > 4:
            location = re.sub(r"\\([0-7]{3})", lambda found: chr(int(found[1], 8)), fields[4])
            yield location, after.split(" ")[0]


def folders(root: str, is_foreign: Callable[[str], bool]) -> Iterator[str]:
    """Every folder that events have to come from: those that can be listed, without foreign
    ones."""
    waiting = [root]
    while waiting:
        folder = waiting.pop()
        try:
            with os.scandir(folder) as listing:
                below = [each.path for each in listing if each.is_dir(follow_symlinks=False)]
        except OSError:
            continue
        yield folder
        waiting += [path for path in below if not is_foreign(path)]
