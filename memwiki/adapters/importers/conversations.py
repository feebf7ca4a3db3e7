"""From the text of an export to its conversations: ChatGPT, Claude, Claude Code, and others.

ChatGPT and Claude export a conversations.json, of trees of messages and of lists of them; Claude
Code writes transcripts (~/.claude/projects/*/*.jsonl), a JSON object a line.


Messages may also be plain JSON objects: a line each, a list, or what `session show --json` prints.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from math import isfinite
from typing import TypeAlias

from memwiki.adapter_api import UsageError, counted, fitting_id, fitting_word, iso_date
from memwiki.importing import ConversationExport, ExportedConversation, ExportedMessage

# Neither said nor shown: what the program keeps for itself.
_INNER = frozenset(
    {"thoughts", "reasoning_recap", "model_editable_context", "user_editable_context"}
)
Value: TypeAlias = object  # of any JSON; what it is, is looked at before it is used
JsonObject: TypeAlias = Mapping[str, Value]
MAX_TEXT = 200_000  # characters of one message; of a longer one the beginning
_MAX_CALL = 4_000  # characters of what a tool was called with


def is_chatgpt(value: JsonObject) -> bool:
    """Whether this is a conversation of such an export."""
    return isinstance(value.get("mapping"), dict)


def read_chatgpt(value: JsonObject) -> ExportedConversation:
    """The branch of a conversation that its current node ends."""
    nodes = record(value.get("mapping"))
    id_ = word(value.get("conversation_id")) or word(value.get("id")) or next(iter(nodes), "")
    return ExportedConversation(
        fitting_id("chatgpt", id_),
        tuple(filter(None, (_of_node(node, nodes) for node in _branch(value, nodes)))),
        word(value.get("title")),
        moment(value.get("create_time")),
        "chatgpt",
    )


def _branch(value: JsonObject, nodes: JsonObject) -> list[str]:
    """The nodes from the root to the current one, each once though parents may form a ring."""
    node = value.get("current_node")
    if not isinstance(node, str) or not record(nodes.get(node)):  # the last leaf
        known = ((name, record(each)) for name, each in nodes.items())
        leaves = [name for name, each in known if each and not _children(each, nodes)]
        node = next(reversed(leaves), "")
    path: dict[str, None] = {}
    while isinstance(node, str) and node in nodes and node not in path:
        path[node] = None
        node = record(nodes[node]).get("parent")
    return list(reversed(path))


def _children(node: JsonObject, nodes: JsonObject) -> list[JsonObject]:
    """Those that can be read."""
    return [*filter(None, (record(nodes.get(word(name))) for name in rows(node.get("children"))))]


def _of_node(node: str, nodes: JsonObject) -> ExportedMessage | None:
    message = record(record(nodes[node]).get("message"))
    author, content = record(message.get("author")), record(message.get("content"))
    is_hidden = record(message.get("metadata")).get("is_visually_hidden_from_conversation")
    if is_hidden is True or word(content.get("content_type")) in _INNER:
        return None
    return ExportedMessage(
        word(message.get("id")) or node,
        word(author.get("role")) or "user",
        "\n\n".join(filter(None, _parts(content))),
        moment(message.get("create_time")),
        word(author.get("name")),
    )


def _parts(content: JsonObject) -> Iterator[str]:
    yield sound(content.get("text")) or sound(content.get("result"))
    for part in rows(content.get("parts")):
        kind = word(record(part).get("content_type")).partition("_asset")[0]
        yield sound(part) or sound(record(part).get("text")) or (f"[{kind}]" if kind else "")


def is_claude(value: JsonObject) -> bool:
    """Whether this is a conversation of such an export."""
    return isinstance(value.get("chat_messages"), list)


def read_claude(value: JsonObject) -> ExportedConversation:
    """A conversation with all its messages."""
    written = enumerate(map(record, rows(value.get("chat_messages"))))
    messages = tuple(each for i, message in written for each in _of_claude(message, i))
    return ExportedConversation(
        fitting_id("claude", word(value.get("uuid")) or word(value.get("name"))),
        messages,
        word(value.get("name")),
        moment(value.get("created_at")),
        "claude",
    )


def _of_claude(message: JsonObject, number: int) -> Iterator[ExportedMessage]:
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


def is_claude_code(value: JsonObject) -> bool:
    """Whether this is a line of such a transcript; not all of them say something."""
    return isinstance(value.get("sessionId"), str) or (
        value.get("type") in ("summary", "file-history-snapshot") and "role" not in value
    )


def read_claude_code(lines: Iterable[JsonObject]) -> Iterator[ExportedConversation]:
    """The sessions of a transcript, without what the program or its helpers said to themselves."""
    sessions: dict[str, list[ExportedMessage]] = {}
    for number, line in enumerate(lines):
        if line.get("type") in ("user", "assistant"):
            sessions.setdefault(word(line.get("sessionId")), []).extend(_of_line(line, number))
    for session, messages in sessions.items():
        started = next((each.time for each in messages if each.time), "")
        id_ = fitting_id("claude-code", session)
        yield ExportedConversation(id_, messages, started=started, origin="claude-code")


def _of_line(line: JsonObject, number: int) -> Iterator[ExportedMessage]:
    if line.get("isMeta") is True or line.get("isSidechain") is True:
        return
    message = record(line.get("message"))
    role = word(message.get("role")) or word(line.get("type"))
    if line.get("isCompactSummary") is True:
        role = "system"
    key = word(line.get("uuid")) or str(number)
    yield from blocks(key, role, message.get("content"), moment(line.get("timestamp")))


def record(value: Value) -> JsonObject:
    """A JSON object; an empty one for anything else."""
    return value if isinstance(value, dict) else {}


def rows(value: Value) -> Sequence[Value]:
    """A JSON list; an empty one for anything else."""
    return value if isinstance(value, list) else ()


def word(value: Value) -> str:
    """A JSON text in one line, as a heading can hold it; "" for anything else."""
    return fitting_word(sound(value))


def sound(value: Value) -> str:
    """A JSON text with halves of characters joined or replaced; "" for anything else."""
    if not isinstance(value, str):
        return ""
    return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def moment(value: Value) -> str:
    """A time as exported, in seconds since 1970 or as text; "" when it is none."""
    if isinstance(value, str):
        found = iso_date(value)
        return found if "T" in found else ""
    if isinstance(value, bool) or not isinstance(value, int | float) or not isfinite(value):
        return ""
    try:
        found = datetime.fromtimestamp(int(value), tz=UTC).isoformat()
    except (ValueError, OverflowError, OSError):
        return ""
    return found.replace("+00:00", "Z")


def blocks(key: str, role: str, content: Value, time: str) -> Iterator[ExportedMessage]:
    """What a message says that is a text or a list of blocks: its texts and calls of tools as one
    message, and each result of a tool as one of its own."""
    if isinstance(content, str):
        yield ExportedMessage(key, role, sound(content), time)
        return
    parts: list[str] = []
    results = 0
    for block in map(record, rows(content)):
        if block.get("type") == "tool_result":
            results += 1
            yield ExportedMessage(f"{key}/{results}", "tool", text_of(block.get("content")), time)
        else:
            parts.append(_block_text(block))
    yield ExportedMessage(key, role, "\n\n".join(filter(None, parts)), time)


def text_of(content: Value) -> str:
    """The text of what is a text or a list of blocks."""
    if isinstance(content, str):
        return sound(content)
    return "\n\n".join(filter(None, map(_block_text, map(record, rows(content)))))


def _block_text(block: JsonObject) -> str:
    """What a block of a message says; of what is no text, its kind; nothing of thoughts."""
    kind = word(block.get("type"))
    if kind in ("text", "input_text", "output_text") or (not kind and "text" in block):
        return sound(block.get("text"))
    if kind == "tool_use":
        given = _as_json(block.get("input"))
        return f"[{word(block.get('name')) or 'tool'}] {given}"
    return "" if kind in ("thinking", "redacted_thinking", "") else f"[{kind}]"


def _as_json(value: Value) -> str:
    try:
        text = sound(json.dumps(value, ensure_ascii=False))
    except (ValueError, RecursionError):
        return "..."
    return text if len(text) <= _MAX_CALL else f"{text[:_MAX_CALL]}..."


_SHAPES = "a ChatGPT or Claude conversations.json, a Claude Code transcript, or JSON lines"
_TIMES = ("time", "timestamp", "created_at", "at")


def read_export(text: str, name: str) -> ConversationExport:
    """The conversations of an export; `name` is the id for messages that do not name theirs.

    Raises UsageError when there are none.
    """
    values, notes = _values(text)
    every = _conversations(values, name)
    found = [each._replace(messages=[m for m in each.messages if m.text.strip()]) for each in every]
    found = [each for each in found if each.messages]
    if not found:
        raise UsageError("import: holds no conversation", f"give {_SHAPES}")
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


def _conversations(values: Sequence[JsonObject], name: str) -> Iterator[ExportedConversation]:
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


def _values(text: str) -> tuple[list[JsonObject], list[str]]:
    """The JSON objects of a text, which is one value or has one on each line, and how many of it
    could not be read."""
    text = text.removeprefix("\ufeff")
    if text.lstrip()[:1] in ("[", "{") and (whole := _parsed(text)) is not None:
        listed = rows(whole) or rows(record(whole).get("conversations")) or [whole]
        values = [record(each) for each in listed]
        return values, _unread(sum(map(_is_strange, values)), "conversation")
    lines = [line for line in text.split("\n") if line.strip()]
    found = [record(_parsed(line)) for line in lines]
    return [each for each in found if each], _unread(sum(not each for each in found), "line")


def _unread(count: int, noun: str) -> list[str]:
    return [f"{counted(count, noun)} could not be read"] if count else []


def _is_strange(value: JsonObject) -> bool:
    """Whether it is neither a conversation, empty ones too, nor a message."""
    known = (is_chatgpt, is_claude, is_claude_code, _is_message)
    has_messages = isinstance(value.get("messages"), list)
    return not (has_messages or any(each(value) for each in known))


def _parsed(text: str) -> Value:
    """A JSON value; None for what is none, or is nested too deeply."""
    try:
        value: Value = json.loads(text, parse_constant=lambda _: None)
    except (ValueError, RecursionError):
        return None
    return value


# --- plain messages ---


def _is_message(value: JsonObject) -> bool:
    return isinstance(value.get("role"), str) and ("content" in value or "text" in value)


def _conversation(value: JsonObject, name: str) -> ExportedConversation:
    """An object that holds messages, and may have an id."""
    messages = filter(_is_message, map(record, rows(value.get("messages"))))
    found = _of_messages(messages, word(value.get("id")) or name)
    return found._replace(started=moment(value.get("started")) or found.started)


def _of_messages(values: Iterable[JsonObject], name: str) -> ExportedConversation:
    messages = tuple(_messages(values))
    started = next((each.time for each in messages if each.time), "")
    return ExportedConversation(fitting_id(name), messages, started=started)


def _messages(values: Iterable[JsonObject]) -> Iterator[ExportedMessage]:
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
