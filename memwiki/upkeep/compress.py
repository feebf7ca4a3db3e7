"""Memories that hardly anybody recalls: which could be summed up, and which were."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from memwiki.clock import day_of
from memwiki.dates import iso_date, named_day
from memwiki.facts.usage import age_days
from memwiki.facts.value import CORE
from memwiki.markdown.describe import is_kept
from memwiki.nouns import Layers
from memwiki.upkeep.relating import ids_in
from memwiki.upkeep.work import StoredEntry

SOURCES = "sources"  # of a summary: the ids of what it sums up

_IDLE_DAYS = 90
_FEW_RECALLS = 5
_FEWEST = 3  # entries of a type that are worth a summary
_MOST_SUMMARIES = 3


class Summarised(NamedTuple):
    """An entry that summaries speak for."""

    held: StoredEntry
    reason: str


def compressible(
    entries: Iterable[StoredEntry], now_ns: int, layers: Layers
) -> dict[str, list[StoredEntry]]:
    """By type the entries outside of core that nobody recalled for 90 days and that were recalled
    under five times; only types with three of them or more."""
    groups = defaultdict[str, list[StoredEntry]](list)
    for each in entries:
        if _is_idle(each, now_ns, layers):
            groups[each.view.type].append(each)
    return {type_: found for type_, found in sorted(groups.items()) if len(found) >= _FEWEST}


def _is_idle(entry: StoredEntry, now_ns: int, layers: Layers) -> bool:
    view = entry.view
    return (
        view.status == "active"
        and view.category != CORE
        and view.recalls < _FEW_RECALLS
        and SOURCES not in view.fields
        and not is_kept(view.path, layers)
        and _idle_days(entry, now_ns) >= _IDLE_DAYS
    )


def _idle_days(entry: StoredEntry, now_ns: int) -> float:
    """Days since the last recall, else since creation; -1 when neither is known."""
    view = entry.view
    if not view.last_recalled:
        days = age_days(view.created, view.path, now_ns)
        return days if days < float("inf") else -1
    today = day_of(now_ns)
    day = named_day(iso_date(view.last_recalled)[:10], today, is_end=False)
    return (today - day).days if day else -1


def is_summary(fields: Mapping[str, str]) -> bool:
    """Whether an entry names others as its sources."""
    return bool(ids_in(fields.get(SOURCES, "")))


def summarised(entries: Sequence[StoredEntry], now_ns: int, layers: Layers) -> list[Summarised]:
    """The entries that could be summed up and that one to three others name as their sources; also
    when fewer of their type are left than are worth a summary."""
    summaries = defaultdict[str, list[str]](list)
    for each in entries:
        if each.view.status == "active":
            name = each.view.id or f"{each.view.path}:{each.view.line_start}"
            for id_ in set(ids_in(each.view.fields.get(SOURCES, ""))):
                summaries[id_].append(name)
    return [
        Summarised(each, f"summed up in {', '.join(sorted(names))}")
        for each in entries
        if (names := summaries.get(each.view.id, []))
        and len(names) <= _MOST_SUMMARIES
        and _is_idle(each, now_ns, layers)
    ]
