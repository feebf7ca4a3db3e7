"""What a hook brings into a conversation: the lasting part at its start, then what a prompt
recalls, nothing twice."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from memwiki.adapters.hosts.hooks.recording import Event, event_of

if TYPE_CHECKING:
    from memwiki import (
        Hit,
        Workspace,
    )
    from memwiki.adapter_api import (
        HookState,
        PromptBlock,
    )

START_TOKENS = 1_200
PROMPT_TOKENS = 600
_STALE = "memwiki: not fresh: pages that changed are still to be indexed; `memwiki sync` does it"
_NOTE_TOKENS = 40  # kept free for it
_MAX_HITS = 8
_MIN_WORD_CHARS, _MIN_CHINESE_CHARS = 12, 4  # characters of a prompt that is worth a look
_WIDE = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_MAX_GIVEN = 2_000  # passages kept of a conversation
SECONDS = {"start": 3.0, "prompt": 3.0, "turn": 6.0, "compact": 6.0, "end": 1.5}  # of the wall
_CATCH_UP_SECONDS = 0.5  # of those that a program is made to wait
NO_INDEX = "there is no index yet; memwiki sync makes it"
_REPLIES = frozenset({"gemini", "cursor"})  # want an object even when there is nothing to say
_GOES_ON = "beforeSubmitPrompt"  # Cursor waits for leave


def lasting(workspace: Workspace, event: Event) -> str:
    """What is always worth knowing; nothing for a conversation that goes on."""
    if event.source == "resume" or not workspace.config.memory.auto_recall:
        return ""
    return _block_text(workspace.prompt(budget=START_TOKENS - _NOTE_TOKENS))


def recalled(workspace: Workspace, event: Event, state: HookState) -> str:
    """What answers a prompt and was not given yet; counted as recalled."""
    if not is_worth_a_look(event.prompt) or not workspace.config.memory.auto_recall:
        return ""
    answer = workspace.recall(event.prompt, limit=_MAX_HITS, record=False)
    if not answer.has_relevant:
        return ""
    kept = state.get().get("given")
    given = [str(each) for each in kept] if isinstance(kept, list) else []
    own = state.session_id
    hits = tuple(hit for hit in answer if _mark(hit) not in given and own not in hit.path)
    if not hits:
        return ""
    most = PROMPT_TOKENS if answer.fresh else PROMPT_TOKENS - _NOTE_TOKENS
    block = workspace.prompt(replace(answer, hits=hits), budget=most, core=False)
    if block.hits:
        state.keep(given=[*given, *map(_mark, block.hits)][-_MAX_GIVEN:])
        workspace.note_recall(event.prompt, block)
    return _block_text(block) if block.hits else ""


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
        workspace.curation.session_ended(state.session_id)
    return ""


def _reply(host: str, event: Event, text: str) -> str:
    if event.name == _GOES_ON:
        return json.dumps({"continue": True})
    if not text:
        return "{}" if host in _REPLIES else ""
    output = {"hookEventName": event.name, "additionalContext": text}
    return json.dumps({"hookSpecificOutput": output}, ensure_ascii=False)
