"""Properties of a page as Logseq writes them: `key:: value` on its first lines."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from memwiki.markdown.fields import canonical
from memwiki.nouns import FieldValue
from memwiki.patterns import pattern
from memwiki.records import NamedTuple
from memwiki.times.day_names import read_day

UUID = r"[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}"
_PROPERTY = pattern(r"[ \t]*([^\s\[\](){}`\"'#*+:-]\S*?)::(?:([ \t]+)(.*))?\Z")
_NAMES = frozenset({"aliases", "tags"})
# Of these a link says what it links to.
PLAIN = frozenset({"type", "status", "created", "updated", "stale_after"})
_DATES = frozenset({"created", "updated", "stale_after"})
ITEM = pattern(r"\s*+\[\[([^\[\]]*)\]\]|[^,，]+")


class Property(NamedTuple):
    """One line: its key, its value as it stands there, and the columns between which that is."""

    key: str
    value: str
    line: int  # from 0
    start: int
    end: int


def read_properties(lines: Sequence[str], first: int = 0) -> tuple[Property, ...]:
    """The properties on the lines from `first` on, up to the first other line."""
    found = list[Property]()
    for number in range(first, len(lines)):
        match = _PROPERTY.match(lines[number])
        if match is None:
            break
        written = match[3] or ""
        value = written.strip()
        start = match.end() - len(written.lstrip())
        found.append(Property(match[1], value, number, start, start + len(value)))
    return tuple(found)


def value_of(key: str, text: str) -> FieldValue:
    """A list of names where the key means one: `[[a]], b`; a tag that is a link stays one, too."""
    known = canonical(key)
    if known == "title":
        return text.removeprefix("[[").removesuffix("]]")
    if known not in _NAMES:
        return text
    items: dict[str, None] = {}
    for match in ITEM.finditer(text):
        name = (match[1] or match[0]).strip().lstrip("#")
        if match[1] and known == "tags":
            items[f"[[{name}]]"] = None
        items[name] = None
    return list(filter(None, items))


def fields_of(properties: Iterable[Property], day_title: str) -> Mapping[str, FieldValue]:
    """The properties as fields: a type or a date that is a link says what it links to."""
    fields: dict[str, FieldValue] = {}
    for key, text, *_ in properties:
        value, known = value_of(key, text), canonical(key)
        if known in PLAIN and isinstance(value, str):
            value = value.removeprefix("[[").removesuffix("]]").strip()
        if known in _DATES and isinstance(value, str) and day_title:
            value = read_day(value, day_title) or value
        fields.setdefault(key, value)
    return fields
