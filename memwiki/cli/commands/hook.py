"""`memwiki hook`: what agents' programs call."""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated

import typer

from memwiki.answers.agents import HookReply
from memwiki.cli import output
from memwiki.cli.app import door_of, examples, new_app

if TYPE_CHECKING:
    from memwiki.workspace import Workspace

app = new_app()
_MOST_BYTES = 32_000_000


@app.command(
    epilog=examples(
        "hook start --host codex < event.json", "hook prompt --host claude-code < event.json"
    )
)
def hook(
    context: typer.Context,
    moment: Annotated[
        str, typer.Argument(metavar="MOMENT", help="start, prompt, turn, compact or end.")
    ],
    *,
    host: Annotated[
        str, typer.Option("--host", metavar="AGENT", help="The program, as agent install names it.")
    ],
    capture: Annotated[
        bool, typer.Option("--capture", help="Keep a prompt until its reply is recorded.")
    ] = False,
) -> None:
    """Answer an event of an agent's program, given as JSON on standard input.

    Prints what the program shows its model, or nothing. Whatever goes wrong, the exit code is 0 and
    the conversation goes on. `memwiki agent install` sets these calls up.
    """
    from memwiki.doors.hooks.run import answer, is_waited_for, nothing

    data = b"" if sys.stdin.isatty() else sys.stdin.buffer.read(_MOST_BYTES)
    door = door_of(context)
    opened: list[Workspace] = []

    def is_writing() -> bool:
        return any(each.index.is_writing() for each in opened)

    def opening() -> Workspace:
        opened.append(door.open())
        return opened[0]

    patience = _Patience(nothing(host, data), is_writing) if is_waited_for(moment) else None
    reply = answer(opening, moment, host, data, is_recording=capture)
    if patience is None or patience.ends():
        door.show(HookReply(reply), text=reply)


class _Patience:
    """Who waits longer than this gets an empty answer, and this process ends; a page that is being
    written to the index is written first, for a while."""

    SECONDS = 1.5
    WRITING_SECONDS = 2.0

    def __init__(self, reply: str, is_writing: Callable[[], bool]) -> None:
        self._spoken, self._reply, self._is_writing = threading.Lock(), reply, is_writing
        self._timer = threading.Timer(self.SECONDS, self._give_up)
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
            until = time.monotonic() + self.WRITING_SECONDS
            while self._is_writing() and time.monotonic() < until:
                time.sleep(0.01)
            os._exit(0)
