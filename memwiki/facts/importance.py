"""How important a new memory is when nobody says so."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

from memwiki.entry_fields import FIELDS, FieldKind
from memwiki.facts.category import CONVERSATION, CORE, DAILY
from memwiki.markdown.fields import unit_interval
from memwiki.names import fold
from memwiki.scripts import CJK, whole_words

_BASES = {CORE: 0.7, DAILY: 0.3, CONVERSATION: 0.2}
_CUSTOM = 0.4
_STRUCTURED = 0.5
_STRUCTURE = [row.stored for row in FIELDS if row.is_naming and row.kind is FieldKind.TEXT]
_BOOST, _MAX_BOOST = 0.1, 0.2
_BOOST_WORDS = (
    "decision always never important critical must requirement policy rule principle "
    "决定 决策 总是 始终 从不 绝不 重要 关键 必须 要求 政策 规则 原则"
).split()
# Chinese has no blanks: words that hold one of ours and mean another thing.
_OTHER_WORDS = "不重要 严重 关键词 关键字 关键帧 从不同 不规则 需要求 不必须 无须".split()
_GUESSES = ("must have been", "must've", "must’ve")  # no rule, but what somebody supposes


def importance_of(
    text: str, *, category: str, is_structured: bool, boost_words: Iterable[str] = ()
) -> float:
    """The importance from 0 to 1, by where a memory stands and by words that say it matters."""
    base = _STRUCTURED if is_structured else _BASES.get(category, _CUSTOM)
    return round(min(1.0, base + min(_MAX_BOOST, _BOOST * _boosts(text, boost_words))), 2)


def known_importance(
    text: str, fields: Mapping[str, str], category: str, boost_words: Sequence[str]
) -> float:
    """The importance of an entry: as written, else as judged by its place and words."""
    written = unit_interval(fields.get("importance", ""))
    if written:
        return float(written)
    is_structured = any(name in fields for name in _STRUCTURE)
    return importance_of(
        text, category=category, is_structured=is_structured, boost_words=boost_words
    )


def _boosts(text: str, boost_words: Iterable[str]) -> int:
    """How many different words of ours a text holds."""
    words = frozenset(filter(None, (fold(word.strip()) for word in (*_BOOST_WORDS, *boost_words))))
    return len(words.intersection(_pattern(words).findall(fold(text))))


@lru_cache(maxsize=8)
def _pattern(words: frozenset[str]) -> re.Pattern[str]:
    longest_first = sorted({*words, *_OTHER_WORDS, *_GUESSES}, key=len, reverse=True)
    chinese = [re.escape(word) for word in longest_first if re.match(f"[{CJK}]", word)]
    others = [re.escape(word) for word in longest_first if not re.match(f"[{CJK}]", word)]
    return re.compile("|".join([*chinese, whole_words("|".join(others))]))
