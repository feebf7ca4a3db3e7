"""Links of entries: the names that their fields say they are about, and the ids of other entries.

Only lines of entries count, as `entries` tells them, and nothing in code, comments or formulas.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from typing import TypeAlias

from memwiki.entry_fields import naming_fields
from memwiki.markdown.entries import field_key
from memwiki.markdown.links import FoundLinks, is_external, is_no_name
from memwiki.markdown.mask import Masked
from memwiki.markdown.stretches import Item
from memwiki.markdown.syntax import ENTRY_ID
from memwiki.nouns import Link, LinkKind, Span
from memwiki.records import NamedTuple
from memwiki.text import pattern

_KEY = r"([^\W\d][\w -]{0,40})::"
_FIELD = pattern(rf"\[(?<!\[\[){_KEY}[ \t]*+((?:\[\[[^\[\]\n]*\]\]|[^\[\]\n])*+)\]")
_FIELD_LINE = pattern(rf"^[ \t]*+[-*+][ \t]++{_KEY}[ \t]*+([^\n]*)", re.MULTILINE)
_SEPARATORS = ",，、;；"
_SEPARATOR = pattern(f"[{_SEPARATORS}]")
_PART = pattern(rf"(?:\[\[[^\[\]\n]*\]\]|[^{_SEPARATORS}\[\]])++")
_ID = r"\^?(m-[A-Za-z0-9]++)(?:[ \t]++(0(?:\.\d*+)?+|1(?:\.0*+)?+|\.\d++)(?![\w.]))?+"
_IDS = pattern(rf"{_ID}(?:[ \t]*+[{_SEPARATORS}][ \t]*+{_ID}|[ \t]++{_ID})*+[ \t]*+")
_EACH_ID = pattern(rf"(?<![\w-]){_ID}")
_MAX_KNOWN = 2_000  # values that are remembered to be names or not: entries repeat them
_BEFORE_ID = pattern(r"::[ \t]*+\^?m-")
_GONE = "merged"  # names entries that are part of this one by now
_NAMING = frozenset(naming_fields())
# Each begins with one character, which is searched for.
_NAME_KEYS = {name: pattern(rf"{name} *+::") for name in sorted(_NAMING)}
# Of most fields the last letter says that it is none of these. Letters beyond ASCII may fold to it.
_LASTS = "".join(sorted({name[-1] for name in _NAMING}))
_AN_ID = pattern(r"[ \t]*+\^?[mM]-")
_MAYBE = pattern(rf"::(?:(?<=[{_LASTS}{_LASTS.upper()} \x80-\U0010ffff]::)|(?={_AN_ID.pattern}))")
_MAX_NAME_CHARACTERS = 200  # what is longer is a sentence, and no title is
_key = lru_cache(_MAX_KNOWN)(field_key)
_NO_NAME = pattern(r"[\[\]\n]|\A[\^#]")

_FoundLink: TypeAlias = tuple[Link, Span]


class _Value(NamedTuple):
    """The value of a field and the half-open offsets at which it stands, without blanks around."""

    name: str
    line: int  # from 0
    start: int
    end: int
    text: str
    is_inline: bool


def with_entry_links(
    found: FoundLinks,
    masked: Masked,
    lines: Sequence[str],
    ranges: Callable[[], Sequence[Item]],
) -> FoundLinks:
    """The links of a collecting page with those of its entries, which stand in these ranges of
    lines."""
    values = list(_values(masked, lines)) if may_hold_values(masked.text) else []
    if not values:
        return found
    within = _Ranges(ranges(), masked)
    kept = [inside for each in values if (inside := within.of_entry(each))]
    links = _with_relations(found, kept)
    links += [pair for value in kept for pair in _links(value)]
    links.sort(key=lambda pair: pair[0].line)
    return found.with_pairs(links)


def may_hold_values(text: str) -> bool:
    """Whether any field may link: those of most entries say a day or a number."""
    maybe = _MAYBE.search(text)
    if maybe is None or _AN_ID.match(text, maybe.end()):
        return maybe is not None
    folded = text.casefold()
    is_named = any(each.search(folded) for name, each in _NAME_KEYS.items() if name in folded)
    return is_named or _BEFORE_ID.search(folded) is not None


def name_link(value: str, line: int, relation: str) -> Link | None:
    """The link that a plain name in a field means, None for what is no name."""
    if not _is_name(value) or (relation == "entities" and _SEPARATOR.search(value)):
        return None
    return Link(value, "", line, LinkKind.ENTRY, "", "", relation)


@lru_cache(_MAX_KNOWN)
def _is_name(value: str) -> bool:
    if not value or len(value) > _MAX_NAME_CHARACTERS or _NO_NAME.search(value):
        return False
    return not (is_no_name(value) or is_external(value))


def _values(masked: Masked, lines: Sequence[str]) -> Iterator[_Value]:
    """The values that may link, those of which a part is masked left out."""
    text = masked.text
    for key, start, end, is_inline in _places(text):
        name = _key(key)
        if name == _GONE:
            continue
        if name not in _NAMING and not _EACH_ID.match(text, start, end):
            continue
        value = text[start:end].rstrip()
        line, column = masked.place(start)
        if value and lines[line][column : column + end - start].rstrip() == value:
            yield _Value(name, line, start, start + len(value), value, is_inline)


def _places(text: str) -> Iterator[tuple[str, int, int, bool]]:
    """The key of each field, where its value stands, and whether it is in brackets."""
    begins = []
    for match in _FIELD.finditer(text):
        begins.append(match.start())
        yield match[1], *match.span(2), True
    for match in _FIELD_LINE.finditer(text):
        at = bisect_left(begins, match.start(2))
        end = min(match.end(2), begins[at]) if at < len(begins) else match.end(2)
        yield match[1], match.start(2), end, False


class _Ranges:
    """The lines of the entries, and the id that each of them bears itself."""

    def __init__(self, ranges: Sequence[Item], masked: Masked) -> None:
        self._ranges, (self._text, self._starts) = ranges, masked
        self._firsts = [first for first, _ in ranges]
        self._ids: dict[int, int] = {}

    def of_entry(self, value: _Value) -> _Value | None:
        """The value without the id of its entry, None where it is no field of one."""
        at = bisect_right(self._firsts, value.line) - 1
        if at < 0 or value.line >= self._ranges[at][1]:
            return None
        if value.is_inline:
            return value
        if value.line == self._ranges[at][0]:
            return None  # what is said in so many words: `- subject:: X`
        first = self._own_id(at)
        if not value.start - 1 <= first < value.end:
            return value
        rest = value.text[: max(first - value.start, 0)].rstrip()
        return value._replace(end=value.start + len(rest), text=rest) if rest else None

    def _own_id(self, at: int) -> int:
        """Where the id begins that the entry bears, -1 for none."""
        known = self._ids.get(at)
        if known is None:
            first, end = self._ranges[at]
            stop = self._starts[end] - 1 if end < len(self._starts) else len(self._text)
            match = ENTRY_ID.search(self._text, self._starts[first], stop)
            known = self._ids[at] = match.start() if match else -1
        return known


def _with_relations(found: FoundLinks, values: Iterable[_Value]) -> list[_FoundLink]:
    """The links of the text, those in a value that says what an entry is about as such."""
    links = found.pairs
    named = [value for value in values if value.name in _NAMING and "[[" in value.text]
    places = {span[0]: at for at, (_, span) in enumerate(links)} if named else {}
    for value in named:
        start = value.text.find("[[")
        while start >= 0:
            at = places.get(value.start + start + 2, -1)
            if at >= 0 and links[at][0].kind is LinkKind.WIKILINK:
                link, span = links[at]
                links[at] = link._replace(kind=LinkKind.ENTRY, relation=value.name), span
            start = value.text.find("[[", start + 2)
    return links


def _links(value: _Value) -> Iterator[_FoundLink]:
    line = value.line + 1
    if value.text[0] in "m^" and _IDS.fullmatch(value.text):
        for match in _EACH_ID.finditer(value.text):
            first, weight = match.start(), float(match[2] or 1)
            span = value.start + first, value.start + match.end(1)
            yield (
                Link(f"^{match[1]}", "", line, LinkKind.ENTRY, "", "", value.name, weight),
                span,
            )
        return
    if value.name not in _NAMING:
        return
    parts = _PART.finditer(value.text) if value.name == "entities" else ()
    spans = [match.span() for match in parts] or [(0, len(value.text))]
    for first, end in spans:
        name = value.text[first:end].strip()
        if link := name_link(name, line, value.name):
            start = value.start + value.text.index(name, first)
            yield link, (start, start + len(name))
