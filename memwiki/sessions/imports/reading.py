"""From the text of an export to its conversations, in whichever format it is."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from memwiki.errors import UsageError
from memwiki.numbers import counted
from memwiki.sessions.imports.chatgpt import is_chatgpt, read_chatgpt
from memwiki.sessions.imports.claude import is_claude, read_claude
from memwiki.sessions.imports.claude_code import is_claude_code, read_claude_code
from memwiki.sessions.imports.conversation import MAX_TEXT, Conversation, Said, Value, record, rows
from memwiki.sessions.imports.json_lines import (
    is_conversation,
    is_message,
    read_conversation,
    read_messages,
)

_SHAPES = "a ChatGPT or Claude conversations.json, a Claude Code transcript, or JSON lines"


class Export(NamedTuple):
    """What an export holds, and what the person should know of it."""

    conversations: Sequence[Conversation]
    notes: Sequence[str]


def read_export(text: str, name: str) -> Export:
    """The conversations of an export; `name` is the id for messages that do not name theirs.

    Raises UsageError when there are none.
    """
    values, unread = _values(text)
    found = [_bounded(each) for each in _conversations(values, name)]
    found = [each for each in found if each.said]
    if not found:
        raise UsageError("import: holds no conversation", hint=f"give {_SHAPES}")
    notes = [f"{counted(unread, 'line')} could not be read"] if unread else []
    long = sum(len(each.text) > MAX_TEXT for one in found for each in one.said)
    if long:
        notes.append(f"{counted(long, 'text')} cut after {MAX_TEXT} characters")
    return Export([each._replace(said=list(map(_cut, each.said))) for each in found], notes)


def _bounded(conversation: Conversation) -> Conversation:
    """A conversation without messages that say nothing."""
    said = [each for each in conversation.said if each.text.strip()]
    return conversation._replace(said=said)


def _cut(said: Said) -> Said:
    if len(said.text) <= MAX_TEXT:
        return said
    rest = len(said.text) - MAX_TEXT
    return said._replace(text=f"{said.text[:MAX_TEXT]}\n\n[{rest} more characters]")


def _conversations(values: Sequence[Mapping[str, Value]], name: str) -> Iterator[Conversation]:
    """Conversations that stand for themselves, then what single lines make."""
    for value in values:
        if is_chatgpt(value):
            yield read_chatgpt(value)
        elif is_claude(value):
            yield read_claude(value)
        elif is_conversation(value):
            yield read_conversation(value, name)
    lines = [value for value in values if is_claude_code(value)]
    yield from read_claude_code(lines)
    plain = [value for value in values if is_message(value) and not is_claude_code(value)]
    if plain:
        yield read_messages(plain, name)


def _values(text: str) -> tuple[list[Mapping[str, Value]], int]:
    """The JSON objects of a text, which is one value or has one on each line, and how many lines
    are none."""
    text = text.removeprefix("\ufeff")
    if text.lstrip()[:1] in ("[", "{") and (whole := _parsed(text)) is not None:
        listed = rows(whole) or rows(record(whole).get("conversations")) or [whole]
        return [record(each) for each in listed], 0
    lines = [line for line in text.split("\n") if line.strip()]
    found = [record(_parsed(line)) for line in lines]
    return [each for each in found if each], sum(not each for each in found)


def _parsed(text: str) -> Value:
    """A JSON value; None for what is none, or is nested too deeply."""
    try:
        value: Value = json.loads(text, parse_constant=lambda _: None)
    except (ValueError, RecursionError):
        return None
    return value
