"""conversations.json of a Claude export: messages of human and assistant, in order."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from memwiki.sessions.imports.conversation import (
    Conversation,
    Said,
    Value,
    blocks,
    moment,
    record,
    rows,
    sound,
    word,
)
from memwiki.sessions.paths import fitting_id


def is_claude(value: Mapping[str, Value]) -> bool:
    """Whether this is a conversation of such an export."""
    return isinstance(value.get("chat_messages"), list)


def read_claude(value: Mapping[str, Value]) -> Conversation:
    """A conversation with all its messages."""
    messages = map(record, rows(value.get("chat_messages")))
    said = tuple(each for i, message in enumerate(messages) for each in _said(message, i))
    return Conversation(
        fitting_id("claude", word(value.get("uuid")) or word(value.get("name"))),
        said,
        word(value.get("name")),
        moment(value.get("created_at")),
        "claude",
    )


def _said(message: Mapping[str, Value], number: int) -> Iterator[Said]:
    sender = word(message.get("sender"))
    role = "user" if sender == "human" else sender or "assistant"
    key = word(message.get("uuid")) or str(number)
    content = rows(message.get("content")) or sound(message.get("text"))
    *results, text = blocks(key, role, content, moment(message.get("created_at")))
    files = (*rows(message.get("attachments")), *rows(message.get("files")))
    names = (word(record(each).get("file_name")) for each in files)
    named = [f"[attachment {name}]" for name in names if name]
    yield from results
    yield text._replace(text="\n\n".join(filter(None, (text.text, *named))))
