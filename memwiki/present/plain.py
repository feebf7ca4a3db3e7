"""Answers and errors for programs: as JSON, one object on one line, keys in the order of the
fields; and rows, each filled into a template, or one such object a line.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from functools import reduce
from itertools import islice
from typing import (
    Any,
    Literal,
    NamedTuple,
    TypeAlias,
    TypeGuard,
    get_args,
    get_origin,
    get_type_hints,
)

from memwiki.errors import MemwikiError, UsageError
from memwiki.names import BIDI
from memwiki.present.terminal import as_path, line
from memwiki.records import FrozenRecord
from memwiki.text import pattern

Plain: TypeAlias = "str | int | float | list[Plain] | dict[str, Plain] | None"

_ATOMS = frozenset({str, int, float, bool, type(None)})
_PART = 1_000  # rows of a list that are made into text at once
# C1 controls, and what makes text run backwards.
_STEERING = f"[\x7f-\x9f{BIDI}]"
# By class: the fields with another key in JSON. `from` is a keyword in Python, so the ends of an
# edge have others.
RENAMED = {"GraphEdge": {"source": "from", "target": "to"}}
# By class: the fields that are left out where they are None.
UNSAID = {"Recall": frozenset({"vectors", "plan"}), "Status": frozenset({"vectors"})}
Shape: TypeAlias = "dict[str, Any]"
_NAMES: Mapping[object, str] = {str: "string", bool: "boolean", int: "integer", float: "number"}


def as_json(answer: object) -> str:
    """Give the answer as JSON text; characters of every script stand as they are."""
    return "".join(json_parts(answer))


def json_parts(answer: object) -> Iterator[str]:
    """The same piece by piece, so that a list of any length is in memory once."""
    if not isinstance(answer, FrozenRecord):
        yield _dumped(_plain(answer))
        return
    before = "{"
    unsaid = UNSAID.get(type(answer).__name__, ())
    for key in answer.__match_args__:
        if key in unsaid and getattr(answer, key) is None:
            continue
        yield f'{before}"{key}": '
        yield from _value_parts(getattr(answer, key))
        before = ", "
    yield "}"


def _value_parts(value: object) -> Iterator[str]:
    if not _is_list(value):
        yield _dumped(_plain(value))
        return
    rest, before = iter(value), "["
    while part := list(islice(rest, _PART)):
        yield before + _dumped(_plain(part))[1:-1]
        before = ", "
    yield "[]" if before == "[" else "]"


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
    fields = getattr(value, "__match_args__", None)
    if fields is not None:
        name = type(value).__name__
        renamed, unsaid = RENAMED.get(name, {}), UNSAID.get(name, ())
        values = value if isinstance(value, tuple) else [getattr(value, key) for key in fields]
        return {
            renamed.get(key, key): each if type(each) in _ATOMS else _plain(each)
            for key, each in zip(fields, values, strict=True)
            if each is not None or key not in unsaid
        }
    if _is_list(value):
        return [_plain(each) for each in value]
    return str(value)


def _is_list(value: object) -> TypeGuard[Sequence[object]]:
    is_text_or_record = isinstance(value, str) or hasattr(value, "_fields")
    return isinstance(value, Sequence) and not is_text_or_record


def shape_of(*kinds: type) -> Shape:
    """One plain object that every answer of these types fits, without unions and references."""
    return reduce(_unite, map(_record, kinds))


def _unite(a: Shape, b: Shape) -> Shape:
    """What fits either: the properties of both, each as wide as both say it, none needed alone."""
    ours, theirs = a["properties"], b["properties"]
    both = {
        name: shape if ours.get(name, shape) == shape else {}
        for name, shape in {**ours, **theirs}.items()
    }
    needed = [name for name in a["required"] if name in b["required"]]
    return {**a, "properties": both, "required": needed}


def _record(kind: type) -> Shape:
    renamed, hints = RENAMED.get(kind.__name__, {}), get_type_hints(kind)
    properties = {renamed.get(name, name): _value(hints[name]) for name in _fields_of(kind)}
    unsaid = UNSAID.get(kind.__name__, ())
    required = [name for name in properties if name not in unsaid]
    return {"type": "object", "properties": properties, "required": required}


def _fields_of(kind: object) -> Iterable[str]:
    found: Iterable[str] = getattr(kind, "__match_args__", ())
    return found


def _value(hint: object) -> Shape:
    if hint in _NAMES:
        return {"type": _NAMES[hint]}
    if isinstance(hint, type) and issubclass(hint, StrEnum):
        return {"type": "string", "enum": [str(each) for each in hint]}
    if isinstance(hint, type) and _fields_of(hint):
        return _record(hint)
    return _generic(get_origin(hint), get_args(hint))


def _generic(origin: object, inner: Sequence[object]) -> Shape:
    """Lists and maps; what may be null or several things is left open, as some programs take no
    lists of types."""
    if origin is Literal:
        return {"type": "string", "enum": list(inner)}
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return {"type": "object", "additionalProperties": _value(inner[1])}
    if isinstance(origin, type) and issubclass(origin, Sequence):
        kinds = [each for each in inner if each is not Ellipsis]
        return {"type": "array", "items": _value(kinds[0]) if len(kinds) == 1 else {}}
    return {}


# --- templates ---

# Names of fields and nothing else may stand in braces: no attribute, index, width or conversion.
_PIECES = pattern(r"\{\{|\}\}|\{([^{}]*)\}|\\[tn\\]|[^{}\\]+|.", re.DOTALL)
_LITERAL = {"{{": "{", "}}": "}", "\\t": "\t", "\\n": "\n", "\\\\": "\\"}
_PATHS = frozenset({"path", "source", "target"})
_MAX_SHOWN = 40  # characters of a name that nobody knows

RowForm = Callable[[object], str]  # gives a row as a line


class Piece(NamedTuple):
    """Some text of a template, or the name of a field."""

    text: str
    is_field: bool = False


def template_form(template: str, fields: Sequence[str]) -> RowForm:
    """What fills rows with these fields into a template; UsageError where it names another one."""
    pieces = tuple(_pieces(template, fields))
    return lambda row: "".join(
        _cell(each.text, getattr(row, each.text)) if each.is_field else each.text for each in pieces
    )


def _pieces(template: str, fields: Sequence[str]) -> Iterator[Piece]:
    for found in _PIECES.finditer(template):
        text, name = found[0], found[1]
        if name is not None:
            yield Piece(name if name in fields else _refuse(name, fields), is_field=True)
        elif text in ("{", "}"):
            raise UsageError(
                f"--format: a single {text}", f"write {text}{text} for a brace as text"
            )
        else:
            yield Piece(_LITERAL.get(text, text))


def _refuse(name: str, fields: Iterable[str]) -> str:
    said = line(name)[:_MAX_SHOWN]
    raise UsageError(
        f"--format: there is no field {{{said}}}",
        f"fields: {', '.join(f'{{{each}}}' for each in fields)}",
    )


def _cell(name: str, value: object) -> str:
    """A value on one line; a path as it is."""
    if isinstance(value, str):
        return as_path(value) if name in _PATHS else line(value)
    if value is None or isinstance(value, int | float):
        return "" if value is None else as_json(value)
    if isinstance(value, tuple | list) and all(isinstance(each, str) for each in value):
        return ", ".join(map(line, value))
    return as_json(value) if value else ""
