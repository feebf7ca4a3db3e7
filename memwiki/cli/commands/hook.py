"""`memwiki hook`: what agents' programs call."""

from __future__ import annotations

import os
import sys
import threading
from typing import Annotated

import typer

from memwiki.answers.agents import HookReply
from memwiki.cli import output
from memwiki.cli.app import door_of, examples, new_app

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
    patience = _Patience(nothing(host, data)) if is_waited_for(moment) else None
    door = door_of(context)
    reply = answer(door.open, moment, host, data, is_recording=capture)
    if patience is None or patience.ends():
        door.show(HookReply(reply), text=reply)


class _Patience:
    """Who waits longer than this gets an empty answer, and this process ends."""

    SECONDS = 1.5

    def __init__(self, reply: str) -> None:
        self._spoken, self._reply = threading.Lock(), reply
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
            os._exit(0)
