"""Memories as JSON, an object a line or a list of them, under our names or those of others."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime

from memwiki import MemwikiError
from memwiki.adapter_api import (
    ENTRY_ORIGINS,
    Json,
    UsageError,
    checked_key,
    draft_of,
    field_value,
    fold,
    given_names,
    iso_date,
    request_of,
)
from memwiki.adapters.importers.records import (
    PlacedValue,
    Record,
    lines_of,
    read_value,
    text_of,
)
from memwiki.importing import (
    ImportSource,
    ImportTarget,
    Incoming,
)

KIND = "lines"
# What others call it; the first name that an object has, and whose value fits, is taken.
_SYNONYMS = {
    "text": ("memory", "content", "fact"),
    "type": ("category", "memory_type", "kind"),
    "tags": ("labels", "categories"),
    "session": ("session_id",),
    "at": ("created_at", "createdAt", "timestamp", "created"),
}
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
    """Whether it is one value: a list, or an object that does not end with its first line."""
    first, _, rest = text.strip().partition("\n")
    if first.startswith("[") or not rest.strip():
        return True
    try:
        read_value("", first)
    except UsageError as error:
        return error.message.startswith(": not JSON") and not rest.lstrip().startswith("{")
    return False


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
            entry[known] = others.pop(fitting)
    if not isinstance(entry.get("text"), str):
        placed.refuse("has no text (text, memory, content or fact)")
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
