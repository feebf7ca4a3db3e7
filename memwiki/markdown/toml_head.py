"""The fields of a head in TOML, as sites of Hugo and Zola have it; none is ever written."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from datetime import date, time

from memwiki.nouns import FieldValue
from memwiki.text import pattern

_MAX_BYTES = 64 * 1024
_MAX_DEPTH = 20
_MAX_DOTS = 100  # on a line: keys of many parts take the square of that
_AT_LINE = pattern(r"\(at line (\d+),")
_FIELD = pattern(r"[ \t]*+([\w-]++)[ \t]*+=[ \t]*+(.*)\Z")
_TABLE = pattern(r"[ \t]*+\[+[ \t]*+([^\[\]]*+)\]")
_TEXT = pattern(r"\"((?:[^\"\\]|\\.)*+)\"?|'([^']*+)'")  # without an end: each would be tried
_LIFTED = "taxonomies"  # where Zola has its tags


def read_toml(lines: Sequence[str]) -> tuple[dict[str, FieldValue], int]:
    """The fields of these lines, and -1; or those of plain lines and the line, from 0, at which
    they are no TOML."""
    try:
        return _parsed(lines), -1
    except (ValueError, RecursionError, OverflowError) as error:
        at = _AT_LINE.search(str(error))
        return _salvaged(lines), min(int(at[1]), len(lines)) - 1 if at else 0


def _parsed(lines: Sequence[str]) -> dict[str, FieldValue]:
    if sum(map(len, lines)) > _MAX_BYTES or any(line.count(".") > _MAX_DOTS for line in lines):
        raise ValueError("too large")
    read = tomllib.loads("\n".join(lines), parse_float=str)
    fields = {key: _plain(value) for key, value in read.items()}
    lifted = fields.pop(_LIFTED, {})
    return {**lifted, **fields} if isinstance(lifted, Mapping) else {_LIFTED: lifted, **fields}


def _plain(value: object, depth: int = 0) -> FieldValue:
    """A value as YAML's are given: scalars are text."""
    if depth > _MAX_DEPTH:
        raise ValueError("nested too deeply")
    if isinstance(value, dict):
        return {key: _plain(inner, depth + 1) for key, inner in value.items()}
    if isinstance(value, list):
        return [_plain(item, depth + 1) for item in value]
    if isinstance(value, date | time):
        return value.isoformat()
    return str(value).lower() if isinstance(value, bool) else str(value)


def _salvaged(lines: Sequence[str]) -> dict[str, FieldValue]:
    """The lines `key = value` of no table, and those of the taxonomies."""
    fields: dict[str, FieldValue] = {}
    table = ""
    for line in lines:
        if found := _TABLE.match(line):
            table = found[1].strip()
        elif table in ("", _LIFTED) and (field := _FIELD.match(line)):
            fields.setdefault(field[1], _value(field[2].strip()))
    return fields


def _value(written: str) -> FieldValue:
    texts = [match[1] or match[2] or "" for match in _TEXT.finditer(written)]
    if written.startswith("["):
        return list[FieldValue](texts)
    if written[:1] in ('"', "'") and texts:
        return texts[0]
    return re.split(r"\s#", written, maxsplit=1)[0].rstrip()
