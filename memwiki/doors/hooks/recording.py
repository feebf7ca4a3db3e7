"""What a hook keeps of a conversation, where a person asked for it with --capture."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING

from memwiki.doors.hooks.event import Event
from memwiki.errors import LockedError, MemwikiError

if TYPE_CHECKING:
    from memwiki.workspace import Workspace
    from memwiki.workspace.agents import HookState

_MOST_BYTES = 32_000_000  # of a transcript, at once


def note_prompt(event: Event, state: HookState) -> None:
    """Keep a prompt until its reply comes; transcripts tell it themselves."""
    if event.prompt and not event.transcript:
        state.keep(prompt=event.prompt)


def record(workspace: Workspace, event: Event, state: HookState) -> None:
    """Add what was said since the last turn to the session of this conversation."""
    if event.is_stopping or not workspace.config.memory.auto_save or not event.session:
        return
    if event.transcript:
        text, end = _rest(event.transcript, state)
        changes: dict[str, object] = {"offset": end}
    else:
        text, changes = _turn(event, state), {"prompt": ""}
    if text:
        try:
            workspace.session(state.session_id).record(text)
        except LockedError:
            return  # the next turn tells it again
        except MemwikiError:
            pass  # what cannot be recorded now cannot be later
        state.keep(**changes)


def _turn(event: Event, state: HookState) -> str:
    """A prompt and its reply as JSON lines; each is told once, so that its name may be drawn."""
    prompt = event.prompt or str(state.get().get("prompt") or "")
    name = os.urandom(8).hex()
    said = (("user", prompt), ("assistant", event.reply))
    return "".join(
        json.dumps({"role": role, "content": text, "id": f"{name}-{role}"}) + "\n"
        for role, text in said
        if text.strip()
    )


def _rest(transcript: str, state: HookState) -> tuple[str, int]:
    """The whole lines of a transcript from where the last turn ended, and where they end."""
    held = state.get().get("offset")
    start = held if isinstance(held, int) and held >= 0 else 0
    try:
        with Path(transcript).open("rb") as file:
            if os.fstat(file.fileno()).st_size < start:
                start = 0  # another file of the same name
            file.seek(start)
            data = file.read(_MOST_BYTES)
    except (OSError, ValueError):
        return "", start
    whole = data[: data.rfind(b"\n") + 1]
    return whole.decode("utf-8", "replace"), start + len(whole)
