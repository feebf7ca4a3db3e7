"""Watchdog's inotify observer, without its half second for renames and its watches below `.git`.

It leans on the inside of watchdog 7.1, which is why that is pinned; `tests/watch` says what on.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from watchdog.observers.api import BaseObserver
from watchdog.observers.inotify import InotifyEmitter, InotifyObserver, InotifyWatchGroup
from watchdog.observers.inotify_c import (
    CallbackId,
    InotifyFD,
    Mask,
    WatchCallback,
    WatchDescriptor,
)
from watchdog.observers.inotify_move_event_grouper import (
    GroupedInotifyEvent,
    InotifyMoveEventGrouper,
    PathedInotifyEvent,
)

from memwiki.watch.pending import LISTENER_DELAY_S


class _Pairs(InotifyMoveEventGrouper):
    """A rename's two halves come in one read; waiting 500 ms for the other would delay every save
    through a temporary file."""

    delay = LISTENER_DELAY_S


class _Descriptor(InotifyFD):
    """A folder that was moved out and comes back has its watch already, which is no mistake."""

    def _add_callback(
        self, path: bytes, mask: Mask, callback: WatchCallback, id_: CallbackId
    ) -> WatchDescriptor:
        watch = self._get_or_create_watch(path, mask)
        watch.callbacks[id_] = callback
        return watch.wd


@dataclass(eq=False)
class _Group(InotifyWatchGroup):
    """Watches on the folders that may hold pages."""

    is_foreign: Callable[[str], bool] = bool
    beside: str = ""  # one more folder, whose events come in the order of all

    def __post_init__(self) -> None:
        self._move_event_grouper = _Pairs()
        super().__post_init__()

    def unwatched(self, folders: Iterable[str]) -> list[str]:
        """Those of these folders that have no watch."""
        with self._lock:
            return [
                each for each in folders if os.fsencode(each) not in self._active_callbacks_by_path
            ]

    def forget(self, path: bytes) -> None:
        """Watch a folder that was moved out no more: what happens there is not ours."""
        below = path + b"/"
        with self._lock:
            if os.path.lexists(path):  # another one took its place
                return
            watches = self._active_callbacks_by_path.items()
            self._remove_callbacks([wd for p, wd in watches if p == path or p.startswith(below)])

    def _add_all_callbacks(self, path: bytes) -> None:
        super()._add_all_callbacks(path)
        if path == self.path and self.beside:
            super()._add_callback(os.fsencode(self.beside))

    def _add_callback(self, path: bytes) -> None:
        if path == self.path or not self.is_foreign(os.fsdecode(path)):
            super()._add_callback(path)

    def _remove_watch_internally(self, wd: WatchDescriptor) -> None:
        # Watchdog's own raises, and ends its thread, when a folder was replaced by one of its name.
        path = self._active_callbacks_by_watch.pop(wd, None)
        if path is not None and self._active_callbacks_by_path.get(path) == wd:
            del self._active_callbacks_by_path[path]


class _Emitter(InotifyEmitter):
    def __init__(
        self,
        *arguments: Any,  # noqa: ANN401 - handed through
        is_foreign: Callable[[str], bool],
        beside: str,
        **named: Any,  # noqa: ANN401
    ) -> None:
        super().__init__(*arguments, **named)
        self._is_foreign, self._beside = is_foreign, beside

    def on_thread_start(self) -> None:
        """Set the watches."""
        self._inotify = _Group(
            self._inotify_fd,
            os.fsencode(self.watch.path),
            event_mask=self.get_event_mask_from_filter(),
            is_recursive=True,
            is_foreign=self._is_foreign,
            beside=self._beside,
        )

    def build_and_queue_event(
        self, event: GroupedInotifyEvent, *, full_events: bool = False
    ) -> None:
        """Pass an event on; a folder that left without arriving was moved out."""
        group = self._inotify
        if (
            isinstance(event, PathedInotifyEvent)
            and isinstance(group, _Group)
            and (event.ev.is_moved_from and event.ev.is_directory)
        ):
            group.forget(event.path)
        super().build_and_queue_event(event, full_events=full_events)

    def unwatched(self, folders: Iterable[str]) -> list[str]:
        """Those of these folders from which no event will come."""
        group = self._inotify
        return group.unwatched(folders) if isinstance(group, _Group) else list(folders)


class FolderObserver(InotifyObserver):
    """An observer that leaves foreign folders alone and knows which others it could not watch."""

    def __init__(self, is_foreign: Callable[[str], bool], beside: str = "") -> None:
        self._inotify_fd = _Descriptor()
        self._inotify_fd.start()
        BaseObserver.__init__(
            self, _Emitter, inotify_fd=self._inotify_fd, is_foreign=is_foreign, beside=beside
        )

    def is_reading(self) -> bool:
        """Whether events are still taken from the kernel."""
        return self._inotify_fd.is_alive()

    def unwatched(self, folders: Iterable[str]) -> list[str]:
        """Those of these folders from which no event will come."""
        wanted = list(folders)
        emitters = [each for each in self.emitters if isinstance(each, _Emitter)]
        return emitters[0].unwatched(wanted) if emitters else wanted
