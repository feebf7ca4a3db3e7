"""Entries as answers: what is written, and what follows from where it is written."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from memwiki.answers.entries import EntryView
from memwiki.config import Config
from memwiki.facts.value import (
    age_days,
    category_of,
    days_since,
    decay_of,
    entry_subject,
    known_importance,
    last_recalled,
    mean_score,
    status_of,
    usage_table,
    value_of,
)
from memwiki.files.usage_log import Subject, Sum
from memwiki.index.cards.entries import EntryCard
from memwiki.index.stores import Stores
from memwiki.markdown.fields import unit_interval
from memwiki.memory.nested_data import from_field
from memwiki.nouns import Entry
from memwiki.patterns import pattern
from memwiki.records import NamedTuple
from memwiki.scope import base_of
from memwiki.sync.context import Context

_LINK = pattern(r"\[\[([^\[\]\n|#]+)")
_CONFIDENCE = 1.0


class LocatedEntry(NamedTuple):
    """An entry, and the page it is in."""

    path: str
    page_type: str
    entry: Entry

    @property
    def place(self) -> tuple[str, int]:
        """Its page and the line on which it begins."""
        return self.path, self.entry.line_start


def entry_name(path: str, entry: Entry | EntryCard) -> str:
    """What every verb takes for an entry: its id, else its page and line, from 1."""
    return entry.id or f"{path}:{entry.line_start}"


class Views:
    """Makes views of the entries of one workspace."""

    def __init__(self, config: Config, now_ns: int, used: Callable[[Subject], Sum]) -> None:
        self._layers, self._settings = config.layers, config.memory
        self._used, self._now_ns = used, now_ns

    def of(self, located: LocatedEntry) -> EntryView:
        """The view of an entry."""
        path, page_type, entry = located
        fields = entry.fields
        category = category_of(path, self._layers, page_type)
        usage = self._used(entry_subject(entry.id, entry.text))
        days = days_since(usage, fields.get("created", ""), path, self._now_ns)
        mean = mean_score(usage)
        words = self._settings.boost_words
        importance = known_importance(entry.text, fields, category, words)
        age = age_days(fields.get("created", ""), path, self._now_ns)
        return EntryView(
            id=entry.id,
            key=fields.get("key", ""),
            type=entry.type,
            category=category,
            text=entry.text,
            tags=entry.tags,
            importance=importance,
            confidence=_share(fields, "confidence", _CONFIDENCE),
            status=status_of(entry.fields, is_struck=entry.is_superseded),
            origin=fields.get("origin", ""),
            source=fields.get("source", ""),
            namespace=base_of(path, self._layers).rpartition("/")[2],
            path=path,
            section=entry.section,
            line_start=entry.line_start,
            line_end=entry.line_end,
            created=fields.get("created", ""),
            updated=fields.get("updated", ""),
            recalls=usage.recalls,
            mean_score=mean,
            last_recalled=last_recalled(usage),
            value=round(value_of(usage.recalls, mean, days, self._settings.value_weights), 4),
            decay=round(
                decay_of(category, entry.type, importance, age, usage.recalls, self._settings), 4
            ),
            entities=entities_of(entry.text, fields, self._settings.entity_attributes),
            data=from_field(fields.get("data", "")),
            fields=fields,
        )


def views_of(context: Context, stores: Stores) -> Views:
    """Views by what is known of usage now."""
    return Views(context.config, context.clock(), usage_table(stores, context).of)


def entities_of(
    text: str, fields: Mapping[str, str], attributes: Sequence[str] = ()
) -> tuple[str, ...]:
    """The names that an entry says it is about."""
    named = re.split(r"[,，、;；]", fields.get("entities", ""))
    named += [fields.get(name, "") for name in ("topic", "object", *attributes)]
    named += _LINK.findall(text)
    bare = (each.strip().removeprefix("[[").removesuffix("]]").strip() for each in named)
    return tuple(dict.fromkeys(filter(None, bare)))


def _share(fields: Mapping[str, str], name: str, default: float) -> float:
    written = unit_interval(fields.get(name, ""))
    return float(written) if written else default
