"""Answers and errors as JSON, one object on one line, keys in the order of the fields."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import TypeAlias

from memwiki.errors import MemwikiError
from memwiki.names import BIDI

Plain: TypeAlias = "str | int | float | list[Plain] | dict[str, Plain] | None"

# C1 controls, and what makes text run backwards.
_STEERING = f"[\x7f-\x9f{BIDI}]"
# By class: the fields with another key in JSON. `from` is a keyword in Python, so the ends of an
# edge have others.
RENAMED = {"GraphEdge": {"source": "from", "target": "to"}}


def as_json(answer: object) -> str:
    """Give the answer as JSON text; characters of every script stand as they are."""
    return _dumped(_plain(answer))


def _dumped(plain: object) -> str:
    """JSON in which nothing steers a terminal: json itself escapes only what lies below a blank."""
    text = json.dumps(plain, ensure_ascii=False)
    return re.sub(_STEERING, lambda found: f"\\u{ord(found[0]):04x}", text)


def error_as_json(error: MemwikiError) -> str:
    """Give a failure as the object that every failing command prints."""
    return _dumped(
        {
            "error": {
                "code": error.code,
                "message": error.message,
                "hint": error.hint,
                "recoverable": error.is_recoverable,
                "path": error.path,
                "line": error.line,
                "candidates": list(error.candidates),
            }
        }
    )


def _plain(value: object) -> Plain:
    if value is None or isinstance(value, str | int | float):
        return value
    if isinstance(value, Mapping):
        return {str(key): _plain(each) for key, each in value.items()}
    fields = getattr(value, "_fields", None) or getattr(value, "__dataclass_fields__", None)
    if fields is not None:
        renamed = RENAMED.get(type(value).__name__, {})
        return {renamed.get(key, key): _plain(getattr(value, key)) for key in fields}
    if isinstance(value, list | tuple):
        return [_plain(each) for each in value]
    return str(value)
