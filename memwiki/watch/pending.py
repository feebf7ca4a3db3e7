"""What changed and was not looked at yet, and when it is time to look."""

from __future__ import annotations

import threading
from enum import Enum
from typing import NamedTuple

from memwiki.watch.timing import Timing


class ChangeKind(Enum):
    """What has to be done about a path that changed."""

    PAGE = "page"  # look at it
    WALK = "walk"  # it concerns other paths too: look at everything
    OTHER = "other"  # no page: look at everything when it is quiet


class Batch(NamedTuple):
    """Changes to look at together; when `is_walk`, the paths do not matter."""

    paths: tuple[str, ...]
    is_walk: bool


class Pending:
    """Filled by the thread that hears of changes, emptied by the one that syncs; never large."""

    def __init__(self, timing: Timing) -> None:
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

    def take(self) -> Batch:
        """Hand over what is pending."""
        with self._told:
            batch = Batch(tuple(self._paths), self._is_walk)
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
