"""Schemas of arguments as plain objects, and what is wrong with arguments that do not fit."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from difflib import get_close_matches
from typing import Any, TypeAlias, cast

from memwiki.entry_fields import EntryField, FieldKind
from memwiki.fence import one_line
from memwiki.names import is_encodable
from memwiki.nouns import Json
from memwiki.options import Option, OptionKind, ToolArgument, argument_of
from memwiki.options import rows as rows_of

Schema: TypeAlias = "Mapping[str, Any]"
Property: TypeAlias = "dict[str, Any]"
Properties: TypeAlias = "Mapping[str, Property | str]"
_MAX = 1_000_000
_MAX_SHOWN = 40
_NAMES = {"string": "text", "integer": "a whole number", "number": "a number", "array": "a list"}


def text(about: str = "", *, choices: tuple[str, ...] = (), default: str = "") -> Property:
    """A text, or one of few words."""
    found = _about("string", about)
    if choices:
        found["enum"] = list(choices)
    return found | ({"default": default} if default else {})


def number(about: str = "") -> Property:
    """A number from 0 to 1."""
    return _about("number", about) | {"minimum": 0, "maximum": 1}


def count(
    default: int | None = None, about: str = "", *, least: int = 1, most: int = 0
) -> Property:
    """A whole number within bounds."""
    found = _about("integer", about) | {"minimum": least}
    if most:
        found["maximum"] = most
    return found | ({"default": default} if default is not None else {})


def limit(usual: int, most: int = 200) -> Property:
    """How many are wanted."""
    return count(usual, "how many", most=most)


def flag(about: str = "", *, default: bool = False) -> Property:
    """True or false."""
    return _about("boolean", about) | {"default": default}


def texts(about: str = "") -> Property:
    """A list of texts."""
    return _about("array", about) | {"items": {"type": "string"}}


def pairs(about: str = "") -> Property:
    """Names with values."""
    return _about("object", about)


def rows(properties: Properties, *needed: str, most: int, about: str = "") -> Property:
    """A list of objects."""
    return _about("array", about) | {
        "items": record(properties, *needed),
        "minItems": 1,
        "maxItems": most,
    }


def record(properties: Properties, *needed: str) -> Property:
    """An object of these properties and no others; words alone are what a text is for."""
    made = {
        name: text(each) if isinstance(each, str) else each for name, each in properties.items()
    }
    found: Property = {"type": "object", "properties": made}
    if needed:
        found["required"] = list(needed)
    return found | {"additionalProperties": False}


def properties_of(fields: Iterable[EntryField]) -> dict[str, Property]:
    """Fields of an entry as arguments."""
    return {each.name: _OF_KIND.get(each.kind, text)(each.about) for each in fields}


_OF_KIND: Mapping[FieldKind, Callable[[str], Property]] = {
    FieldKind.SHARE: number,
    FieldKind.FLAG: flag,
    FieldKind.TEXTS: texts,
    FieldKind.PAIRS: pairs,
    FieldKind.NESTED: pairs,
}


def _about(kind: str, about: str) -> Property:
    return {"type": kind} | ({"description": about} if about else {})


def options(kind: type, *last: str) -> dict[str, Property]:
    """The options of a record that tools take, some of them `last`."""
    found = {
        argument_of(name, row): _option(row, row.tool)
        for name, row in rows_of(kind).items()
        if row.tool
    }
    return {name: found[name] for name in sorted(found, key=last.__contains__)}


def _option(row: Option, tool: ToolArgument) -> Property:
    about, default = tool.about, tool.default
    if row.kind in (OptionKind.COUNT, OptionKind.TOKENS):
        return count(cast("int | None", default), about, least=tool.least, most=tool.most)
    if row.kind is OptionKind.SHARE:
        return number(about)
    if row.kind is OptionKind.FLAG:
        return flag(about)
    choices = tuple(row.choices) if row.kind is OptionKind.CHOICE else ()
    return text(about, choices=tuple(map(str, choices)), default=cast("str", default or ""))


# --- checking ---


def fill_defaults(schema: Schema, given: Mapping[str, Json]) -> dict[str, Json]:
    """Arguments that fit, with the defaults of those that are not given; null is not given, in
    rows neither."""
    known = schema["properties"]
    found = {name: each["default"] for name, each in known.items() if "default" in each}
    return found | {name: _plain(known[name], v) for name, v in given.items() if v is not None}


def _plain(schema: Schema, value: Any) -> Json:  # noqa: ANN401 - fits the schema
    if "properties" in schema.get("items", {}):
        return [{name: each for name, each in row.items() if each is not None} for row in value]
    return int(value) if schema["type"] == "integer" else value


def faults(schema: Schema, given: object, where: str = "") -> Iterator[str]:
    """Everything that is wrong with arguments, each with what is accepted."""
    if not isinstance(given, Mapping):
        yield f"{where or 'arguments'}: not an object"
        return
    known = schema.get("properties", {})
    for name in schema.get("required", ()):
        said = given.get(name)
        if said is None:
            yield f"{_path(where, name)}: missing ({describe_property(known[name])})"
        elif isinstance(said, str) and not said.strip() and "enum" not in known[name]:
            yield f"{_path(where, name)}: empty ({describe_property(known[name])})"
    for name, value in given.items():
        if name not in known:
            yield f"{_path(where, name)}: unknown argument; {_nearest(name, known)}"
        elif value is not None:
            yield from _wrong(known[name], value, _path(where, name))


def _wrong(schema: Schema, value: object, where: str) -> Iterator[str]:
    kind = schema["type"]
    if kind == "object" and isinstance(value, Mapping):
        yield from faults(schema, value, where) if "properties" in schema else _odd(value, where)
    elif (
        kind == "array"
        and isinstance(value, list)
        and schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", _MAX)
    ):
        for at, each in enumerate(value):
            yield from _wrong(schema["items"], each, f"{where}[{at}]")
    elif not _is_simple(schema, value):
        yield f"{where}: {_shown_value(value)} is not {describe_property(schema)}"
    elif isinstance(value, str) and not is_encodable(value):
        yield f"{where}: not valid Unicode"


def _odd(value: Mapping[object, object], where: str) -> Iterator[str]:
    """What is wrong with names and values: each is a text or a list of texts."""
    for name, each in value.items():
        values = each if isinstance(each, list) else [each]
        if not all(isinstance(one, str | int | float) or one is None for one in values):
            yield f"{_path(where, str(name))}: not a text or a list of texts"
        elif not all(is_encodable(str(one)) for one in (name, *values)):
            yield f"{_path(where, str(name))}: not valid Unicode"


def _is_simple(schema: Schema, value: object) -> bool:
    kind = schema["type"]
    if kind == "boolean":
        return isinstance(value, bool)
    if kind == "string":
        return isinstance(value, str) and value in schema.get("enum", (value,))
    if kind not in ("integer", "number") or isinstance(value, bool):
        return False
    if not isinstance(value, int | float) or (kind == "integer" and value % 1 != 0):
        return False
    return bool(schema["minimum"] <= value <= schema.get("maximum", _MAX))


def describe_property(schema: Schema) -> str:
    """What a property may be, in words."""
    kind = schema["type"]
    if "enum" in schema:
        return f"one of {', '.join(schema['enum'])}"
    if kind in ("integer", "number"):
        most = schema.get("maximum")
        until = "" if most is None else f" to {most}"
        return f"{_NAMES[kind]} from {schema['minimum']}{until}"
    if kind == "array":
        sizes = f" of {schema['minItems']} to {schema['maxItems']}" if "maxItems" in schema else ""
        return f"a list{sizes}"
    return {"boolean": "true or false", "object": "an object"}.get(kind, "text")


def _path(where: str, name: object) -> str:
    return f"{where}.{_shown_name(name)}" if where else _shown_name(name)


def _shown_name(name: object) -> str:
    return one_line(str(name)[:_MAX_SHOWN])


def _nearest(name: object, known: Mapping[str, object]) -> str:
    has_fields = "fields" in known
    close = get_close_matches(str(name)[:_MAX_SHOWN], known, n=1, cutoff=0.7 if has_fields else 0.6)
    if has_fields and not close:
        return f'a field of the page is sent as fields={{"{_shown_name(name)}": ...}}'
    return f"did you mean {close[0]}?" if close else f"accepted: {', '.join(known) or 'none'}"


def _shown_value(value: object) -> str:
    if isinstance(value, list | Mapping):
        return f"{'a list' if isinstance(value, list) else 'an object'} of {len(value)}"
    if isinstance(value, int) and abs(value) >= _MAX:  # printing a huge one takes long
        return "such a number"
    said = repr(value[:_MAX_SHOWN] if isinstance(value, str) else value)
    return one_line(said)
