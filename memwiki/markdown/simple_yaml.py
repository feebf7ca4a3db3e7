"""Front matter as nearly all people write it: lines of `key: value`, `key:` and `- item`.

What is read here is read as YAML reads it; anything else is left to that. Loading PyYAML takes
40 ms, and its events took a tenth of parsing 9,751 pages (2026-11-22).
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from memwiki.nouns import FieldValue
from memwiki.patterns import pattern

NULLS = frozenset({"~", "null", "Null", "NULL"})
_MAX_CHARACTERS = 16_000  # the bounds of YAML's size lie far above
_CJK_MARKS = r"\u3001-\u303f\uff01-\uff5e"
# A colon before a blank and a `#` mean something; other signs do so at the beginning alone.
_PLAIN = rf"[^\W_](?:[\w ,.()/'+*&;!?={_CJK_MARKS}-]|:(?=[\w/]))*+"
# No escapes, no line ends of YAML, nothing that it refuses to read.
_UNREAD = r"\\\x00-\x1f\x7f-\xa0\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff"
_QUOTED = rf"\"[^\"{_UNREAD}]*+\"|'[^'{_UNREAD}]*+'"
_IN_LIST = rf"(?:{_QUOTED}|[^\W_][\w./+]*+)"
_LIST = rf"\[ *+(?:{_IN_LIST}(?: *+, *+{_IN_LIST})*+)?+ *+\]"
_VALUE = rf"(?: ++(?:({_PLAIN})|({_QUOTED})|({_LIST})))?+ *+\Z"
_FIELD = pattern(rf"([A-Za-z][\w.-]{{0,60}}+):{_VALUE}")
_ITEM = pattern(rf"( *+-){_VALUE}")
_ITEMS = pattern(_IN_LIST)


def simple_fields(lines: Sequence[str]) -> dict[str, FieldValue] | None:
    """The fields that these lines mean; None when they are more than this module reads."""
    if sum(map(len, lines)) + len(lines) > _MAX_CHARACTERS:
        return None
    fields: dict[str, FieldValue] = {}
    key, mark = "", ""  # of the list whose items these are
    for line in filter(None, lines):
        if match := _FIELD.match(line):
            if match[1] in fields or match[1] in NULLS:
                return None
            key, mark = "" if match.lastindex != 1 else match[1], ""
            fields[match[1]] = _value(match)
            continue
        match = _ITEM.match(line) if key else None
        if match is None or match[1] != (mark or match[1]):
            return None
        mark = match[1]
        items = fields[key]
        if not isinstance(items, list):
            items = fields[key] = []
        items.append(_value(match))
    return fields


def _value(match: re.Match[str]) -> FieldValue:
    _, plain, quoted, items = match.groups()
    if items:
        return [_scalar(item) for item in _ITEMS.findall(items)]
    return _scalar(plain or quoted or "")


def _scalar(written: str) -> str:
    if written[:1] in ('"', "'"):
        return written[1:-1]
    written = written.rstrip(" ")
    return "" if written in NULLS else written
