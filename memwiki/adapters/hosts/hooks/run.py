"""A call of a hook: the JSON it answers, or nothing; it never fails."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING

from memwiki.adapters.hosts.hooks.event import Event, event_of
from memwiki.adapters.hosts.hooks.remembering import lasting, recalled

if TYPE_CHECKING:
    from memwiki import Workspace

SECONDS = {"start": 3.0, "prompt": 3.0, "turn": 6.0, "compact": 6.0, "end": 1.5}  # of the wall
_CATCH_UP_SECONDS = 0.5  # of those that a program is made to wait
NO_INDEX = "there is no index yet; memwiki sync makes it"
_REPLIES = frozenset({"gemini", "cursor"})  # want an object even when there is nothing to say
_GOES_ON = "beforeSubmitPrompt"  # Cursor waits for leave


def answer(
    opened: Callable[[], Workspace], moment: str, host: str, data: bytes, *, is_recording: bool
) -> str:
    """What to print for one event."""
    event = event_of(data)
    try:
        workspace = opened()
        try:
            text = _text(workspace, moment, host, event, is_recording=is_recording)
        except Exception as error:
            workspace.agents.note_silence(host, moment, f"failed with {type(error).__name__}")
            raise
    except Exception:  # noqa: BLE001 - a conversation goes on whatever is wrong here
        text = ""
    return _reply(host, event, text)


def nothing(host: str, data: bytes) -> str:
    """What to print for an event when there is nothing to say."""
    return _reply(host, event_of(data), "")


def _text(workspace: Workspace, moment: str, host: str, event: Event, *, is_recording: bool) -> str:
    agents = workspace.agents
    state = agents.conversation(host, event.session)
    state.begin()
    workspace.index.sweep_for(_CATCH_UP_SECONDS)
    if moment in ("start", "prompt"):
        if moment == "prompt" and is_recording and not state.has_transcript:
            from memwiki.adapters.hosts.hooks.recording import note_prompt

            note_prompt(event, state)
        if not workspace.index.is_built():  # the first build is not for a hook
            agents.note_silence(host, moment, NO_INDEX)
            return ""
        return lasting(workspace, event) if moment == "start" else recalled(workspace, event, state)
    from memwiki.adapters.hosts.hooks.recording import record  # most hooks record nothing

    record(workspace, event, state, is_last=moment == "end")
    if moment == "end":
        state.end()
    return ""


def _reply(host: str, event: Event, text: str) -> str:
    if event.name == _GOES_ON:
        return json.dumps({"continue": True})
    if not text:
        return "{}" if host in _REPLIES else ""
    output = {"hookEventName": event.name, "additionalContext": text}
    return json.dumps({"hookSpecificOutput": output}, ensure_ascii=False)
