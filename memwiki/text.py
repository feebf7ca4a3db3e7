"""Text: patterns that are compiled when they are first asked for something, scripts, and how much
of a model's context a text is likely to take."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import AnyStr, cast


class _PatternOnNeed:
    """Stands for a pattern, and keeps what it was asked for, so that it looks that up once."""

    def __init__(self, text: str | bytes, flags: int) -> None:
        self.pattern = text
        self._flags = flags

    def __getattr__(self, name: str) -> object:
        found: object = getattr(re.compile(self.pattern, self._flags), name)
        setattr(self, name, found)
        return found


def pattern(text: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """`re.compile`, put off: a command asks few of the patterns that stand in what it loads, and to
    compile those of a page's grammar takes longer than to search."""
    return cast("re.Pattern[AnyStr]", _PatternOnNeed(text, flags))


CJK_FROM = "\u2e80"
CJK = f"{CJK_FROM}-\U0010ffff"  # as it stands between the brackets of a pattern
_CJK = pattern(f"[{CJK}]")
_HAN = pattern("[\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")
_OTHERS = f"\0-{chr(ord(CJK_FROM) - 1)}"
# A word; Chinese beside one is a run of its own. As `[^\W{CJK}]` it takes 3 ms to compile.
RUN = pattern(rf"(?:(?![^{_OTHERS}])\w)+|[^{_OTHERS}]+")


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
    return _HAN.search(text) is not None
