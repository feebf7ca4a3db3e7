"""Rows of an answer for other programs: each filled into a template, or one JSON object a line."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from memwiki.errors import UsageError
from memwiki.patterns import pattern
from memwiki.present.plain import as_json
from memwiki.present.screen import as_path, line

# Names of fields and nothing else may stand in braces: no attribute, index, width or conversion.
_PIECES = pattern(r"\{\{|\}\}|\{([^{}]*)\}|\\[tn\\]|[^{}\\]+|.", re.DOTALL)
_LITERAL = {"{{": "{", "}}": "}", "\\t": "\t", "\\n": "\n", "\\\\": "\\"}
_PATHS = frozenset({"path", "source", "target"})
_SHOWN = 40  # characters of a name that nobody knows

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
    said = line(name)[:_SHOWN]
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
