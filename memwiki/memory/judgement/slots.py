"""The slots of a text, in English and Chinese."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import chain, islice

from memwiki.memory.judgement.slot import Slot, is_other_value
from memwiki.memory.judgement.slots_chinese import chinese_slots
from memwiki.memory.judgement.slots_english import english_slots
from memwiki.scripts import has_chinese

_SENTENCE = re.compile(
    r"(?<!\bDr\.)(?<!\bMr\.)(?<!\bMs\.)(?<!\bSt\.)(?<!\bNo\.)(?<=[.!;])\s+|(?<=[。！；])|\n+"
)
_END = re.compile(r"[.!;。！；\s]+$")
_ASKS = re.compile(r"[?？]")
_LONGEST = 400  # characters; what is longer tells a story
_MOST_SENTENCES = 3
_MARKS = re.compile(r"[*_`]{1,3}|\[\[|\]\]")


@lru_cache(maxsize=256)  # one fact is compared with many
def slots_of(text: str) -> tuple[Slot, ...]:
    """What the first sentences of a text give values to; one that asks gives none."""
    if len(text) > _LONGEST:
        return ()
    sentences = islice(filter(None, _SENTENCE.split(text)), _MOST_SENTENCES)
    return tuple(chain.from_iterable(map(_slots, sentences)))


def _slots(sentence: str) -> tuple[Slot, ...]:
    if _ASKS.search(sentence):
        return ()
    plain = _END.sub("", _MARKS.sub("", sentence))
    return tuple((chinese_slots if has_chinese(plain) else english_slots)(plain))


def has_another_value(one: tuple[Slot, ...], other: tuple[Slot, ...]) -> bool:
    """Whether two texts give two values to one slot."""
    return any(
        mine.key == theirs.key and is_other_value(mine, theirs) for mine in one for theirs in other
    )
