"""`memwiki hook`: what agents' programs call."""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Annotated

from memwiki.answers.agents import HookReply
from memwiki.cli import output
from memwiki.cli.app import App, closed_to_others
from memwiki.cli.door import Door
from memwiki.importing import adapter

if TYPE_CHECKING:
    from memwiki.workspace import Workspace

app = App()
_MAX_BYTES = 32_000_000


@app.verb("hook start --host codex < event.json", "hook prompt --host claude-code < event.json")
def hook(
    door: Door,
    moment: Annotated[str, "start, prompt, turn, compact or end.", "MOMENT"],
    *,
    host: Annotated[str, "The program, as agent install names it.", "AGENT"],
    capture: Annotated[bool, "Keep a prompt until its reply is recorded."] = False,
) -> None:
    """Answer an event of an agent's program, given as JSON on standard input.

    Prints what the program shows its model, or nothing. Whatever goes wrong, the exit code is 0 and
    the conversation goes on. `memwiki agent install` sets these calls up.
    """
    hooks = adapter("hooks")
    data = b"" if sys.stdin.isatty() else sys.stdin.buffer.read(_MAX_BYTES)
    opened: list[Workspace] = []

    def opening() -> Workspace:
        opened.append(door.open())
        return opened[0]

    seconds = hooks.SECONDS.get(moment, _Patience.MIN_SECONDS)
    why = f"no answer within {seconds:g} s"

    def note() -> None:
        opened[0].agents.note_silence(host, moment, why)

    patience = _Patience(seconds, hooks.nothing(host, data), opened, note)
    with closed_to_others():
        reply = hooks.answer(opening, moment, host, data, is_recording=capture)
    if patience.ends():
        door.show(HookReply(reply), text=reply)


class _Patience:
    """Who waits longer than this gets an empty answer, and this process ends; before, the silence
    is noted, and a page that is being written to the index is written, for a while."""

    MIN_SECONDS = 1.5
    LAST_SECONDS = 1.0

    def __init__(
        self, seconds: float, reply: str, opened: Sequence[Workspace], note: Callable[[], None]
    ) -> None:
        self._spoken, self._reply = threading.Lock(), reply
        self._opened, self._note = opened, note
        self._timer = threading.Timer(seconds, self._give_up)
        self._timer.daemon = True
        self._timer.start()

    def ends(self) -> bool:
        """Whether the answer came in time."""
        self._timer.cancel()
        return self._spoken.acquire(blocking=False)

    def _give_up(self) -> None:
        if self._spoken.acquire(blocking=False):
            output.show(self._reply)
            output.flush()
            until = time.monotonic() + self.LAST_SECONDS
            self._wait(until, lambda: not self._opened)
            if self._opened:
                self._note()
            self._wait(until, lambda: any(each.index.is_writing() for each in self._opened))
            os._exit(0)

    def _wait(self, until: float, is_busy: Callable[[], bool]) -> None:
        while is_busy() and time.monotonic() < until:
            time.sleep(0.01)
