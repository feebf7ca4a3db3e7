"""Arguments against the schema of a tool, refused in the words of the reference server."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from memwiki.doors.reference_memory.table import Schema, Tool
from memwiki.model import Json

_MISSING = object()


def why_refused(tool: Tool, arguments: Mapping[str, Json]) -> str:
    """What is said of arguments that do not fit; "" of those that do."""
    wrong = list(_wrong(tool.input_schema, dict(arguments), ""))
    if not wrong:
        return ""
    head = f"MCP error -32602: Input validation error: Invalid arguments for tool {tool.name}: "
    return head + "\n".join(wrong)


def _wrong(schema: Schema, value: object, place: str) -> Iterator[str]:
    """What is wrong with a value, at any depth; names that the schema lacks are not looked at."""
    expected, received = schema["type"], _kind(value)
    if received != expected:
        at = f" at {place.removeprefix('.')}" if place else ""
        yield f"Invalid input: expected {expected}, received {received}{at}"
    elif isinstance(value, list):
        for number, each in enumerate(value):
            yield from _wrong(schema["items"], each, f"{place}[{number}]")
    elif isinstance(value, dict):
        for name, each in schema["properties"].items():
            yield from _wrong(each, value.get(name, _MISSING), f"{place}.{name}")


def _kind(value: object) -> str:
    if value is _MISSING:
        return "undefined"
    if value is None or isinstance(value, bool):
        return "null" if value is None else "boolean"
    kinds = {str: "string", list: "array", dict: "object"}
    return next((name for kind, name in kinds.items() if isinstance(value, kind)), "number")
