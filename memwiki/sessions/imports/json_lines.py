"""Messages as plain JSON objects: a line each, a list, or what `session show --json` prints."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from memwiki.sessions.imports.conversation import (
    Conversation,
    Said,
    Value,
    moment,
    record,
    rows,
    text_of,
    word,
)
from memwiki.sessions.paths import fitting_id

_TIMES = ("time", "timestamp", "created_at", "at")


def is_message(value: Mapping[str, Value]) -> bool:
    """Whether this is a message."""
    return isinstance(value.get("role"), str) and ("content" in value or "text" in value)


def is_conversation(value: Mapping[str, Value]) -> bool:
    """Whether this is an object that holds messages."""
    return any(is_message(record(each)) for each in rows(value.get("messages")))


def read_conversation(value: Mapping[str, Value], name: str) -> Conversation:
    """An object that holds messages, and may have an id."""
    messages = [record(each) for each in rows(value.get("messages"))]
    found = read_messages(filter(is_message, messages), word(value.get("id")) or name)
    return found._replace(started=moment(value.get("started")) or found.started)


def read_messages(values: Iterable[Mapping[str, Value]], name: str) -> Conversation:
    """Messages of one conversation."""
    said = tuple(_said(values))
    started = next((each.time for each in said if each.time), "")
    return Conversation(fitting_id(name), said, started=started)


def _said(values: Iterable[Mapping[str, Value]]) -> Iterator[Said]:
    """The messages; one without an id is known by what it says and how often it was said before."""
    seen = Counter[str]()
    for value in values:
        text = text_of(value["text"] if "text" in value else value.get("content"))
        time = next(filter(None, (moment(value.get(name)) for name in _TIMES)), "")
        role, name = word(value.get("role")) or "user", word(value.get("name"))
        key = word(value.get("id"))
        if not key:
            what = "\0".join((role, name, time, text))
            seen[what] += 1
            key = f"{what}\0{seen[what]}"
        yield Said(key, role, text, time, name)
