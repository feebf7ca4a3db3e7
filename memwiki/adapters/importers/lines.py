"""Memories as JSON, an object a line or a list of them, under our names or those of others; and
files of JSON as records with the place of each: read strictly, none of them trusted.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from typing import NamedTuple, NoReturn

from memwiki import MemwikiError
from memwiki.adapter_api import (
    ENTRY_ORIGINS,
    Json,
    UsageError,
    as_tag,
    checked_key,
    draft_of,
    field_value,
    fold,
    given_names,
    iso_date,
    request_of,
)
from memwiki.importing import (
    ImportSource,
    ImportTarget,
    Incoming,
)

Record = Mapping[str, Json]
_HINT = "nothing was imported; correct that place, or leave it out"
_MAX_SHOWN = 60


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
        placed.refuse(str(error)[:_MAX_SHOWN])
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


KIND = "lines"
# What others call it; the first name that an object has, and whose value fits, is taken.
_SYNONYMS = {
    "text": ("memory", "content", "fact"),
    "type": ("category", "memory_type", "kind"),
    "tags": ("labels", "categories"),
    "session": ("session_id",),
    "at": ("created_at", "createdAt", "timestamp", "created"),
}
_TALK = ("mapping", "chat_messages", "messages", "message")  # of ChatGPT, Claude and others
_LISTS = ("results", "memories", "entries")  # under which a whole document keeps them
_DAY = len("2026-09-01")
# Fields that say how an entry stands: those of another tool's do not say it of ours.
_OURS = frozenset(
    "created updated status valid_from valid_to time superseded_by supersedes private exact".split()
)


def is_kind(source: ImportSource) -> bool:
    """Whether it is one file of JSON."""
    names = source.names()
    if len(names) != 1 or not names[0].lower().endswith((".jsonl", ".ndjson", ".json")):
        return False
    return source.head(names[0]).removeprefix(b"\xef\xbb\xbf").lstrip()[:1] in (b"{", b"[")


def incoming(source: ImportSource, target: ImportTarget) -> Incoming:
    """The entries; each is looked at as `add` would, so that a bad one is named by its place."""
    name = next(iter(source.names()), "")
    now = datetime.fromisoformat(target.day)
    entries = list[Mapping[str, object]]()
    values, notes = _values(name, text_of(name, source.read(name)))
    for placed in values:
        entries.append(entry := _entry(placed, name))
        try:
            draft_of(request_of(entry), now, str, is_dated=True)
        except MemwikiError as error:
            placed.refuse(error.message)
    return Incoming(KIND, entries=tuple(entries), notes=notes)


# --- the objects of a file ---


def _values(name: str, text: str) -> tuple[Iterable[PlacedValue], tuple[str, ...]]:
    """The values of a file: of a list, of a list under a known name, else one a line; and notes."""
    if not _is_document(text):
        return lines_of(name, text), ()
    value = read_value(name, text).value
    beside: Record = value if isinstance(value, dict) else {}
    key = next((each for each in _LISTS if isinstance(beside.get(each), list)), "")
    found = beside[key] if key else value
    if not isinstance(found, list):
        return [PlacedValue(f"{name}:1", value)], ()
    others = (other for other in beside if other != key and beside[other])
    notes = (f"not imported: {other!r} of {name}" for other in others)
    return [PlacedValue(f"{name}: item {n}", each) for n, each in enumerate(found, 1)], tuple(notes)


def _is_document(text: str) -> bool:
    """Whether it is one value: a list, or an object that does not end with its first line; of which
    the next one may begin another object, if all is JSON."""
    first, _, rest = text.strip().partition("\n")
    if first.startswith("[") or not rest.strip():
        return True
    return not _is_json(first) and (not rest.lstrip().startswith("{") or _is_json(text))


def _is_json(text: str) -> bool:
    try:
        read_value("", text)
    except UsageError as error:
        return not error.message.startswith(": not JSON")
    return True


# --- one object as an entry ---


def _entry(placed: PlacedValue, name: str) -> dict[str, object]:
    """What `add` takes; what it has no name for becomes an attribute or nested data."""
    record = {"text": placed.value} if isinstance(placed.value, str) else placed.record()
    record = {key: value for key, value in record.items() if value is not None}
    entry: dict[str, object] = {key: record[key] for key in given_names() if key in record}
    others = {key: value for key, value in record.items() if key not in entry}
    for known, synonyms in _SYNONYMS.items():
        found = (each for each in synonyms if known not in entry and each in others)
        if fitting := next((each for each in found if _fits(known, others[each])), None):
            entry[known] = value = others.pop(fitting)
            if known == "tags" and isinstance(value, list):
                entry[known] = [*dict.fromkeys(filter(None, map(as_tag, map(str, value))))]
                rest: Json = [each for each in value if not as_tag(str(each))]
                others |= {fitting: rest} if rest else {}
    if not isinstance(entry.get("text"), str):
        is_talk = not others.keys().isdisjoint(_TALK)
        hint = "; memwiki session import takes conversations" if is_talk else ""
        placed.refuse(f"has no text (text, memory, content or fact){hint}")
    if isinstance(entry.get("at"), int | float):
        entry["at"] = _epoch(entry["at"])
    if entry.get("origin") not in ENTRY_ORIGINS and "origin" in entry:
        others["origin"] = record["origin"]
        del entry["origin"]
    entry = {"origin": "tool", "source": name} | entry
    return _with_others(placed, entry, others)


def _fits(known: str, value: Json) -> bool:
    if known == "tags":
        return isinstance(value, list) and all(isinstance(each, str) for each in value)
    if known == "at":
        return len(iso_date(_epoch(value))) >= _DAY
    return isinstance(value, str) and bool(value)


def _epoch(value: object) -> str:
    """A moment as text; one in seconds may have a fraction."""
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return f"{value:.0f}" if is_number else str(value)


def _with_others(
    placed: PlacedValue, entry: dict[str, object], others: Record
) -> dict[str, object]:
    """Nothing is lost: what can be a field is one, the rest is nested data."""
    metadata = others.get("metadata")
    if isinstance(metadata, dict) and not metadata.keys() & others.keys():
        others = {key: value for key, value in others.items() if key != "metadata"} | metadata
    given = entry.get("attributes", {})
    if not isinstance(given, dict):
        placed.refuse("attributes is not a mapping")
    plain = {key: said for key, value in others.items() if (said := _field(key, value, given))}
    rest = {key: value for key, value in others.items() if key not in plain}
    if plain or given:
        entry["attributes"] = {**given, **plain}
    if rest:
        data = entry.get("data")
        nested = data if isinstance(data, dict) else {"data": data} if data else {}
        entry["data"] = nested | rest
    return entry


def _field(key: str, value: Json, given: Mapping[str, object]) -> str:
    """A value as that of a field; "" where it cannot be one, or would say something of ours."""
    is_plain = isinstance(value, str | int | float) and value != ""
    if not is_plain or fold(key) in {*_OURS, *given_names(), *map(fold, given)}:
        return ""
    text = str(value).lower() if isinstance(value, bool) else str(value)
    try:
        is_same = checked_key(key) == key and field_value(key, text) == text
    except UsageError:
        return ""
    return text if is_same else ""
