"""What a text is made of: its scripts, and how much of a model's context it is likely to take."""

from __future__ import annotations

from memwiki.patterns import pattern

CJK_FROM = "\u2e80"
CJK = f"{CJK_FROM}-\U0010ffff"  # as it stands between the brackets of a pattern
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


def has_chinese(text: str) -> bool:
    """Whether a text holds a Chinese character."""
    return _HAN.search(text) is not None
