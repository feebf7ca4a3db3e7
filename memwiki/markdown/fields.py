"""The known keys of front matter: their synonyms, and how each value is read."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple, TypeGuard

from memwiki.dates import iso_date
from memwiki.entry_fields import LEVELS, FieldKind, stored_names
from memwiki.names import fold
from memwiki.nouns import FieldValue, FrontMatter, Problem, Severity

_NO = frozenset({"", "false", "no", "off", "0", "null", "~"})
_SYNONYMS = {
    "type": "kind category note_type page_type",
    "title": "",
    "description": "summary abstract desc excerpt",
    "tags": "tag keywords topics",
    "aliases": "alias",
    "created": "date created_at createdat date_created",
    "updated": "last_updated modified updated_at timestamp lastmod date_modified",
    "status": "state lifecycle stage",
    "sources": "source source_file references source_url resource url",
    "related": "see_also links",
    "relations": "relationships",
    "supersedes": "replaces",
    "superseded_by": "",
    "importance": "",
    "confidence": "base_confidence",
    "stale_after": "expiry valid_to review_by next_review",
    "id": "slug permalink uid",
}
_CANONICAL = {name: key for key, names in _SYNONYMS.items() for name in (key, *names.split())}
_SHARES = stored_names(FieldKind.SHARE)
_MERGED = frozenset({"tags", "aliases", "sources", "related", "relations"})
_DATES = frozenset({"created", "updated", "stale_after"})
WIKILINK = re.compile(r"\[\[([^\[\]\n]+)\]\]")
_LINK = re.compile(r"\[[^\[\]\n]*\]\([^()\s]+\)\Z|https?://\S+\Z")
_LIST_SPLIT = re.compile(r"[,，、\n]")


class Fields(NamedTuple):
    """Canonical fields, with what the page model keeps apart."""

    values: Mapping[str, FieldValue]
    tags: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    ids: tuple[str, ...] = ()
    problems: tuple[Problem, ...] = ()

    def text(self, key: str) -> str:
        """The field as one string; the first item of a list, "" when there is none."""
        return first_text(self.values.get(key, ""))


def canonical(key: str) -> str:
    """The canonical name of a key, the key itself when it is not a known one."""
    return _CANONICAL.get(fold(key.strip()).replace(" ", "_").replace("-", "_"), key)


def is_private(fields: Mapping[str, FieldValue]) -> bool:
    """Whether fields keep what has them out of prompts and exports: any word does but a no."""
    return any(_is_yes(value) for key, value in fields.items() if fold(key.strip()) == "private")


def _is_yes(value: FieldValue) -> bool:
    if isinstance(value, list):
        return any(map(_is_yes, value))
    return not isinstance(value, str) or value.strip().lower() not in _NO


def first_text(value: FieldValue) -> str:
    """The first string inside a value."""
    while isinstance(value, list):
        value = value[0] if value else ""
    return value.strip() if isinstance(value, str) else ""


def read_fields(path: str, front_matter: FrontMatter, lines: list[str]) -> Fields:
    """Canonical names and coerced values; `lines` only serve to say where a problem is."""
    values: dict[str, FieldValue] = {}
    ids: list[str] = []
    # A canonical spelling wins over its synonyms wherever it stands.
    fields = front_matter.fields
    for key in sorted(fields, key=lambda key: canonical(key) != fold(key)):
        value = fields[key]
        name = canonical(key)
        if name == "id":
            ids += strings(value)
        if name not in values:
            values[name] = value
        elif name in _MERGED:
            values[name] = _merged(name, values[name], value)
        else:
            values[key] = value
    problems = _coerce(path, values, lines)
    tags, aliases = split_tags(values.get("tags", "")), split_names(values.get("aliases", ""))
    for key, found in (("tags", tags), ("aliases", aliases)):
        if key in values:
            values[key] = list(found)
    return Fields(values, tags, aliases, tuple(dict.fromkeys(ids)), problems)


def _coerce(path: str, values: dict[str, FieldValue], lines: list[str]) -> tuple[Problem, ...]:
    problems = []
    for key in _DATES & values.keys():
        written = first_text(values[key])
        read = iso_date(written)
        if read or not written:
            values[key] = read
            continue
        at = [i for i, text in enumerate(lines, 1) if written in text]
        own = (i for i in at if canonical(lines[i - 1].partition(":")[0].strip("\"' ")) == key)
        line = next(own, at[0] if at else 1)
        message = f"`{key}: {written[:60]}` is not a date that can be read"
        problems.append(Problem(path, line, "date-unreadable", Severity.INFO, message))
    for key in _SHARES & values.keys():
        values[key] = unit_interval(first_text(values[key])) or values[key]
    return tuple(sorted(problems, key=lambda problem: problem.line))


def unit_interval(text: str) -> str:
    """A number from 0 to 1 as text, of a number or a word; "" when it is neither."""
    text = LEVELS.get(fold(text), text)
    try:
        number = float(text)
    except ValueError:
        return ""
    return f"{min(1.0, max(0.0, number)):g}" if math.isfinite(number) else ""


def strings(value: FieldValue) -> list[str]:
    """Every non-empty string inside a value, in order."""
    if isinstance(value, str):
        return [value.strip()] if value.strip() else []
    inner = value if isinstance(value, list) else value.values()
    return [text for item in inner for text in strings(item)]


def _merged(name: str, existing: FieldValue, value: FieldValue) -> FieldValue:
    if name == "tags":
        return [*split_tags(existing), *split_tags(value)]
    if name == "aliases":
        return [*split_names(existing), *split_names(value)]
    return _as_list(existing) + _as_list(value)


def _as_list(value: FieldValue) -> list[FieldValue]:
    if isinstance(value, list):
        return value
    return [value] if value else []


def split_names(value: FieldValue) -> tuple[str, ...]:
    """Names of a list, or of a string: `[a, b]` written as text, or one a comma."""
    if not isinstance(value, str):
        return tuple(dict.fromkeys(strings(value)))
    inner = value.strip().removeprefix("[").removesuffix("]")
    names = (name.strip().strip("\"'").strip() for name in _LIST_SPLIT.split(inner))
    return tuple(dict.fromkeys(filter(None, names)))


def items_of(value: FieldValue) -> list[FieldValue]:
    """The values of a list; unquoted `[[x]]` is YAML for a list in a list, and means a wikilink."""
    if not isinstance(value, list):
        return [value]
    if len(value) == 1 and _is_unquoted_wikilink(value[0]):
        return [_unquoted_wikilink(value[0])]
    return [_unquoted_wikilink(v) if _is_nested_wikilink(v) else v for v in value]


def tag_items(value: FieldValue) -> list[FieldValue]:
    """The same of a field of tags, where `[[a, b]]` means two of them."""
    if isinstance(value, list) and len(value) == 1 and isinstance(value[0], list):
        return items_of(value if len(value[0]) == 1 else value[0])
    return items_of(value)


def _is_unquoted_wikilink(value: FieldValue) -> TypeGuard[list[FieldValue]]:
    return isinstance(value, list) and bool(value) and all(isinstance(v, str) for v in value)


def _is_nested_wikilink(value: FieldValue) -> bool:
    return isinstance(value, list) and len(value) == 1 and _is_unquoted_wikilink(value[0])


def _unquoted_wikilink(value: FieldValue) -> str:
    return f"[[{', '.join(strings(value))}]]"


def is_link(text: str) -> bool:
    """Whether the text of an item is nothing but a markdown link or an address."""
    return _LINK.match(text.strip()) is not None


def tags_and_links(value: FieldValue) -> list[str]:
    """What stands in a field of tags, its links as they are written."""
    texts = [text for item in tag_items(value) for text in strings(item)]
    found = (match[0] for text in texts for match in WIKILINK.finditer(text))
    return [*filter(is_link, texts), *found, *split_tags(value)]


def split_tags(value: FieldValue) -> tuple[str, ...]:
    """Tags of a list, a comma or space string; the leading `#` goes, and links are no tags."""
    texts = [text for item in tag_items(value) for text in strings(item) if not is_link(text)]
    texts = [WIKILINK.sub("", text) for text in texts]
    names: Iterable[str] = [name for text in texts for name in split_names(text)]
    if isinstance(value, str) and not _LIST_SPLIT.search("".join(texts)):
        names = [word for name in names for word in name.split()]
    tags = (name.lstrip("#").strip().strip("/") for name in names)
    return tuple({fold(tag): tag for tag in reversed([t for t in tags if t])}.values())[::-1]
