"""When two entries that say the same may become one, and what this one then says."""

from __future__ import annotations

import re
from collections.abc import Mapping

from memwiki.dates import date_in, iso_date
from memwiki.markdown.entries import read_marks
from memwiki.memory.insertion import merge_entries
from memwiki.memory.judgement.similarity import identity
from memwiki.memory.view import LocatedEntry
from memwiki.names import fold, stem_of
from memwiki.nouns import Entry
from memwiki.upkeep.waiting import CONSOLIDATED, is_trusted

MERGED = "merged"  # the ids of the entries that are part of this one

_EVENTS = frozenset(("event", "事件"))
# What may differ between two entries that say the same; all else tells them apart.
_OF_KEEPING = frozenset(
    "created updated importance confidence status origin source session consolidated merged "
    "entities supersedes".split()
)
_OWN = ("status", CONSOLIDATED, "superseded_by", "valid_to")
_IDS = re.compile(r"\^?m-[A-Za-z0-9]+(?: [\d.]+)?(?:, ?\^?m-[A-Za-z0-9]+(?: [\d.]+)?)*\Z")


def can_join(one: LocatedEntry, into: LocatedEntry) -> bool:
    """Whether nothing that either says is lost when the first becomes part of the second."""
    existing, fields = into.entry.fields, one.entry.fields
    if fold(fields.get("private", "")) != fold(existing.get("private", "")):
        return False
    if any(_is_nested(value) and existing.get(name) != value for name, value in fields.items()):
        return False
    if _is_event(one) and _is_event(into) and day_of_entry(one) != day_of_entry(into):
        return False
    if not is_trusted(fields) and is_trusted(existing):
        return identity(one.entry.text) == identity(into.entry.text)
    return is_trusted(fields) == is_trusted(existing) and _agree(fields, existing)


def _is_nested(value: str) -> bool:
    """Whether a value is a list below its entry: it would not be the same in a line."""
    return "\n" in value or value.startswith("- ")


def _agree(fields: Mapping[str, str], existing: Mapping[str, str]) -> bool:
    both = (fields.keys() & existing.keys()) - _OF_KEEPING
    return all(
        fields[name] == existing[name] or _are_ids(fields[name], existing[name]) for name in both
    )


def _are_ids(*values: str) -> bool:
    return all(map(_IDS.match, values))


def _is_event(located: LocatedEntry) -> bool:
    return fold(located.entry.type) in _EVENTS


def day_of_entry(located: LocatedEntry) -> str:
    """The day on which an entry was made: as it says, else by the name of its page."""
    return iso_date(located.entry.fields.get("created", ""))[:10] or date_in(stem_of(located.path))


def joined(known: Entry, one: Entry, *, max_tags: int) -> Entry:
    """What an entry says when another one becomes part of it."""
    fields = {name: value for name, value in one.fields.items() if name not in _OWN}
    if not is_trusted(one.fields) and is_trusted(known.fields):
        return _naming(known, one, known.fields)
    new = merge_entries(known, one.text, one.tags, fields, max_tags=max_tags)
    joined_fields = {**known.fields, **{k: v for k, v in new.changes.items() if v is not None}}
    for name in fields.keys() & known.fields.keys():
        if name == "entities" or _are_ids(fields[name], known.fields[name]):
            joined_fields[name] = united(known.fields[name], fields[name])
    return _naming(
        known._replace(text=new.text, tags=read_marks(new.text).tags), one, joined_fields
    )


def _naming(known: Entry, one: Entry, fields: Mapping[str, str]) -> Entry:
    """The entry with the id of what became part of it."""
    named = united(fields.get(MERGED, ""), united(one.id, one.fields.get(MERGED, "")))
    return known._replace(fields={**fields, MERGED: named} if named else fields)


def united(one: str, other: str) -> str:
    """Two lists as one, each part once."""
    parts = [each.strip() for value in (one, other) for each in value.split(",")]
    return ", ".join(dict.fromkeys(filter(None, parts)))
