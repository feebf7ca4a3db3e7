"""What facts were compared, the pairs that were found, and both as they are kept."""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable, Iterable, Sequence
from itertools import chain
from typing import TypeAlias

from memwiki.records import NamedTuple

Pair: TypeAlias = tuple[int, int]  # the places of two facts, the earlier first


class Meeting(NamedTuple):
    """What decides with which other facts a fact is judged."""

    text: str  # stands for the normalised one
    words: frozenset[str]
    subjects: frozenset[str] = frozenset()
    values: frozenset[str] = frozenset()  # of what there is one value at a time
    is_statement: bool = False


class Compared(NamedTuple):
    """Facts that were compared, in their order, and the pairs that were found."""

    names: Sequence[str] = ()  # of all that judging them depends on
    meetings: Sequence[Meeting] = ()
    alike: Sequence[Pair] = ()  # the pairs that were judged whether they are near
    near: Sequence[Pair] = ()
    opposed: Sequence[Pair] = ()


def packed(compared: Compared, key: str) -> bytes:
    """What was compared as it is kept; `key` names all else that it follows from."""
    sets = chain.from_iterable((m.words, m.subjects, m.values) for m in compared.meetings)
    words = sorted(set().union(*sets))
    number = {word: at for at, word in enumerate(words)}.__getitem__

    def numbered(words: Iterable[str]) -> list[int]:
        return [*map(number, words)]

    meetings = [
        (m.text, numbered(m.words), numbered(m.subjects), numbered(m.values), m.is_statement)
        for m in compared.meetings
    ]
    names, _, *pairs = compared
    value = (key, names, meetings, pairs, words)
    return zlib.compress(json.dumps(value, separators=(",", ":")).encode(), 1)


def unpacked(data: bytes, key: str) -> Compared:
    """The same again; nothing where it was kept under another key."""
    if not data:
        return Compared()
    kept_as, names, rows, pairs, words = json.loads(zlib.decompress(data))
    if kept_as != key:
        return Compared()
    word: Callable[[int], str] = words.__getitem__

    def named(numbers: list[int]) -> frozenset[str]:
        return frozenset(map(word, numbers))

    meetings = [
        Meeting(text, named(each), named(subjects), named(values), is_said)
        for text, each, subjects, values, is_said in rows
    ]
    return Compared(names, meetings, *([*map(tuple, each)] for each in pairs))
