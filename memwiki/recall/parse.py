"""What a person types into the search box -> a query; it never fails."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from datetime import date

from memwiki.dates import iso_date, named_day
from memwiki.markdown.fields import canonical
from memwiki.recall.grouping import Grouping
from memwiki.recall.pieces import Item, items, pieces
from memwiki.recall.query import Condition, Filter, FilterKind, Query, Term, TermKind

_KINDS = {kind.value: kind for kind in FilterKind}
_DATE_KINDS = (FilterKind.SINCE, FilterKind.UNTIL)
_STATES = frozenset({"orphan", "entry"})
_AGED = frozenset({"created", "updated"})  # fields that may be compared with an age: `<2w`
_MAY_JOIN = re.compile(r"\bOR\b|[()（）]")


def parse_query(text: str, today: date) -> Query:
    """Read a query; what cannot be read as syntax is searched as words."""
    if not _MAY_JOIN.search(text):
        return parse_prose(text, today)
    grouping = Grouping(pieces(text), lambda item: _leaf(item, today))
    if not grouping.is_joined:
        return parse_prose(text, today)._replace(notes=grouping.notes)
    return _joined(text, grouping.condition, grouping.ranking)._replace(notes=grouping.notes)


def parse_prose(text: str, today: date) -> Query:
    """The same where nothing is joined: OR and parentheses are text."""
    words: list[str] = []
    phrases: list[str] = []
    prefixes: list[str] = []
    excluded: list[str] = []
    filters: list[Filter] = []
    for item in items(text):
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


def _joined(text: str, condition: Condition, ranking: Sequence[Term]) -> Query:
    words = [each.text for each in ranking if each.kind is not TermKind.PREFIX]
    prefixes = [each.text for each in ranking if each.kind is TermKind.PREFIX]
    return Query(text, _distinct(words), prefixes=_distinct(prefixes), condition=condition)


def _leaf(item: Item, today: date) -> Term | Filter:
    condition = _filter(item, today)
    if condition is not None:
        return condition
    if item.is_phrase and not item.key:
        return Term(TermKind.PHRASE, item.text, item.is_excluded)
    if _is_prefix(item.as_typed):
        return Term(TermKind.PREFIX, item.as_typed[:-1], item.is_excluded)
    return Term(TermKind.WORD, item.as_typed, item.is_excluded)


def _is_prefix(word: str) -> bool:
    stem = word[:-1]
    return word.endswith("*") and "*" not in stem and any(map(str.isalnum, stem))


def _distinct(texts: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(texts))


def first_unreadable(text: str, today: date) -> Item | None:
    """The first filter of a query whose value means nothing, which is searched as words."""
    read = (each for each in pieces(text) if isinstance(each, Item))
    return next((each for each in read if not _is_readable(each, today)), None)


def _is_readable(item: Item, today: date) -> bool:
    if not item.key or not item.text:
        return True
    if item.sign and canonical(item.key) in _AGED:
        return bool(named_day(item.text, today, is_end=False) or iso_date(item.text))
    return _filter(item, today) is not None


# --- filters -------------------------------------------------------------------------------------


def _filter(item: Item, today: date) -> Filter | None:
    if not item.key or not item.text:
        return None
    kind = _KINDS.get(item.key.lower(), FilterKind.FIELD)
    if kind is FilterKind.FIELD:
        value = _compared(item, today) if item.sign else item.text
        return Filter(kind, value, item.key, item.is_excluded, item.sign)
    value = _value(kind, item.text, today)
    return Filter(kind, value, is_excluded=item.is_excluded) if value else None


def _compared(item: Item, today: date) -> str:
    """What a field is compared with: an age such as `2w` is a day."""
    is_age = canonical(item.key) in _AGED and item.text[-1:].isalpha()
    day = named_day(item.text, today, is_end=False) if is_age else None
    return day.isoformat() if day else item.text


def _value(kind: FilterKind, text: str, today: date) -> str:
    """The value in its one spelling, "" when it cannot be read."""
    if kind in _DATE_KINDS:
        day = named_day(text, today, is_end=kind is FilterKind.UNTIL)
        return day.isoformat() if day else ""
    if kind is FilterKind.IS:
        return text.lower() if text.lower() in _STATES else ""
    if kind is FilterKind.TAG:
        return text.lstrip("#").removesuffix("*").rstrip("/")
    if kind is FilterKind.HAS:
        return text if text.isprintable() else ""
    return text
