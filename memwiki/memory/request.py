"""What is asked for when an entry is added, free of any door."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, NamedTuple, cast

from memwiki.dates import iso_date
from memwiki.entry_fields import FieldKind, OnNear, field_text, given_fields
from memwiki.errors import UsageError
from memwiki.model import Json

_DAY = len("2026-09-01")
TARGETS = ("memory", "learnings", "daily", "inbox")


def on_near_of(given: str) -> OnNear:
    """What is asked for by this word; UsageError for any other."""
    try:
        return OnNear(given)
    except ValueError:
        words = ", ".join(OnNear)
        raise UsageError(
            f"{{on_near}}: not one of {words}",
            hint="for example {on_near:merge}",
            arguments={"on_near": given},
        ) from None


class AddRequest(NamedTuple):
    """One entry to be added; "" and None where nothing is said."""

    text: str
    type: str = ""
    tags: tuple[str, ...] = ()
    to: str = ""  # memory, learnings, daily, inbox, or a page
    at: datetime | None = None
    is_staged: bool = False
    fields: Mapping[str, str] = {}  # by their names in files, in the order of the table
    data: Json = None


class AddOptions(NamedTuple):
    """What holds for all entries of one call."""

    on_near: OnNear = OnNear.REPORT
    is_key_new: bool = False
    is_judged: bool = True  # whether near ones and conflicts are looked for


_TYPES: Mapping[FieldKind, type | tuple[type, ...]] = {
    FieldKind.TEXT: str,
    FieldKind.SHARE: (int, float),
    FieldKind.FLAG: bool,
}


def given_names() -> tuple[str, ...]:
    """What may be said of an entry that is added."""
    return ("text", *(row.name for row in given_fields()))


def request_of(given: Mapping[str, object]) -> AddRequest:
    """The request that a mapping says, under the names of `add`; UsageError for what it cannot
    be."""
    names = given_names()
    if strange := [name for name in given if name not in names]:
        raise UsageError(
            f"add: {strange[0]} is nothing that an entry has", hint=f"known: {', '.join(names)}"
        )
    text = _of_kind("text", FieldKind.TEXT, given.get("text")) or ""
    values: dict[str, Any] = {
        row.name: _of_kind(row.name, row.kind, given.get(row.name)) for row in given_fields()
    }
    fields = {
        row.stored: field_text(row, values[row.name]) for row in given_fields() if row.is_written
    }
    return AddRequest(
        cast("str", text),
        values["type"] or "",
        values["tags"],
        values["to"] or "",
        values["at"],
        bool(values["staged"]),
        {**fields, **values["attributes"]},
        values["data"],
    )


def _of_kind(name: str, kind: FieldKind, value: object) -> object:
    """A value that is of its kind; UsageError for any other."""
    match kind:
        case FieldKind.TEXTS:
            return _texts(name, value or ())
        case FieldKind.PAIRS:
            return _attributes(value or {})
        case FieldKind.MOMENT:
            return _moment(name, value)
        case FieldKind.NESTED:
            return value
    is_bool = isinstance(value, bool) and kind is not FieldKind.FLAG
    if value is not None and (is_bool or not isinstance(value, _TYPES[kind])):
        raise UsageError(f"{name}: is not {kind}", hint=f"give {kind}, or leave {name} out")
    return value


def _texts(name: str, value: object) -> tuple[str, ...]:
    found = [value] if isinstance(value, str) else value
    if not isinstance(found, list | tuple) or not all(isinstance(each, str) for each in found):
        raise UsageError(f"{name}: is not a list of texts", hint=f'for example {name}: ["a", "b"]')
    return tuple(found)


def _attributes(value: object) -> Mapping[str, str]:
    if not isinstance(value, Mapping):
        raise UsageError("attributes: is not a mapping", hint='for example {"place": "Hamburg"}')
    return {str(name): str(each) for name, each in value.items()}


def _moment(name: str, value: object) -> datetime | None:
    if value is None or isinstance(value, datetime):
        return value
    written = iso_date(value) if isinstance(value, str) else ""
    try:
        moment = datetime.fromisoformat(written) if len(written) >= _DAY else None
    except ValueError:
        moment = None
    if moment is None:
        raise UsageError(
            f"{{{name}}}: not a date or time",
            hint=f"for example {{{name}:2026-09-01T10:00}}",
            arguments={name: str(value)},
        )
    return moment.astimezone().replace(tzinfo=None) if moment.tzinfo else moment
