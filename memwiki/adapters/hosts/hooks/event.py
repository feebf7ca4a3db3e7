"""What a program tells a hook, read from its JSON; missing and unknown keys are no error."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import NamedTuple

_SESSION = ("session_id", "conversation_id", "sessionId")
_REPLY = ("last_assistant_message", "prompt_response", "text", "response")


class Event(NamedTuple):
    """One call of a hook."""

    name: str  # as the program calls it
    session: str
    prompt: str
    reply: str
    transcript: str  # the path of a file
    source: str  # why a conversation starts: startup, resume ...
    is_stopping: bool  # the program goes on because of a hook; it was told already


def event_of(data: bytes) -> Event:
    """An event; an empty one for what is no JSON object."""
    try:
        found = json.loads(data.decode("utf-8", "replace").removeprefix("\ufeff"))
    except (ValueError, RecursionError):
        found = {}
    fields = found if isinstance(found, dict) else {}
    return Event(
        _text(fields, "hook_event_name"),
        _text(fields, *_SESSION),
        _text(fields, "prompt"),
        _text(fields, *_REPLY),
        _text(fields, "transcript_path"),
        _text(fields, "source"),
        fields.get("stop_hook_active") is True,
    )


def _text(fields: Mapping[str, object], *names: str) -> str:
    """The first of these that is a text, with halves of characters replaced."""
    for name in names:
        value = fields.get(name)
        if isinstance(value, str) and value:
            return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return ""
