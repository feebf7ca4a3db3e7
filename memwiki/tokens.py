"""How much of a model's context a text is likely to take."""

from __future__ import annotations


def tokens(text: str) -> int:
    """How many tokens a model is likely to see: four ASCII characters, or one other."""
    if text.isascii():
        return len(text) // 4 + 1
    others = len(text) - len(text.encode("ascii", "ignore"))
    return (len(text) - others) // 4 + others + 1
