"""What agents' programs call in a conversation: memory comes in, what was said is kept."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, BinaryIO, NamedTuple, TypeAlias

from memwiki import MemwikiError
from memwiki.adapter_api import LockedError, without_secrets

if TYPE_CHECKING:
    from memwiki import Hit, Workspace
    from memwiki.adapter_api import HookState, PromptBlock

JsonObject: TypeAlias = Mapping[str, object]
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


def _text(fields: JsonObject, *names: str) -> str:
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


def _prompts(state: JsonObject) -> list[str]:
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


def _turn_of(fields: JsonObject) -> Turn:
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


def _turn(event: Event, state: HookState, kept: JsonObject) -> Turn:
    """Prompts and their reply as JSON lines; each is told once, so that its name may be drawn."""
    prompts, own = _prompts(kept), without_secrets(event.prompt)
    if own not in prompts:
        prompts.append(own)
    messages = [
        *(("user", each) for each in prompts),
        ("assistant", without_secrets(event.reply)),
    ]
    name = os.urandom(8).hex()
    lines = (
        json.dumps({"role": role, "content": text, "id": f"{name}-{number}"}) + "\n"
        for number, (role, text) in enumerate(messages)
        if text.strip()
    )
    return Turn(state.session_id, "".join(lines))


def _transcript(event: Event, state: HookState, kept: JsonObject) -> Turn:
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


START_TOKENS = 1_200
PROMPT_TOKENS = 600
_STALE = "memwiki: not fresh: pages that changed are still to be indexed; `memwiki sync` does it"
_NOTE_TOKENS = 40  # kept free for it
_MAX_HITS = 8
_MIN_WORD_CHARS, _MIN_CHINESE_CHARS = 12, 4  # characters of a prompt that is worth a look
_WIDE = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
# Less had no right answer to an English question of the sets of memories in benchmarks/, and three
# of seven prompts about something else that recall answers (2026-12-01).
_LEAST_SCORE, _LEAST_SHARE = 0.09, 0.8
_MAX_GIVEN = 2_000  # passages kept of a conversation
SECONDS = {"start": 3.0, "prompt": 3.0, "turn": 6.0, "compact": 6.0, "end": 1.5}  # of the wall
_CATCH_UP_SECONDS = 0.5  # of those that a program is made to wait
NO_INDEX = "there is no index yet; memwiki sync makes it"
_REPLIES = frozenset({"gemini", "cursor"})  # want an object even when there is nothing to say
_GOES_ON = "beforeSubmitPrompt"  # Cursor waits for leave


def lasting(workspace: Workspace, event: Event, state: HookState) -> str:
    """What is always worth knowing; nothing for a conversation that goes on. After a compaction
    the program knows no more what it was given."""
    if event.source == "resume" or not workspace.config.memory.auto_recall:
        return ""
    if state.get().get("given"):
        state.keep(given=[])
    return _block_text(workspace.prompt(budget=START_TOKENS - _NOTE_TOKENS))


def recall_new(workspace: Workspace, event: Event, state: HookState) -> str:
    """What answers a prompt and was not given yet; counted as recalled."""
    if not is_worth_a_look(event.prompt) or not workspace.config.memory.auto_recall:
        return ""
    answer = workspace.recall(event.prompt, limit=_MAX_HITS, record=False)
    if not answer.has_relevant or max(hit.score for hit in answer) < _least_score(event.prompt):
        return ""
    kept = state.get().get("given")
    given = [str(each) for each in kept] if isinstance(kept, list) else []
    own = state.session_id
    hits = tuple(hit for hit in answer if _mark(hit) not in given and own not in hit.path)
    if not hits:
        return ""
    most = PROMPT_TOKENS if answer.fresh else PROMPT_TOKENS - _NOTE_TOKENS
    block = workspace.prompt(answer._replace(hits=hits), budget=most, core=False)
    if block.hits:
        state.keep(given=[*given, *map(_mark, block.hits)][-_MAX_GIVEN:])
        workspace.note_recall(event.prompt, block)
    return _block_text(block) if block.hits else ""


def _least_score(prompt: str) -> float:
    """What the best hit has at least: one word in common is chance, as nobody asked for memories;
    of many words each has a smaller share. Of pairs of characters an answer may have one."""
    return 0.0 if _WIDE.search(prompt) else min(_LEAST_SCORE, _LEAST_SHARE / len(prompt.split()))


def _block_text(block: PromptBlock) -> str:
    """A block, and before it that the index is behind the files."""
    return block.text if block.fresh or not block.text else f"{_STALE}\n{block.text}"


def is_worth_a_look(prompt: str) -> bool:
    """Whether a prompt may ask for anything: no command, and some words."""
    text = prompt.strip()
    if text.startswith("/"):
        return False
    return len(text) >= _MIN_WORD_CHARS or len(_WIDE.findall(text)) >= _MIN_CHINESE_CHARS


def _mark(hit: Hit) -> str:
    """What tells a passage from all others, as far as it has an id; else where it is."""
    return hit.id or f"{hit.path}#{hit.line_start}"


def answer(
    opened: Callable[[], Workspace], moment: str, host: str, data: bytes, *, is_recording: bool
) -> str:
    """What to print for one event."""
    event = event_of(data)
    try:
        workspace = opened()
        try:
            text = _reply_text(workspace, moment, host, event, is_recording=is_recording)
        except Exception as error:
            workspace.agents.note_silence(host, moment, f"failed with {type(error).__name__}")
            raise
    except Exception:  # noqa: BLE001 - a conversation goes on whatever is wrong here
        text = ""
    return _reply(host, event, text)


def nothing(host: str, data: bytes) -> str:
    """What to print for an event when there is nothing to say."""
    return _reply(host, event_of(data), "")


def _reply_text(
    workspace: Workspace, moment: str, host: str, event: Event, *, is_recording: bool
) -> str:
    agents = workspace.agents
    state = agents.conversation(host, event.session)
    state.begin()
    workspace.index.sweep_for(_CATCH_UP_SECONDS)
    if moment in ("start", "prompt"):
        if moment == "prompt" and is_recording and not state.has_transcript:
            note_prompt(event, state)
        if not workspace.index.is_built():  # the first build is not for a hook
            agents.note_silence(host, moment, NO_INDEX)
            return ""
        tell = lasting if moment == "start" else recall_new
        return tell(workspace, event, state)
    record(workspace, event, state, is_last=moment == "end")
    if moment == "end":
        state.end()
        workspace.curation.session_ended(state.session_id)
    return ""


def _reply(host: str, event: Event, text: str) -> str:
    if event.name == _GOES_ON:
        return json.dumps({"continue": True})
    if not text:
        return "{}" if host in _REPLIES else ""
    output = {"hookEventName": event.name, "additionalContext": text}
    return json.dumps({"hookSpecificOutput": output}, ensure_ascii=False)
