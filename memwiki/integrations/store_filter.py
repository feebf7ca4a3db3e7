"""Which values and namespaces a filter of LangGraph means; pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from operator import eq, ge, gt, le, lt, ne
from typing import Any

_SAME = {"$eq": eq, "$ne": ne}
_ORDER = {"$gt": gt, "$gte": ge, "$lt": lt, "$lte": le}


def is_match(value: Mapping[str, Any], wanted: Mapping[str, Any]) -> bool:
    """Whether every field that is asked for is as it should be."""
    return all(_fits(_at(value, key), each) for key, each in wanted.items())


def _at(value: Mapping[str, Any], key: str) -> Any:  # noqa: ANN401 - any JSON
    """The value of a field, or of one within others whose names stand before it with dots."""
    if key in value:
        return value[key]
    first, dot, rest = key.partition(".")
    inner = value.get(first) if dot else None
    return _at(inner, rest) if isinstance(inner, dict) else None


def is_namespace(namespace: tuple[str, ...], conditions: Iterable[Any]) -> bool:
    """Whether a namespace begins and ends as is asked; `*` is any label."""
    return all(_is_part(namespace, each.match_type, each.path) for each in conditions)


def _is_part(namespace: tuple[str, ...], kind: str, path: tuple[str, ...]) -> bool:
    if kind not in ("prefix", "suffix"):
        raise ValueError(f"Unsupported match type: {kind}")
    part = namespace[: len(path)] if kind == "prefix" else namespace[-len(path) or None :]
    is_long = len(namespace) >= len(path)
    return is_long and all(p in ("*", n) for n, p in zip(part, path, strict=False))


def _fits(value: Any, wanted: Any) -> bool:  # noqa: ANN401 - any JSON
    if isinstance(wanted, dict):
        if any(key.startswith("$") for key in wanted):
            return all(_compared(value, sign, other) for sign, other in wanted.items())
        return isinstance(value, dict) and is_match(value, wanted)
    if isinstance(wanted, list | tuple):
        is_list = isinstance(value, list) and len(value) == len(wanted)
        return is_list and all(map(_fits, value, wanted))
    return bool(value == wanted)


def _compared(value: Any, sign: str, other: Any) -> bool:  # noqa: ANN401
    if sign in _SAME:
        return bool(_SAME[sign](value, other))
    if sign not in _ORDER:
        raise ValueError(f"Unsupported operator: {sign}")
    try:
        return bool(_ORDER[sign](float(value), float(other)))
    except (TypeError, ValueError):
        return False  # a value without this field, or with a word in it, is not larger
