"""`memwiki watch`."""

from __future__ import annotations

import gc
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Annotated

from memwiki.answers.watch import WatchEvent
from memwiki.cli import output
from memwiki.cli.app import App
from memwiki.cli.door import Door

# A sync under way may end by itself so long; then it is cut off, as Ctrl-C cuts off any other.
_GRACE_S = 0.6

app = App()


@app.verb(
    "watch",
    "watch --json",
    "watch --upkeep   # and join, promote and retire memories every 6 hours",
    "watch --poll   # where the system reports no file events",
)
def watch(
    door: Door,
    *,
    poll: Annotated[
        bool, "Scan the folder every second instead of waiting for file events."
    ] = False,
    upkeep: Annotated[bool, "Also run all upkeep every consolidation.interval_hours."] = False,
) -> None:
    """Keep the index up to date while files are edited.

    Runs until Ctrl-C. Prints one line for each change, with --json one object per line. One watcher
    per workspace is enough; every other command works without one too.
    """
    gc.set_threshold(700, 10, 10)  # unlike other commands it lives long enough to gather garbage
    watching = door.open().watch(tell=lambda event: _show(door, event), poll=poll, upkeep=upkeep)
    with _ending(watching.stop):
        watching.run()


def _show(door: Door, event: WatchEvent) -> None:
    if door.options.is_json or not door.options.is_quiet:
        door.show(event)
        output.flush()


@contextmanager
def _ending(stop: Callable[[], None]) -> Iterator[None]:
    """Ctrl-C and SIGTERM end it: kindly at first, after a moment by force."""

    def ask(_number: int, _frame: object) -> None:
        if hasattr(signal, "setitimer"):
            signal.signal(signal.SIGALRM, signal.default_int_handler)
            signal.setitimer(signal.ITIMER_REAL, _GRACE_S)
        stop()

    before = {number: signal.signal(number, ask) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    except KeyboardInterrupt:  # in the middle of a sync: the next one goes on from there
        pass
    finally:
        if hasattr(signal, "setitimer"):
            signal.setitimer(signal.ITIMER_REAL, 0)
        for number, handler in before.items():
            signal.signal(number, handler)
