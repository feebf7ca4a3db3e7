"""Files of JSON as records with the place of each: read strictly, none of them trusted."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import NamedTuple, NoReturn

from memwiki.adapter_api import (
    Json,
    UsageError,
)

Record = Mapping[str, Json]
_HINT = "nothing was imported; correct that place, or leave it out"
_SHOWN = 60


class PlacedValue(NamedTuple):
    """A value, and where in its file it is: `file:line`, or `file: item n` of a list."""

    place: str
    value: Json

    def refuse(self, what: str) -> NoReturn:
        """Raise UsageError, which says which place a person has to look at."""
        raise UsageError(f"{self.place}: {what}", _HINT)

    def record(self) -> Record:
        """The object that is there. Raises UsageError where there is none."""
        if not isinstance(self.value, dict):
            self.refuse("not an object")
        return self.value


def text_of(name: str, data: bytes) -> str:
    """The text of a file. Raises UsageError with the line of what is not UTF-8."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        PlacedValue(f"{name}:{line}", None).refuse("not valid UTF-8")


def lines_of(name: str, text: str) -> Iterator[PlacedValue]:
    """The value on each line that is not empty."""
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            yield read_value(f"{name}:{number}", line)


def read_value(place: str, text: str) -> PlacedValue:
    """The value that JSON says. Raises UsageError for a key given twice, NaN, and what is nested
    beyond reason."""
    placed = PlacedValue(place, None)
    try:
        value = json.loads(text, object_pairs_hook=_once, parse_constant=_no_number)
    except RecursionError:
        placed.refuse("nested too deeply")
    except json.JSONDecodeError as error:
        placed.refuse(f"not JSON: {error.msg} (column {error.colno})")
    except ValueError as error:
        placed.refuse(str(error)[:_SHOWN])
    return PlacedValue(place, value)


def _once(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in found if names.count(name) > 1)
        raise ValueError(f"{twice[:40]!r} is given twice")
    return found


def _no_number(word: str) -> NoReturn:
    raise ValueError(f"{word} is not a number in JSON")
