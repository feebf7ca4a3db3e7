"""What a hook keeps of a conversation, where a person asked for it with --capture."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, BinaryIO, NamedTuple

from memwiki.doors.hooks.event import Event
from memwiki.errors import LockedError, MemwikiError
from memwiki.secrets import without_secrets

if TYPE_CHECKING:
    from memwiki.workspace import Workspace
    from memwiki.workspace.agents import HookState

_PART_BYTES = 4_000_000  # of a transcript, at once
_MOST_LINE_BYTES = 32_000_000  # a longer line is passed over
_MOST_PROMPTS = 50  # that got no reply
_LOCK_MS, _LAST_LOCK_MS = 1_000, 300  # how long the lock of the workspace is waited for
_SECONDS, _LAST_SECONDS = 4.0, 0.6  # how long parts are read; programs wait 10 and 1.5 seconds


class Turn(NamedTuple):
    """What is to be recorded: lines of JSON, or a transcript from an offset on."""

    session: str
    text: str = ""
    transcript: str = ""
    offset: int = 0


class _Pace(NamedTuple):
    until: float  # by the monotonic clock
    lock_ms: int


def note_prompt(event: Event, state: HookState) -> None:
    """Keep a prompt until its reply comes."""
    noted = state.get().get("prompts")
    held = noted if isinstance(noted, list) else []
    if event.prompt:
        state.keep(prompts=[*held, without_secrets(event.prompt)][-_MOST_PROMPTS:])


def record(workspace: Workspace, event: Event, state: HookState, *, is_last: bool) -> None:
    """Add what was said since the last turn to the session of this conversation, after what found
    the workspace locked before; what is not recorded now is left for the next hook."""
    if event.is_stopping or not workspace.config.memory.auto_save or not event.session:
        return
    pace = _Pace(monotonic() + _SECONDS, _LOCK_MS)
    if is_last:
        pace = _Pace(monotonic() + _LAST_SECONDS, _LAST_LOCK_MS)
    has_transcript = bool(state.has_transcript and event.transcript)
    held, is_free = state.get(), _record_left(workspace, pace)
    rest = _transcript(event, state, held) if has_transcript else _turn(event, state, held)
    is_done = False
    if is_free:
        rest, is_done = _recorded(workspace, rest, pace)
    if has_transcript and not is_last:
        state.keep(offset=rest.offset)  # what follows, the next turn tells
        return
    if not is_done:
        workspace.agents.leave_turn(rest._asdict())
    if not has_transcript:
        state.keep(prompts=[])


def _record_left(workspace: Workspace, pace: _Pace) -> bool:
    """Record what other hooks left; whether all of it could be."""
    for name, fields in workspace.agents.left_turns():
        rest, is_done = _recorded(workspace, _turn_of(fields), pace)
        if not is_done:
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
    """What of a turn is left after as much was recorded as fits the time, and whether that is
    nothing."""
    if not turn.transcript:
        return turn, not turn.text or _is_added(workspace, turn.session, turn.text, pace)
    while True:
        text, end = _part(turn)
        if end == turn.offset:
            return turn, True
        if text and not _is_added(workspace, turn.session, text, pace):
            return turn, False
        turn = turn._replace(offset=end)
        if monotonic() > pace.until:
            return turn, False


def _is_added(workspace: Workspace, session: str, text: str, pace: _Pace) -> bool:
    try:
        workspace.session(session).record(text, wait_ms=pace.lock_ms)
    except LockedError:
        return False
    except MemwikiError:
        pass  # what cannot be recorded now cannot be later
    return True


def _turn(event: Event, state: HookState, held: Mapping[str, object]) -> Turn:
    """Prompts and their reply as JSON lines; each is told once, so that its name may be drawn."""
    noted = held.get("prompts")
    prompts = [str(each) for each in noted] if isinstance(noted, list) else []
    own, reply = without_secrets(event.prompt), without_secrets(event.reply)
    prompts += [own] if own not in prompts else []
    said = [("user", each) for each in prompts]
    name = os.urandom(8).hex()
    lines = (
        json.dumps({"role": role, "content": text, "id": f"{name}-{number}"}) + "\n"
        for number, (role, text) in enumerate([*said, ("assistant", reply)])
        if text.strip()
    )
    return Turn(state.session_id, "".join(lines))


def _transcript(event: Event, state: HookState, held: Mapping[str, object]) -> Turn:
    """A transcript from where the last turn ended; from its start when it is another one now."""
    found = {"session": state.session_id, "transcript": event.transcript}
    turn = _turn_of({**found, "offset": held.get("offset")})
    try:
        is_shorter = Path(turn.transcript).stat().st_size < turn.offset
    except (OSError, ValueError):
        is_shorter = False
    return turn._replace(offset=0) if is_shorter else turn


def _part(turn: Turn) -> tuple[str, int]:
    """The next whole lines of a transcript, and where they end."""
    try:
        with Path(turn.transcript).open("rb") as file:
            file.seek(turn.offset)
            data = file.read(_PART_BYTES)
            if b"\n" not in data and len(data) == _PART_BYTES:
                data += file.readline(_MOST_LINE_BYTES)
                if not data.endswith(b"\n"):
                    return "", _behind_line(file, turn.offset)
    except (OSError, ValueError):
        return "", turn.offset
    whole = data[: data.rfind(b"\n") + 1]
    return whole.decode("utf-8", "replace"), turn.offset + len(whole)


def _behind_line(file: BinaryIO, start: int) -> int:
    """Behind a line that is too long to be kept; where it starts while it is not whole."""
    while data := file.readline(_PART_BYTES):
        if data.endswith(b"\n"):
            return file.tell()
    return start
