"""A progress bar on stderr for what takes longer than a second."""

from __future__ import annotations

from time import monotonic
from types import TracebackType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.progress import Progress as Bar

_WAIT_SECONDS = 1.0


class Progress:
    """Called with how many of how many are done; draws from the second on that it takes."""

    def __init__(self, title: str, *, is_shown: bool, wait_seconds: float = _WAIT_SECONDS) -> None:
        self._title = title
        self._is_shown = is_shown
        self._starts_at = monotonic() + wait_seconds
        self._bar: Bar | None = None

    def __enter__(self) -> Progress:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if self._bar is not None:
            self._bar.stop()

    def __call__(self, done: int, total: int) -> None:
        """Draw how far it is."""
        if not self._is_shown or monotonic() < self._starts_at:
            return
        if self._bar is None:
            self._bar = _start(self._title)
        self._bar.update(self._bar.task_ids[0], completed=done, total=total)


def _start(title: str) -> Bar:
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
    )
    bar = Progress(*columns, console=Console(stderr=True), transient=True)
    bar.add_task(title)
    bar.start()
    return bar
