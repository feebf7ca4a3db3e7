"""What is asked for when an entry is added, free of any door."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum
from typing import NamedTuple

from memwiki.dates import iso_date
from memwiki.errors import UsageError
from memwiki.model import Json

ORIGINS = ("user", "agent", "tool", "web")
_DAY = len("2026-09-01")
TARGETS = ("memory", "learnings", "daily", "inbox")


class OnNear(StrEnum):
    """What to do where something nearly equal is known."""

    REPORT = "report"  # written, and the near one is named
    REPLACE = "replace"
    MERGE = "merge"
    KEEP = "keep"  # written, without a word


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
    key: str = ""
    importance: float | None = None
    confidence: float | None = None
    source: str = ""
    origin: str = ""
    to: str = ""  # memory, learnings, daily, inbox, or a page
    session: str = ""
    at: datetime | None = None
    is_staged: bool = False
    is_private: bool = False
    subject: str = ""
    topic: str = ""
    object: str = ""
    entities: tuple[str, ...] = ()
    attributes: Mapping[str, str] = {}
    data: Json = None


class AddOptions(NamedTuple):
    """What holds for all entries of one call."""

    on_near: OnNear = OnNear.REPORT
    is_key_new: bool = False
    is_judged: bool = True  # whether near ones and conflicts are looked for


_TEXTS = ("type", "key", "source", "origin", "to", "session", "subject", "topic", "object")
_SHARES = ("importance", "confidence")
_FLAGS = {"staged": "is_staged", "private": "is_private"}
_LISTS = ("tags", "entities")
NAMES = ("text", *_TEXTS, *_SHARES, *_FLAGS, *_LISTS, "at", "attributes", "data")


def request_of(given: Mapping[str, object]) -> AddRequest:
    """The request that a mapping says, under the names of `add`; UsageError for what it cannot
    be."""
    if strange := [name for name in given if name not in NAMES]:
        raise UsageError(
            f"add: {strange[0]} is nothing that an entry has", hint=f"known: {', '.join(NAMES)}"
        )
    values: dict[str, object] = {"data": given.get("data")}
    for name in ("text", *_TEXTS):
        values[name] = _is(given, name, str, "text") or ""
    for name in _SHARES:
        values[name] = _is(given, name, (int, float), "a number from 0 to 1")
    for name, attribute in _FLAGS.items():
        values[attribute] = _is(given, name, bool, "true or false") or False
    for name in _LISTS:
        values[name] = _texts(name, given.get(name) or ())
    values["attributes"] = _attributes(given.get("attributes") or {})
    values["at"] = _moment(given.get("at"))
    return AddRequest(**values)  # type: ignore[arg-type]  # each was looked at above


def _is(given: Mapping[str, object], name: str, kind: type | tuple[type, ...], said: str) -> object:
    value = given.get(name)
    is_bool = isinstance(value, bool) and kind is not bool
    if value is not None and (is_bool or not isinstance(value, kind)):
        raise UsageError(f"{name}: is not {said}", hint=f"give {said}, or leave {name} out")
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


def _moment(value: object) -> datetime | None:
    if value is None or isinstance(value, datetime):
        return value
    written = iso_date(value) if isinstance(value, str) else ""
    try:
        moment = datetime.fromisoformat(written) if len(written) >= _DAY else None
    except ValueError:
        moment = None
    if moment is None:
        raise UsageError(
            "{at}: not a date or time",
            hint="for example {at:2026-09-01T10:00}",
            arguments={"at": str(value)},
        )
    return moment.astimezone().replace(tzinfo=None) if moment.tzinfo else moment
