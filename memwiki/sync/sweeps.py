"""Looks at the files that several questions share: those of one call, and those of many threads."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from threading import Condition
from typing import Generic, TypeVar

from memwiki.index.projection import Progress

T = TypeVar("T")


class HeldSweep(Generic[T]):
    """What the first sweep of one thread's call gave, for all questions of the call."""

    def __init__(self) -> None:
        self._found: list[tuple[T, object]] = []

    def hold(self, outcome: T, version: object) -> None:
        """Keep what a sweep gave, and the version of the index that it left."""
        self._found = [(outcome, version)]

    def drop(self) -> None:
        """Forget it: something was synced since."""
        self._found = []

    def held(self) -> list[T]:
        """What is kept: one or none."""
        return [outcome for outcome, _ in self._found]

    def is_of(self, version: object) -> bool:
        """Whether the index is still what the sweep left; so it is when there was none."""
        return all(left == version for _, left in self._found)


# Who is told how far the syncs of questions are.
_TOLD: ContextVar[Progress | None] = ContextVar("told", default=None)


@contextmanager
def telling(progress: Progress | None) -> Iterator[None]:
    """Within it this is told how far a sync is that a question waits for; what it raises ends
    it."""
    before = _TOLD.set(progress or _TOLD.get())
    try:
        yield
    finally:
        _TOLD.reset(before)


def told() -> Progress | None:
    """Who is told, if anybody."""
    return _TOLD.get()


class _Round(Generic[T]):
    """One run of the work, and what became of it."""

    def __init__(self) -> None:
        self.outcomes: list[T] = []
        self.error: Exception | None = None

    @property
    def is_over(self) -> bool:
        return bool(self.outcomes) or self.error is not None

    def outcome(self) -> T:
        """What the work gave, or what it raised."""
        try:
            if self.error is not None:
                raise self.error
            return self.outcomes[0]
        finally:
            del self  # else the error holds, by its traceback, what holds it


class SharedSweep(Generic[T]):
    """Runs work for threads: who comes while it runs shares the next run with all others who do.

    The thread that does the work is one of those who wait for it. When it is interrupted, another
    one of them does it; what the work raises, all of them raise.
    """

    def __init__(self) -> None:
        self._changed = Condition()
        self._runner: object = None  # of whoever works now
        self._next = _Round[T]()  # for who comes now

    def join(self, work: Callable[[], T]) -> T:
        """What a run of the work gives that begins after this call."""
        me, mine = object(), None
        try:
            mine = self._waited(me)
            if not mine.is_over:
                self._run(mine, work)
            return mine.outcome()
        finally:
            del mine
            self._give_up(me)

    def _waited(self, me: object) -> _Round[T]:
        """The run for who comes now: over, or to be done here."""
        with self._changed:
            mine = self._next
            while self._runner is not None and not mine.is_over:
                self._changed.wait()
            if not mine.is_over:
                self._runner = me
                if self._next is mine:
                    self._next = _Round()
            return mine

    @staticmethod
    def _run(mine: _Round[T], work: Callable[[], T]) -> None:
        try:
            mine.outcomes.append(work())
        except Exception as error:
            mine.error = error  # it reaches all who wait
            raise
        finally:
            del mine

    def _give_up(self, me: object) -> None:
        """Let others work, after an interruption too."""
        if self._runner is me:
            self._runner = None  # first: an interruption here must not leave others waiting
            with self._changed:
                self._changed.notify_all()
