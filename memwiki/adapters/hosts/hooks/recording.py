"""What a program tells a hook, read from its JSON; missing and unknown keys are no error."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, BinaryIO, NamedTuple

from memwiki import MemwikiError
from memwiki.adapter_api import (
    LockedError,
    without_secrets,
)

if TYPE_CHECKING:
    from memwiki import Workspace
    from memwiki.adapter_api import HookState

_SESSION = ("session_id", "conversation_id", "sessionId")
_REPLY = ("last_assistant_message", "prompt_response", "text", "response")
_MAX_LINE_BYTES = 32_000_000  # a longer line is passed over
_MAX_PROMPTS = 50  # that got no reply


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


class Turn(NamedTuple):
    """What is to be recorded: lines of JSON, or a transcript from an offset on."""

    session: str
    text: str = ""
    transcript: str = ""
    offset: int = 0


class _Pace(NamedTuple):
    seconds: float  # in which parts are begun
    lock_ms: int  # how long the lock of the workspace is waited for
    part_bytes: int  # of a transcript, at once


_TURN = _Pace(4.0, 1_000, 2_000_000)  # programs wait 10 seconds
_LAST = _Pace(0.6, 300, 250_000)  # and at the end 1.5 to 3


def note_prompt(event: Event, state: HookState) -> None:
    """Keep a prompt until its reply comes."""
    if event.prompt:
        prompts = [*_prompts(state.get()), without_secrets(event.prompt)]
        state.keep(prompts=prompts[-_MAX_PROMPTS:])


def _prompts(state: Mapping[str, object]) -> list[str]:
    prompts = state.get("prompts")
    return list(map(str, prompts)) if isinstance(prompts, list) else []


def record(workspace: Workspace, event: Event, state: HookState, *, is_last: bool) -> None:
    """Add what was said since the last turn to the session of this conversation, after what found
    the workspace locked before; what is not recorded now is left for the next hook."""
    if event.is_stopping or not workspace.config.memory.auto_save or not event.session:
        return
    has_transcript, kept = bool(state.has_transcript and event.transcript), state.get()
    if has_transcript and not is_last:
        if _record_left(workspace, _TURN):
            rest, _ = _recorded(workspace, _transcript(event, state, kept), _TURN)
            state.keep(offset=rest.offset)  # what follows, the next turn tells
        return
    # Kept first: a program may end its hooks at any moment, and tells this only once.
    turn = _transcript(event, state, kept) if has_transcript else _turn(event, state, kept)
    if turn.text or turn.transcript:
        workspace.agents.leave_turn(turn._asdict())
    state.keep(prompts=[])
    _record_left(workspace, _LAST if is_last else _TURN)


def _record_left(workspace: Workspace, pace: _Pace) -> bool:
    """Record what other hooks left; whether all of it could be."""
    for name, fields in workspace.agents.left_turns():
        rest, is_empty = _recorded(workspace, _turn_of(fields), pace)
        if not is_empty:
            workspace.agents.leave_turn(rest._asdict(), name)
            return False
        workspace.agents.forget_turn(name)
    return True


def _turn_of(fields: Mapping[str, object]) -> Turn:
    offset = fields.get("offset")
    return Turn(
        str(fields.get("session") or ""),
        str(fields.get("text") or ""),
        str(fields.get("transcript") or ""),
        offset if isinstance(offset, int) and offset >= 0 else 0,
    )


def _recorded(workspace: Workspace, turn: Turn, pace: _Pace) -> tuple[Turn, bool]:
    """A turn after as much of it was recorded as fits the time, and whether nothing is left."""
    if not turn.transcript:
        return turn, _is_added(workspace, turn.session, turn.text, pace)
    until = monotonic() + pace.seconds
    while True:
        text, end = _part(turn, pace.part_bytes)
        if end == turn.offset:
            return turn, True
        if not _is_added(workspace, turn.session, text, pace):
            return turn, False
        turn = turn._replace(offset=end)
        if monotonic() > until:
            return turn, False


def _is_added(workspace: Workspace, session: str, text: str, pace: _Pace) -> bool:
    try:
        if text:
            workspace.session(session).record(text, wait_ms=pace.lock_ms)
    except LockedError:
        return False
    except MemwikiError:
        pass  # what cannot be recorded now cannot be later
    return True


def _turn(event: Event, state: HookState, kept: Mapping[str, object]) -> Turn:
    """Prompts and their reply as JSON lines; each is told once, so that its name may be drawn."""
    prompts, own = _prompts(kept), without_secrets(event.prompt)
    prompts += [own] if own not in prompts else []
    messages = [*(("user", each) for each in prompts), ("assistant", without_secrets(event.reply))]
    name = os.urandom(8).hex()
    lines = (
        json.dumps({"role": role, "content": text, "id": f"{name}-{number}"}) + "\n"
        for number, (role, text) in enumerate(messages)
        if text.strip()
    )
    return Turn(state.session_id, "".join(lines))


def _transcript(event: Event, state: HookState, kept: Mapping[str, object]) -> Turn:
    """A transcript from where the last turn ended; from its start when it is another one now."""
    found = {"session": state.session_id, "transcript": event.transcript}
    turn = _turn_of({**found, "offset": kept.get("offset")})
    try:
        is_shorter = Path(turn.transcript).stat().st_size < turn.offset
    except (OSError, ValueError):
        is_shorter = False
    return turn._replace(offset=0) if is_shorter else turn


def _part(turn: Turn, most: int) -> tuple[str, int]:
    """The next whole lines of a transcript, and where they end."""
    try:
        if not Path(turn.transcript).is_file():  # a pipe would be waited for
            return "", turn.offset
        with Path(turn.transcript).open("rb") as file:
            file.seek(turn.offset)
            data = file.read(most)
            if b"\n" not in data and len(data) == most:
                data += file.readline(_MAX_LINE_BYTES)
                if not data.endswith(b"\n"):
                    return "", _behind_line(file, turn.offset)
    except (OSError, ValueError):
        return "", turn.offset
    whole = data[: data.rfind(b"\n") + 1]
    return whole.decode("utf-8", "replace"), turn.offset + len(whole)


def _behind_line(file: BinaryIO, start: int) -> int:
    """Behind a line that is too long to be kept; where it starts while it is not whole."""
    while data := file.readline(_MAX_LINE_BYTES):
        if data.endswith(b"\n"):
            return file.tell()
    return start
