"""The text of a query -> its blank-separated pieces, in time linear in it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple, TypeAlias

from memwiki.recall.query import FilterKind


class QueryItem(NamedTuple):
    """A word, a phrase or a filter as typed; `key` is empty for plain text."""

    text: str
    key: str = ""
    is_phrase: bool = False
    is_excluded: bool = False
    sign: str = ""

    @property
    def as_typed(self) -> str:
        """What it is searched for by if it is no syntax."""
        return f"{self.key}:{self.sign}{self.text}" if self.key else self.text

    @property
    def is_word(self) -> bool:
        """Whether it is a word, neither quoted nor excluded nor a filter."""
        return not (self.key or self.is_phrase or self.is_excluded)


class Parenthesis(NamedTuple):
    """One that stands at the start or end of a piece; a minus before it excludes the group."""

    is_open: bool
    is_excluded: bool = False


Piece: TypeAlias = QueryItem | Parenthesis

_CLOSING = {'"': '"', "“": "”“", "”": "”“", "「": "」", "『": "』"}
_QUOTES = "".join({*_CLOSING, "」", "』"})
_OPENS, _CLOSES = "(（", ")）"
_KEY = re.compile(r"([^\W\d][\w-]+)[:：]")
_SIGN = re.compile(r"[<>]=?")
_KEYS = frozenset(FilterKind) - {FilterKind.FIELD}
# `http://x`, `C:/x`, `C:\x` and `std::vector` are words.
_NO_VALUE = ("/", "\\", ":")
_SCHEMES = frozenset({"mailto", "urn", "tel", "data"})


def items(text: str) -> Iterator[QueryItem]:
    """The pieces of prose, in which parentheses belong to their words."""
    reading = _Reading(text)
    position = 0
    while position < len(text):
        if text[position].isspace():
            position += 1
            continue
        item, position = reading.item(position, len(text))
        if _says_anything(item):
            yield item


def pieces(text: str) -> Iterator[Piece]:
    """The pieces of a query, in which parentheses may group."""
    reading = _Reading(text)
    position = 0
    while position < len(text):
        is_minus = text[position] == "-" and text[position + 1 : position + 2] in (*_OPENS,)
        if text[position].isspace():
            position += 1
        elif is_minus or text[position] in _OPENS:
            yield Parenthesis(is_open=True, is_excluded=is_minus)
            position += 1 + is_minus
        elif text[position] in _CLOSES:
            yield Parenthesis(is_open=False)
            position += 1
        else:
            item, end = reading.item(position, len(text))
            bare = end if item.is_phrase else _before_closing(text, position, end)
            if bare < end:
                item, end = reading.item(position, bare)
            if _says_anything(item):
                yield item
            position = end


def _says_anything(item: QueryItem) -> bool:
    return bool(item.key or item.text.strip("-*" + _QUOTES))


def _before_closing(text: str, start: int, end: int) -> int:
    """Where a word ends without parentheses at its end that it does not open itself: `f(x))`."""
    opened = sum(text.count(mark, start, end) for mark in _OPENS)
    opened -= sum(text.count(mark, start, end) for mark in _CLOSES)
    while opened < 0 and text[end - 1] in _CLOSES:
        end, opened = end - 1, opened + 1
    return end


class _Reading:
    """A text, and where each closing quote stands last: beyond it none is looked for."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._last = {mark: text.rfind(mark) for mark in _QUOTES}

    def item(self, start: int, stop: int) -> tuple[QueryItem, int]:
        """The piece that begins here, and where it ends."""
        text = self._text
        is_excluded = _starts_exclusion(text, start)
        start += is_excluded
        key = _key_at(text, start, stop)
        value_start = start + len(key) + 1 if key else start
        sign = self._sign_at(key, value_start, stop)
        phrase = self._phrase_at(value_start + len(sign), stop)
        if phrase is not None:
            content, end = phrase
            return QueryItem(content, key, is_phrase=True, is_excluded=is_excluded, sign=sign), end
        end = self._word_end(value_start + len(sign), stop)
        word = text[value_start + len(sign) : end].strip(_QUOTES)
        return QueryItem(word, key, is_excluded=is_excluded, sign=sign), end

    def _sign_at(self, key: str, start: int, stop: int) -> str:
        """How the value of a field is compared; a sign without a value belongs to a word."""
        match = _SIGN.match(self._text, start, stop) if key and key.lower() not in _KEYS else None
        following = self._text[match.end() : min(match.end() + 1, stop)] if match else ""
        return match[0] if match and following.strip() else ""

    def _phrase_at(self, start: int, stop: int) -> tuple[str, int] | None:
        """Content and end of the quoted text that opens here; None when it never closes."""
        text = self._text
        closing = _CLOSING.get(text[start : start + 1]) if start < stop else None
        if closing is None:
            return None
        marks = [mark for mark in closing if self._last[mark] > start]
        if not marks:
            return None
        end = re.compile(f"[{''.join(marks)}]").search(text, start + 1, stop)
        if end is None:
            return None
        return " ".join(text[start + 1 : end.start()].split()), end.end()

    def _word_end(self, start: int, stop: int) -> int:
        """A word ends at a blank, or where a phrase opens (CJK text has no blank before it)."""
        end = start + 1
        while end < stop and not self._text[end].isspace():
            if self._text[end] in _CLOSING and self._phrase_at(end, stop) is not None:
                break
            end += 1
        return min(end, stop)


def _starts_exclusion(text: str, start: int) -> bool:
    """A minus before a word, phrase or filter; `->`, `--flag` and a lone `-` are words."""
    following = text[start + 1 : start + 2]
    return (
        text[start] == "-"
        and bool(following)
        and (following.isalnum() or following in "_#.@" + _QUOTES)
    )


def _key_at(text: str, start: int, stop: int) -> str:
    match = _KEY.match(text, start, stop)
    if match is None:
        return ""
    key, value = match[1], text[match.end() : min(match.end() + 1, stop)]
    is_known = key.lower() in _KEYS
    if not value.strip() or key.lower() in _SCHEMES:
        return ""
    if value in _NO_VALUE and not (is_known and value == "/"):
        return ""
    # Chinese prose is full of full-width colons: only our own words are keys before one.
    return key if is_known or text[match.end() - 1] == ":" else ""
