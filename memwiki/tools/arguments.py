"""What a model sent, read as what it meant: other words for arguments, values in other types.

Nothing is made up: what cannot be read stays as it was sent, for the schema to refuse.
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple, TypeAlias

from memwiki.names import is_page_name
from memwiki.nouns import Json
from memwiki.text import pattern
from memwiki.tools.aliases import PLURALS, argument, choice, flag_argument, place
from memwiki.tools.schema import Schema
from memwiki.tools.table import Tool

MAX_JSON = 1_000_000  # characters; longer ones are not parsed
_MAX_NUMBER_CHARS = 40
_NUMBER = pattern(r"[+-]?[0-9]+(\.[0-9]*)?([eE][+-]?[0-9]{1,3})?")
_PLAIN_LIST = pattern(r"\[([^\[\]{}\"'\\]*)\]")
_LIKE_JSON = pattern(r"[\s\[]*+\{\s*+[\"'}]|\s*+\[\s*+[\"']")
_FLAGS = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}


def parsed_json(text: str) -> Json:
    """An object, a list or a text as JSON, encoded once or twice, or quoted as Python does."""
    found = _loaded(text)
    return (_loaded(found) or found) if isinstance(found, str) else found


def _loaded(text: str) -> Json:
    if len(text) > MAX_JSON or not text.lstrip().startswith(("[", "{", '"')):
        return None
    if "'" in text and '"' not in text and "\\" not in text:
        text = text.replace("'", '"')  # a quote within a text makes it no JSON
    try:
        found: Json = json.loads(text, parse_constant=_refuse)
    except (ValueError, RecursionError):
        return None
    return found


def _refuse(name: str) -> None:
    raise ValueError(name)


def is_like_json(text: str) -> bool:
    """Whether a text that is not JSON was probably to be: it is not taken for words then."""
    return _LIKE_JSON.match(text) is not None


def parsed_number(text: str) -> int | float | None:
    """A decimal number."""
    said = text.strip() if len(text) <= _MAX_NUMBER_CHARS else ""
    found = _NUMBER.fullmatch(said)
    if not found:
        return None
    return float(said) if found[1] or found[2] else int(said)


def parsed_flag(value: object) -> bool | None:
    """A word or number for true or false."""
    if isinstance(value, str):
        return _FLAGS.get(value.strip().lower()) if len(value) <= _MAX_NUMBER_CHARS else None
    return bool(value) if isinstance(value, int | float) and value in (0, 1) else None


def parsed_texts(text: str) -> list[Json] | None:
    """A list of texts as JSON, in brackets without quotes, or separated by commas."""
    found = parsed_json(text)
    found = parsed_json(f"[{text}]") if found is None and '"' in text else found
    if isinstance(found, list):
        return found
    words = found if isinstance(found, str) else text
    if bare := _PLAIN_LIST.fullmatch(words.strip()):
        return _pieces(bare[1])
    is_words = len(words) <= MAX_JSON and not words.lstrip().startswith(("[", "{", '"'))
    return (_pieces(words) or None) if is_words else None


def _pieces(text: str) -> list[Json]:
    return [piece.strip() for piece in text.split(",") if piece.strip()]


def number_text(value: float) -> str | None:
    """The text of a number; a whole one has no fraction, an infinite or huge one no text."""
    if abs(value) >= 10**_MAX_NUMBER_CHARS or math.isnan(value):
        return None
    is_whole = value == int(value) and abs(value) < 1e15  # beyond it a float is not exact
    return str(int(value)) if is_whole else str(value)


_TEXTS: Schema = {"type": "array", "items": {"type": "string"}}
_NAMES = {"array": "a list", "object": "an object", "string": "text"}
# Of what is shown; how much is changed (steps of undo, importance) is never made less.
_CLAMPED = frozenset({"limit", "max_results", "offset", "budget", "depth", "expand_depth"})
_MAX_NOTES = 3
_MAX_SHOWN = 40
Reader: TypeAlias = "Callable[[Schema, Json, str], Json]"


class ReadArgument(NamedTuple):
    """An argument that was read in another way than it was sent: by another name, or as `value`."""

    sent: str
    name: str
    schema: Schema
    value: Json = None


class Understood(NamedTuple):
    """Arguments as they were meant, and what is other than it was sent."""

    arguments: object
    readings: tuple[ReadArgument, ...] = ()


def understood(tool: Tool, sent: object) -> Understood:
    """Arguments as they were meant; those that are null were not given."""
    given, readings = sent, list[ReadArgument]()
    if isinstance(sent, str):
        given = parsed_json(sent) if sent.strip() else {}
        if given:
            readings.append(ReadArgument("arguments", "arguments", tool.schema, given))
    if not isinstance(given, Mapping):
        return Understood(sent)
    found = _arguments(tool.name, tool.schema, given, readings)
    for name, each in tool.schema["properties"].items():
        if _has_rows(each):
            _into_the_only_row(tool, name, found, readings)
    return Understood(found, tuple(readings))


def _arguments(
    tool: str, schema: Schema, given: Mapping[str, Json], readings: list[ReadArgument]
) -> dict[str, Json]:
    """The properties of an object as they were meant, the unknown ones as they were sent."""
    known, found = schema["properties"], dict[str, Json]()
    for name, (sent, value) in _by_argument(tool, known, given).items():
        if name not in known:
            found[name] = value
            continue
        each = known[name]
        is_of_rows = _has_rows(each)
        meant = _rows(tool, each, value, readings) if is_of_rows else _read(each, value, name)
        if meant is None:
            continue
        found[name] = meant
        is_other = not _are_rows(value) if is_of_rows else _is_other(value, meant)
        if name != sent or is_other:
            is_shown = is_other or "enum" in each
            readings.append(ReadArgument(sent, name, each, meant if is_shown else None))
    return found


def _by_argument(
    tool: str, known: Schema, given: Mapping[str, Json]
) -> dict[str, tuple[str, Json]]:
    """Values by the argument that is meant, each with the name it was sent by."""
    kept = {name: value for name, value in given.items() if value is not None}
    taken = set(kept).intersection(known)
    found = dict[str, tuple[str, Json]]()
    for sent, value in kept.items():
        name, meant = (sent, value) if sent in known else _renamed(tool, known, sent, value)
        if sent not in known and (not name or name in taken):
            name, meant = sent, value
        taken.add(name)
        is_place = name == "path" and isinstance(meant, str)
        found[name] = sent, place(str(meant)) if is_place else meant
    return found


def _renamed(tool: str, known: Schema, sent: str, value: Json) -> tuple[str, Json]:
    """The argument that another word stands for, and its value; "" where there is none."""
    name = argument(tool, sent, known)
    if not name and parsed_flag(value):
        return flag_argument(sent, known)
    if sent in PLURALS and name and known[name]["type"] == "string":
        return name, _array(_TEXTS, value, name)
    return name, value


def _into_the_only_row(
    tool: Tool, name: str, found: dict[str, Json], readings: list[ReadArgument]
) -> None:
    """Put what belongs into a row, and was sent beside it, where there is one row alone."""
    known, rows = tool.schema["properties"], found.get(name)
    if not isinstance(rows, list) or len(rows) != 1 or not isinstance(rows[0], dict):
        return
    schema = known[name]["items"]
    beside = {
        sent: value
        for sent, value in found.items()
        if sent not in known
        and (inner := argument(tool.name, sent, schema["properties"]))
        and inner not in rows[0]
    }
    for sent in beside:
        del found[sent]
        inner = argument(tool.name, sent, schema["properties"])
        readings.append(ReadArgument(sent, f"{name}[].{inner}", schema))
    rows[0] |= _arguments(tool.name, schema, beside, [])


# --- values ---


def _read(schema: Schema, value: Json, name: str) -> Json:
    """A value as the schema wants it, as it was sent where that cannot be, None if not given."""
    kind = schema["type"]
    if kind != "string" and _is_nothing(value):
        return None
    return _READERS[kind](schema, value, name)


def _is_nothing(value: Json) -> bool:
    """Whether a text says that there is no value, where no text is wanted."""
    return isinstance(value, str) and value.strip() in ("", "null")


def _text(schema: Schema, value: Json, name: str) -> Json:
    if isinstance(value, list) and len(value) == 1 and not isinstance(value[0], list | Mapping):
        value = value[0]
    if name == "lines" and isinstance(value, list) and len(value) == 2:
        value = "-".join(map(str, value))
    if isinstance(value, int | float) and not isinstance(value, bool):
        value = number_text(value) or value
    if "enum" not in schema or not isinstance(value, str):
        return value
    return choice(name, value, tuple(schema["enum"])) if value else None


def _number(_schema: Schema, value: Json, _name: str) -> Json:
    number = parsed_number(value) if isinstance(value, str) else value
    return value if number is None else number


def _count(schema: Schema, value: Json, name: str) -> Json:
    value = _number(schema, value, name)
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if name not in _CLAMPED or not isinstance(value, int) or isinstance(value, bool):
        return value
    least, most = int(schema["minimum"]), int(schema.get("maximum", value))
    return min(max(value, least), most)


def _flag(_schema: Schema, value: Json, _name: str) -> Json:
    found = parsed_flag(value)
    return value if found is None else found


def _array(schema: Schema, value: Json, name: str) -> Json:
    """A list of texts."""
    listed = parsed_texts(value) if isinstance(value, str) else value
    if listed is None:
        return value
    items = listed if isinstance(listed, list) else [listed]
    return _present(items, [_text(schema["items"], each, name) for each in items])


def _present(sent: Sequence[Json], meant: Iterable[Json]) -> Json:
    """What is left of a list without null; of nothing but null it is not given."""
    found: list[Json] = [each for each in meant if each is not None]
    return found if found or not sent else None


def _object(_schema: Schema, value: Json, _name: str) -> Json:
    found = parsed_json(value) if isinstance(value, str) else value
    return found if isinstance(found, Mapping) else value


_READERS: Mapping[str, Reader] = {
    "string": _text,
    "integer": _count,
    "number": _number,
    "boolean": _flag,
    "array": _array,
    "object": _object,
}


# --- rows ---


def _has_rows(schema: Schema) -> bool:
    return "properties" in schema.get("items", {})


def _are_rows(value: Json) -> bool:
    return isinstance(value, list) and all(isinstance(each, Mapping) for each in value)


def _rows(tool: str, schema: Schema, value: Json, readings: list[ReadArgument]) -> Json:
    """A list of objects; one object or text is a list of it, too long a one stays as it is."""
    if _is_nothing(value):
        return None
    if isinstance(value, str):
        found = parsed_json(value)
        if found is None and is_like_json(value):
            return value
        value = value if found is None else found
    items = value if isinstance(value, list) else [value]
    if len(items) > schema["maxItems"]:
        return value
    return _present(items, [_row(tool, schema["items"], each, readings) for each in items])


def _row(tool: str, schema: Schema, value: Json, readings: list[ReadArgument]) -> Json:
    value = _object(schema, value, "")
    if isinstance(value, Mapping):
        return _arguments(tool, schema, value, readings)
    return _row_of_text(schema, value)


def _row_of_text(schema: Schema, value: Json) -> Json:
    """An object that needs one text alone, of that text."""
    needed: Sequence[str] = schema.get("required", ())
    text = _text({}, value, "")
    is_words = isinstance(text, str) and text.strip() and not is_like_json(text)
    return {needed[0]: text} if is_words and len(needed) == 1 else value


# --- what is said of it ---


def note(readings: Iterable[ReadArgument]) -> str:
    """What was read in another way, on a part of a line; "" where nothing was."""
    said = list(dict.fromkeys(map(_describe, readings)))
    shown = [*said[:_MAX_NOTES], *([f"{len(said) - _MAX_NOTES} more"] if said[_MAX_NOTES:] else [])]
    return f"read {', '.join(shown)}" if said else ""


def _describe(reading: ReadArgument) -> str:
    name, value = reading.name, _simple(reading)
    if reading.sent != name:
        return f'"{reading.sent}" as {" ".join(filter(None, (name, value)))}'
    what = "a list of objects" if _has_rows(reading.schema) else _NAMES.get(reading.schema["type"])
    return f"{name} as {value or what}"


def _simple(reading: ReadArgument) -> str:
    """A number, a flag or one of few words as it was read; other values are not repeated."""
    if reading.value is None or (reading.schema["type"] in _NAMES and "enum" not in reading.schema):
        return ""
    said = reading.value if isinstance(reading.value, str) else json.dumps(reading.value)
    return said[:_MAX_SHOWN]


def _is_other(sent: Json, meant: Json) -> bool:
    """Whether a value was not sent so; 3.0 is 3 in JSON, and a blank is nothing."""
    is_same_kind = type(sent) is type(meant) or (_is_number(sent) and _is_number(meant))
    return not (is_same_kind and sent == meant)


def _is_number(value: Json) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def place_paths(arguments: Mapping[str, Json], root: Path) -> dict[str, Json]:
    """Arguments with their paths as the workspace has them; where a page may be named by its title,
    a slash in front stays."""
    found = dict(arguments)
    is_new = found.get("action") == "create"
    for name in ("name", "to", "path"):
        if isinstance(said := found.get(name), str):
            path = _path_given(said, root, is_path=is_new or name != "name")
            # Without the suffix `TCP/IP` is a title; with a slash in front it is a path.
            is_bare = is_new and name == "name" and path != said and not is_page_name(path)
            found[name] = f"{path}.md" if is_bare and not path.endswith("/") else path
    return found


def _path_given(said: str, root: Path, *, is_path: bool) -> str:
    path = said.replace("\\", "/")
    if "/" not in path or "\0" in path:
        return said
    first = path.lstrip("/").partition("/")[0]
    is_ours = first not in ("", ".", "..") and os.path.lexists(root / first)
    if not Path(path).is_absolute():
        return path if is_ours or is_page_name(path) else said
    folder, name = os.path.split(path)
    real, base = (os.path.realpath(each).replace("\\", "/") for each in (folder, root))
    if f"{real}/".startswith(f"{base}/"):
        return f"{real}/{name}"[len(base) + 1 :]
    is_of_disk = path.startswith("//") or (os.path.lexists(f"/{first}") and not is_ours)
    return path.lstrip("/") if is_path and not is_of_disk else said
