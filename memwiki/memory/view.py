"""An entry as an answer: what is written, what follows from where, and nested data as lists."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence

from memwiki.answers.entries import EntryView
from memwiki.config import Config
from memwiki.dates import date_in, iso_date
from memwiki.entry_fields import unit_interval
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
from memwiki.markdown.entries import end_of_list
from memwiki.names import stem_of
from memwiki.nouns import Entry, Json
from memwiki.records import NamedTuple
from memwiki.scope import base_of
from memwiki.sync.context import Context
from memwiki.text import pattern

_PLAIN = pattern(r"[^\W\d_](?:[\w .,/+-]*[\w])?\Z")
_WORDS = frozenset({"true", "false", "null", "NaN", "Infinity"})
_PAIR = pattern(r"- (?:\"((?:[^\"\\]|\\.)*)\"|([^:\"]*?)):(?: (.*))?\Z")
_MEANT = str.maketrans({sign: f"\\u{ord(sign):04x}" for sign in "[^`$<~"})  # marks of an entry
_INDENT = "  "


def as_field(name: str, data: Json) -> str:
    """A JSON value as an item below an entry."""
    if isinstance(data, dict | list) and data:
        return "\n".join([f"- {name}::", *_lines(data, _INDENT)])
    return f"- {name}:: {_scalar(data)}"


def _lines(data: dict[str, Json] | list[Json], indent: str) -> Iterator[str]:
    if isinstance(data, dict):
        for key, value in data.items():
            yield from _item(f"{indent}- {_scalar(str(key))}:", value, indent)
    else:
        for value in data:
            yield from _item(f"{indent}-", value, indent)


def _item(head: str, value: Json, indent: str) -> Iterator[str]:
    if isinstance(value, dict | list) and value:
        yield head
        yield from _lines(value, indent + _INDENT)
    else:
        yield f"{head} {_scalar(value)}"


def _scalar(value: Json) -> str:
    """Plain words as they are, all else as JSON: what is quoted is text, `3` is a number."""
    if isinstance(value, str) and _PLAIN.match(value) and value not in _WORDS:
        return value
    written = json.dumps(value, ensure_ascii=False)
    return written.translate(_MEANT) if isinstance(value, str) else written


def from_field(text: str) -> Json:
    """The JSON value that the value of such a field says; None of an empty one."""
    lines = [line for line in text.split("\n") if line.strip()]
    if not lines or not re.match(r"\s*-(?:\s|$)", lines[0]):
        return _value(text.strip()) if text.strip() else None
    return _read(lines)


def _read(lines: Sequence[str]) -> Json:
    items = list(_items(lines))
    pairs = [(match, below) for head, below in items if (match := _PAIR.match(head.strip()))]
    if len(pairs) < len(items):
        return [_read(below) if below else _value(head.strip()[1:]) for head, below in items]
    found: dict[str, Json] = {}
    for match, below in pairs:
        quoted, bare, value = match.groups()
        key = bare.strip() if quoted is None else str(json.loads(f'"{quoted}"'))
        found[key] = _read(below) if below else _value(value or "")
    return found


def _items(lines: Sequence[str]) -> Iterator[tuple[str, Sequence[str]]]:
    """Each item of the outermost list, with the lines below it."""
    at = 0
    while at < len(lines):
        end = end_of_list(lines, at)
        yield lines[at], lines[at + 1 : end]
        at = end


def _value(written: str) -> Json:
    written = written.strip()
    try:
        found: Json = json.loads(written)
    except ValueError:
        return written
    return found


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

    @property
    def day(self) -> str:
        """The day on which it was last said, by itself or the name of its page; "" for none."""
        fields = self.entry.fields
        day = iso_date(fields.get("updated", fields.get("created", "")))[:10]
        return day or date_in(stem_of(self.path))


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
        written = unit_interval(fields.get("confidence", ""))
        return EntryView(
            id=entry.id,
            key=fields.get("key", ""),
            type=entry.type,
            category=category,
            text=entry.text,
            tags=entry.tags,
            importance=importance,
            confidence=float(written) if written else _CONFIDENCE,
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
