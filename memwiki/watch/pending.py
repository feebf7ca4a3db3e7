"""What changed and was not looked at yet, and when it is time to look."""

from __future__ import annotations

import threading
from enum import Enum
from typing import NamedTuple

LISTENER_DELAY_S = 0.02  # an event waits so long for the other half of a rename


class ChangeKind(Enum):
    """What has to be done about a path that changed."""

    PAGE = "page"  # look at it
    WALK = "walk"  # it concerns other paths too: look at everything
    OTHER = "other"  # no page: look at everything when it is quiet


class PendingPaths(NamedTuple):
    """Changes to look at together; when `is_walk`, the paths do not matter."""

    paths: tuple[str, ...]
    is_walk: bool


class Pending:
    """Filled by the thread that hears of changes, emptied by the one that syncs; never large."""

    def __init__(self, timing: WatchTiming) -> None:
        self._timing = timing
        self._told = threading.Condition()
        self._paths: dict[str, None] = {}
        self._is_walk = False
        self._first = self._last = 0.0
        self._quiet_at: float | None = None
        self._is_told = False

    def add(self, path: str, kind: ChangeKind, now: float) -> None:
        """Note that a path changed."""
        with self._told:
            if kind is ChangeKind.OTHER:
                self._quiet_at = now + self._timing.settle
            else:
                self._note(path, kind, now)
            self._wake()

    def add_walk(self, now: float) -> None:
        """Note that changes may have been missed."""
        self.add("", ChangeKind.WALK, now)

    def _note(self, path: str, kind: ChangeKind, now: float) -> None:
        if not (self._paths or self._is_walk):
            self._first = now
        self._last = now
        self._paths[path] = None
        self._is_walk |= kind is ChangeKind.WALK
        if len(self._paths) > self._timing.burst:
            self._is_walk = True
            self._paths = dict.fromkeys(list(self._paths)[: self._timing.many + 1])

    def is_empty(self) -> bool:
        """Whether nothing waits to be looked at."""
        return not (self._paths or self._is_walk) and self._quiet_at is None

    def due(self) -> float | None:
        """When it is time to look at what is pending; None when nothing is."""
        with self._told:
            if not (self._paths or self._is_walk):
                return None
            is_many = len(self._paths) > self._timing.many
            wait = self._timing.debounce_many if is_many else self._timing.debounce
            return min(self._last + wait, self._first + self._timing.longest)

    def quiet_due(self) -> float | None:
        """When it is time for a walk because of files that are no pages."""
        return self._quiet_at

    def take(self) -> PendingPaths:
        """Hand over what is pending."""
        with self._told:
            batch = PendingPaths(tuple(self._paths), self._is_walk)
            self._paths, self._is_walk = {}, False
            if batch.is_walk:
                self._quiet_at = None
            return batch

    def walked(self) -> None:
        """Forget what a walk that begins now will find by itself."""
        with self._told:
            self._paths, self._is_walk, self._quiet_at = {}, False, None

    def wait(self, seconds: float) -> None:
        """Sleep until something is told, at most so long; what was told meanwhile ends it at
        once."""
        with self._told:
            if not self._is_told:
                self._told.wait(max(seconds, 0))
            self._is_told = False

    def wake(self) -> None:
        """End the sleep."""
        with self._told:
            self._wake()

    def _wake(self) -> None:
        self._is_told = True
        self._told.notify()


class WatchTiming(NamedTuple):
    """The defaults are what was agreed on; tests are less patient."""

    debounce: float = 0.05  # of silence, after which a change is looked at
    debounce_many: float = 0.25  # the same while many paths are pending
    longest: float = 0.5  # a change waits no longer than that
    many: int = 100
    burst: int = 500  # from so many paths on, a walk is cheaper and surer
    settle: float = (
        2.1  # after a change, until signatures are proof and a walk can note that all is up to date
    )
    scan: float = 60.0  # between walks that look for what no event told of
    poll: float = 1.0  # between walks where there are no events
    tidy: float = 10.0  # of silence, before what many small commits left is merged
    beat: float = 5.0  # between heartbeats
    check: float = 1.0  # between looks at whether the folder is there and events still come
    pause: float = 0.05  # between looks at whether git is done
    retry: float = 1.0  # after a failure, doubled up to `scan`
    keep: float = 600.0  # at most between looks at whether upkeep is due
