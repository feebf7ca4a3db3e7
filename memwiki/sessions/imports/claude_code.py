"""Transcripts of Claude Code (~/.claude/projects/*/*.jsonl): a JSON object a line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from memwiki.sessions.imports.conversation import (
    Conversation,
    Said,
    Value,
    blocks,
    moment,
    record,
    word,
)
from memwiki.sessions.paths import fitting_id


def is_claude_code(value: Mapping[str, Value]) -> bool:
    """Whether this is a line of such a transcript; not all of them say something."""
    return isinstance(value.get("sessionId"), str) or (
        value.get("type") in ("summary", "file-history-snapshot") and "role" not in value
    )


def read_claude_code(lines: Iterable[Mapping[str, Value]]) -> Iterator[Conversation]:
    """The sessions of a transcript, without what the program or its helpers said to themselves."""
    said: dict[str, list[Said]] = {}
    for number, line in enumerate(lines):
        if line.get("type") in ("user", "assistant"):
            said.setdefault(word(line.get("sessionId")), []).extend(_said(line, number))
    for session, messages in said.items():
        started = next((each.time for each in messages if each.time), "")
        id_ = fitting_id("claude-code", session)
        yield Conversation(id_, messages, started=started, origin="claude-code")


def _said(line: Mapping[str, Value], number: int) -> Iterator[Said]:
    if line.get("isMeta") is True or line.get("isSidechain") is True:
        return
    message = record(line.get("message"))
    role = word(message.get("role")) or word(line.get("type"))
    if line.get("isCompactSummary") is True:
        role = "system"
    key = word(line.get("uuid")) or str(number)
    yield from blocks(key, role, message.get("content"), moment(line.get("timestamp")))
