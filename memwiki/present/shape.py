"""The JSON Schema of an answer, from its type: what `as_json` gives, told before it is given."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from functools import reduce
from typing import Any, Literal, TypeAlias, get_args, get_origin, get_type_hints

from memwiki.present.plain import RENAMED

Shape: TypeAlias = "dict[str, Any]"
_NAMES: Mapping[object, str] = {str: "string", bool: "boolean", int: "integer", float: "number"}


def shape_of(*kinds: type) -> Shape:
    """One plain object that every answer of these types fits, without unions and references."""
    return reduce(_united, map(_record, kinds))


def _united(a: Shape, b: Shape) -> Shape:
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
    return {"type": "object", "properties": properties, "required": list(properties)}


def _fields_of(kind: object) -> Iterable[str]:
    found: Iterable[str] = getattr(kind, "_fields", getattr(kind, "__dataclass_fields__", ()))
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
