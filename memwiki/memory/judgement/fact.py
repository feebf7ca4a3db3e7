"""What one entry says, as the policies judge it: plain values, free of where it is written."""

from __future__ import annotations

from typing import NamedTuple

from memwiki.facts.identity import normalised
from memwiki.markdown.mask import mask_inline, without_fences
from memwiki.markdown.tags import find_tags


class Fact(NamedTuple):
    """One memory to be compared with others; `key`, `subject`, `topic` and `object` are as
    written, "" when the entry has none."""

    text: str  # what the person reads: no marker, fields, id or strike-through; no last tags
    type: str = ""
    key: str = ""
    subject: str = ""
    topic: str = ""
    object: str = ""
    entities: tuple[str, ...] = ()  # names it says it is about
    created: str = ""  # ISO 8601, "" when unknown


def identity(text: str) -> str:
    """What two texts share that are the same memory: the tags that end their lines aside."""
    return normalised(without_last_tags(text)[0])


def without_last_tags(text: str) -> tuple[str, list[str]]:
    """The words of a text and the tags that end its lines; all are words where nothing else is
    left."""
    if "#" not in text:
        return text, []
    tags = frozenset(f"#{name}" for name, _ in find_tags(mask_inline(without_fences(text))))
    lines, last = list[str](), list[str]()
    for line in text.split("\n"):
        words = line.split(" ")
        end = len(words)
        while end and (not words[end - 1] or words[end - 1] in tags):
            end -= 1
        lines.append(" ".join(words[:end]))
        last += filter(None, words[end:])
    return ("\n".join(lines), last) if any(lines) else (text, [])
