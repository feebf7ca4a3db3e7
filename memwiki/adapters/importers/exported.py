"""What exports of conversations say, as texts that are safe to write."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from math import isfinite
from typing import TypeAlias

from memwiki.adapter_api import (
    fitting_word,
    iso_date,
)
from memwiki.importing import ExportedMessage

Value: TypeAlias = object  # of any JSON; what it is, is looked at before it is used
MAX_TEXT = 200_000  # characters of one message; of a longer one the beginning
_MAX_CALL = 4_000  # characters of what a tool was called with


def record(value: Value) -> Mapping[str, Value]:
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


def _block_text(block: Mapping[str, Value]) -> str:
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
