"""From the text of an export to its conversations, in whichever format it is.

Messages may also be plain JSON objects: a line each, a list, or what `session show --json` prints.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from memwiki.adapter_api import UsageError, counted, fitting_id
from memwiki.adapters.importers.chat_exports import (
    MAX_TEXT,
    Value,
    is_chatgpt,
    is_claude,
    is_claude_code,
    moment,
    read_chatgpt,
    read_claude,
    read_claude_code,
    record,
    rows,
    text_of,
    word,
)
from memwiki.importing import ConversationExport, ExportedConversation, ExportedMessage

_SHAPES = "a ChatGPT or Claude conversations.json, a Claude Code transcript, or JSON lines"
_TIMES = ("time", "timestamp", "created_at", "at")


def read_export(text: str, name: str) -> ConversationExport:
    """The conversations of an export; `name` is the id for messages that do not name theirs.

    Raises UsageError when there are none.
    """
    values, unread = _values(text)
    every = _conversations(values, name)
    found = [each._replace(messages=[m for m in each.messages if m.text.strip()]) for each in every]
    found = [each for each in found if each.messages]
    if not found:
        raise UsageError("import: holds no conversation", f"give {_SHAPES}")
    notes = [f"{counted(unread, 'line')} could not be read"] if unread else []
    long = sum(len(each.text) > MAX_TEXT for one in found for each in one.messages)
    if long:
        notes.append(f"{counted(long, 'text')} cut after {MAX_TEXT} characters")
    bounded = [each._replace(messages=list(map(_cut, each.messages))) for each in found]
    return ConversationExport(bounded, notes)


def _cut(message: ExportedMessage) -> ExportedMessage:
    rest = len(message.text) - MAX_TEXT
    if rest <= 0:
        return message
    return message._replace(text=f"{message.text[:MAX_TEXT]}\n\n[{rest} more characters]")


def _conversations(
    values: Sequence[Mapping[str, Value]], name: str
) -> Iterator[ExportedConversation]:
    """Conversations that stand for themselves, then what single lines make."""
    for value in values:
        if is_chatgpt(value):
            yield read_chatgpt(value)
        elif is_claude(value):
            yield read_claude(value)
        elif any(map(_is_message, map(record, rows(value.get("messages"))))):
            yield _conversation(value, name)
    lines = [value for value in values if is_claude_code(value)]
    yield from read_claude_code(lines)
    plain = [value for value in values if _is_message(value) and not is_claude_code(value)]
    if plain:
        yield _of_messages(plain, name)


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


# --- plain messages ---


def _is_message(value: Mapping[str, Value]) -> bool:
    return isinstance(value.get("role"), str) and ("content" in value or "text" in value)


def _conversation(value: Mapping[str, Value], name: str) -> ExportedConversation:
    """An object that holds messages, and may have an id."""
    messages = filter(_is_message, map(record, rows(value.get("messages"))))
    found = _of_messages(messages, word(value.get("id")) or name)
    return found._replace(started=moment(value.get("started")) or found.started)


def _of_messages(values: Iterable[Mapping[str, Value]], name: str) -> ExportedConversation:
    messages = tuple(_messages(values))
    started = next((each.time for each in messages if each.time), "")
    return ExportedConversation(fitting_id(name), messages, started=started)


def _messages(values: Iterable[Mapping[str, Value]]) -> Iterator[ExportedMessage]:
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
        yield ExportedMessage(key, role, text, time, name)
