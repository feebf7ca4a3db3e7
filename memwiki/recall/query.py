"""What a person types into the search box, as words, phrases and filters; it never fails."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import date
from enum import StrEnum
from typing import NamedTuple

from memwiki.dates import named_day


class FilterKind(StrEnum):
    TAG = "tag"
    TYPE = "type"
    PATH = "path"
    TITLE = "title"
    SECTION = "section"
    SINCE = "since"
    UNTIL = "until"
    IS = "is"
    FIELD = "field"  # any other front matter or entry field; `name` says which


class Filter(NamedTuple):
    """A condition on what may be found; dates in `value` are whole ISO days, both ends included."""

    kind: FilterKind
    value: str
    name: str = ""
    is_excluded: bool = False


class Query(NamedTuple):
    """A question, read; `excluded` holds words, phrases (with a space) and prefixes (with a
    `*`)."""

    text: str
    words: tuple[str, ...] = ()
    phrases: tuple[str, ...] = ()
    prefixes: tuple[str, ...] = ()
    excluded: tuple[str, ...] = ()
    filters: tuple[Filter, ...] = ()

    @property
    def is_plain(self) -> bool:
        """Whether it is words and nothing else, so that the text itself may be a name."""
        return not (self.phrases or self.prefixes or self.excluded or self.filters)

    @property
    def has_terms(self) -> bool:
        """Whether it asks for any text at all, or only filters."""
        return bool(self.words or self.phrases or self.prefixes)

    @property
    def is_about_links(self) -> bool:
        """Whether a filter asks where the links of other pages lead."""
        return any(each.kind is FilterKind.IS and each.value == "orphan" for each in self.filters)


class _Item(NamedTuple):
    """One blank-separated piece of the query; `key` is empty for plain text."""

    text: str
    key: str = ""
    is_phrase: bool = False
    is_excluded: bool = False

    @property
    def as_typed(self) -> str:
        return f"{self.key}:{self.text}" if self.key else self.text


_CLOSING = {'"': '"', "“": "”“", "”": "”“", "「": "」", "『": "』"}
_QUOTES = "".join({*_CLOSING, "」", "』"})
_KEY = re.compile(r"([^\W\d][\w-]+)[:：]")
_KINDS = {kind.value: kind for kind in FilterKind}
_DATE_KINDS = (FilterKind.SINCE, FilterKind.UNTIL)
_STATES = frozenset({"orphan", "entry"})
# `http://x`, `C:/x`, `C:\x` and `std::vector` are words.
_NO_VALUE = ("/", "\\", ":")
_SCHEMES = frozenset({"mailto", "urn", "tel", "data"})


def parse_query(text: str, today: date) -> Query:
    """Read a query; what cannot be read as syntax is searched as words."""
    words: list[str] = []
    phrases: list[str] = []
    prefixes: list[str] = []
    excluded: list[str] = []
    filters: list[Filter] = []
    for item in _items(text):
        condition = _filter(item, today)
        if condition is not None:
            filters.append(condition)
        elif item.is_excluded:
            excluded.append(item.as_typed)
        elif item.is_phrase and not item.key:
            phrases.append(item.text)
        elif _is_prefix(item.as_typed):
            prefixes.append(item.as_typed[:-1])
        else:
            words.append(item.as_typed)
    return Query(
        text,
        words=_distinct(words),
        phrases=_distinct(phrases),
        prefixes=_distinct(prefixes),
        excluded=_distinct(excluded),
        filters=tuple(dict.fromkeys(filters)),
    )


def known_fields_only(query: Query, is_known: Callable[[Filter], bool]) -> Query:
    """The same where a `word:word` whose first word is no field anywhere is words."""
    strange = [each for each in query.filters if not is_known(each)]
    words = (f"{each.name}:{each.value}" for each in strange if not each.is_excluded)
    excluded = (f"{each.name}:{each.value}" for each in strange if each.is_excluded)
    return query._replace(
        filters=tuple(each for each in query.filters if each not in strange),
        words=(*query.words, *words),
        excluded=(*query.excluded, *excluded),
    )


# --- pieces --------------------------------------------------------------------------------------


def _items(text: str) -> Iterator[_Item]:
    position = 0
    while position < len(text):
        if text[position].isspace():
            position += 1
            continue
        item, position = _next_item(text, position)
        if item.key or item.text.strip("-*" + _QUOTES):
            yield item


def _next_item(text: str, start: int) -> tuple[_Item, int]:
    is_excluded = _starts_exclusion(text, start)
    start += is_excluded
    key = _key_at(text, start)
    value_start = start + len(key) + 1 if key else start
    phrase = _phrase_at(text, value_start)
    if phrase is not None:
        content, end = phrase
        return _Item(content, key, is_phrase=True, is_excluded=is_excluded), end
    end = _word_end(text, value_start)
    word = text[value_start:end].strip(_QUOTES)
    return _Item(word, key, is_excluded=is_excluded), end


def _starts_exclusion(text: str, start: int) -> bool:
    """A minus before a word, phrase or filter; `->`, `--flag` and a lone `-` are words."""
    following = text[start + 1 : start + 2]
    return (
        text[start] == "-"
        and bool(following)
        and (following.isalnum() or following in "_#.@" + _QUOTES)
    )


def _key_at(text: str, start: int) -> str:
    match = _KEY.match(text, start)
    if match is None:
        return ""
    key, value = match[1], text[match.end() : match.end() + 1]
    is_known = key.lower() in _KINDS
    if not value.strip() or key.lower() in _SCHEMES:
        return ""
    if value in _NO_VALUE and not (is_known and value == "/"):
        return ""
    # Chinese prose is full of full-width colons: only our own words are keys before one.
    return key if is_known or text[match.end() - 1] == ":" else ""


def _phrase_at(text: str, start: int) -> tuple[str, int] | None:
    """Content and end of the quoted text that opens here; None when it never closes."""
    closing = _CLOSING.get(text[start : start + 1])
    if closing is None:
        return None
    ends = [found for mark in closing if (found := text.find(mark, start + 1)) != -1]
    if not ends:
        return None
    return " ".join(text[start + 1 : min(ends)].split()), min(ends) + 1


def _word_end(text: str, start: int) -> int:
    """A word ends at a blank, or where a phrase opens (CJK text has no blank before it)."""
    end = start + 1
    while end < len(text) and not text[end].isspace():
        if text[end] in _CLOSING and _phrase_at(text, end) is not None:
            break
        end += 1
    return end


def _is_prefix(word: str) -> bool:
    stem = word[:-1]
    return word.endswith("*") and "*" not in stem and any(map(str.isalnum, stem))


def _distinct(texts: list[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(texts))


# --- filters -------------------------------------------------------------------------------------


def _filter(item: _Item, today: date) -> Filter | None:
    if not item.key or not item.text:
        return None
    kind = _KINDS.get(item.key.lower(), FilterKind.FIELD)
    if kind is FilterKind.FIELD:
        return Filter(FilterKind.FIELD, item.text, name=item.key, is_excluded=item.is_excluded)
    value = _value(kind, item.text, today)
    return Filter(kind, value, is_excluded=item.is_excluded) if value else None


def _value(kind: FilterKind, text: str, today: date) -> str:
    """The value in its one spelling, "" when it cannot be read."""
    if kind in _DATE_KINDS:
        day = named_day(text, today, is_end=kind is FilterKind.UNTIL)
        return day.isoformat() if day else ""
    if kind is FilterKind.IS:
        return text.lower() if text.lower() in _STATES else ""
    if kind is FilterKind.TAG:
        return text.lstrip("#").removesuffix("*").rstrip("/")
    return text
