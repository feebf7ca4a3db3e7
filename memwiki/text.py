"""Text: patterns that are compiled when they are first asked for something, scripts, spans of lines
or characters, and how much of a model's context a text is likely to take."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from itertools import accumulate
from operator import itemgetter
from typing import AnyStr, cast

# The patterns that were compiled in this process: a copy of another one tells it which it needed.
COMPILED: dict[tuple[str | bytes, int], None] = {}


class _PatternOnNeed:
    """Stands for a pattern, and keeps what it was asked for, so that it looks that up once."""

    def __init__(self, text: str | bytes, flags: int) -> None:
        self.pattern = text
        self._flags = flags

    def __getattr__(self, name: str) -> object:
        COMPILED[self.pattern, self._flags] = None
        found: object = getattr(re.compile(self.pattern, self._flags), name)
        setattr(self, name, found)
        return found


def pattern(text: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """`re.compile`, put off: a command asks few of the patterns that stand in what it loads, and to
    compile those of a page's grammar takes longer than to search."""
    return cast("re.Pattern[AnyStr]", _PatternOnNeed(text, flags))


def holds(text: str, *signs: str) -> bool:
    """Whether a text has one of some signs. To find that one of two characters is not in 5 MB takes
    8 ms with `in`, from the end 2, and 0.05 where the first is not there (2026-11-30)."""
    return any(sign[0] in text and text.rfind(sign) >= 0 for sign in signs)


# What follows stands between the brackets of a pattern.
CJK_FROM = "\u2e80"
CJK = f"{CJK_FROM}-\U0010ffff"
# Thai, Lao, Burmese and Khmer have no blanks between words, either.
# Source: class SA of https://www.unicode.org/reports/tr14/
NO_BLANKS = "\u0e01-\u0eff\u1000-\u109f\u1780-\u17ff"
# Signs that belong to the letter before them: accents, vowels of Hebrew, Arabic, Hindi, Thai ...
# `\w` has none of them. Between such signs are letters.
# Source: categories Mn and Mc of Unicode, up to U+1CFF, with what of U+0300 to U+036F is left.
MARKS = (
    "\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a"
    "\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e8\u06ea-\u06ed\u0711-\u07f3\u07fd\u0816-\u082d"
    "\u0859-\u085b\u0898-\u08e1\u08e3-\u0963\u0981-\u09e3\u09fe-\u0a75\u0a81-\u0ae3\u0afa-\u0b63"
    "\u0b82-\u0bd7\u0c00-\u0c63\u0c81-\u0c83\u0cbc-\u0d4d\u0d57-\u0d63\u0d81-\u0df3\u0e31-\u0e3a"
    "\u0e47-\u0e4e\u0eb1-\u0ecd\u0f18\u0f19\u0f35\u0f37\u0f39\u0f3e-\u0f84\u0f86-\u0fbc\u0fc6"
    "\u102b-\u103e\u1056-\u109d\u135d-\u135f\u1712-\u1734\u1752-\u17d3\u17dd\u180b-\u180d"
    "\u180f-\u193b\u1a17-\u1a1b\u1a55-\u1a7f\u1ab0-\u1abd\u1abf-\u1b44\u1b6b-\u1b73\u1b80-\u1bf3"
    "\u1c24-\u1c37"
)
WORD = pattern(rf"\w[\w{MARKS}]*+")
_CJK = pattern(f"[{CJK}{NO_BLANKS}]")
_HAN = pattern("[\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")
_OTHERS = f"\0-{chr(ord(CJK_FROM) - 1)}"
# A word; Chinese beside one is a run of its own. As `[^\W{CJK}]` it takes 3 ms to compile.
RUN = pattern(rf"(?:(?![^{_OTHERS}])[\w{MARKS}])+|[^{_OTHERS}]+")


def span_at(spans: Sequence[tuple[int, int]], at: int) -> tuple[int, int] | None:
    """The one of some spans, in order and apart, that has a place."""
    number = bisect_right(spans, at, key=itemgetter(0)) - 1
    return spans[number] if number >= 0 and at < spans[number][1] else None


def merge_spans(spans: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """The same places as spans in order and apart."""
    found = list[tuple[int, int]]()
    for first, end in sorted(spans):
        if found and first <= found[-1][1]:
            found[-1] = found[-1][0], max(found[-1][1], end)
        else:
            found.append((first, end))
    return found


def line_starts(lines: Iterable[str]) -> list[int]:
    """Where each line begins in a text in which each has an end, and where that ends."""
    return list(accumulate(map((1).__add__, map(len, lines)), initial=0))


def tokens(text: str) -> int:
    """How many tokens a model is likely to see: four ASCII characters, or one other."""
    if text.isascii():
        return len(text) // 4 + 1
    others = len(text) - len(text.encode("ascii", "ignore"))
    return (len(text) - others) // 4 + others + 1


def whole_words(pattern: str) -> str:
    """A pattern for words that are no parts of others; Chinese may stand right beside them."""
    return rf"(?<![^\W{CJK}])(?:{pattern})(?![^\W{CJK}])"


def is_cjk(text: str) -> bool:
    """Whether the text holds a Chinese, Japanese or Korean character."""
    return not text.isascii() and _CJK.search(text) is not None


def simplified(text: str) -> str:
    """The text with simplified Chinese characters for traditional ones, as many as before."""
    if not is_cjk(text):
        return text
    traditional, variants = _variants()
    return traditional.sub(lambda match: variants[match[0]], text)


@cache
def _variants() -> tuple[re.Pattern[str], Mapping[str, str]]:
    from memwiki.han import SIMPLIFIED, TRADITIONAL  # not for other scripts

    # Searching what has none takes a tenth of translating each character.
    variants = dict(zip(TRADITIONAL, SIMPLIFIED, strict=True))
    return re.compile(f"[{TRADITIONAL}]"), variants


def has_chinese(text: str) -> bool:
    """Whether a text holds a Chinese character."""
    return not text.isascii() and _HAN.search(text) is not None
