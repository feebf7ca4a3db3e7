"""What facts were compared, the pairs that were found, and both as they are kept."""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable, Sequence
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
    near: Sequence[Pair] = ()
    opposed: Sequence[Pair] = ()


def packed(compared: Compared, key: str) -> bytes:
    """What was compared as it is kept; `key` names all else that it follows from."""
    numbers: dict[str, int] = {}

    def numbered(words: Iterable[str]) -> list[int]:
        return [numbers.setdefault(word, len(numbers)) for word in sorted(words)]

    meetings = [
        (each.text, *map(numbered, (each.words, each.subjects, each.values)), each.is_statement)
        for each in compared.meetings
    ]
    value = (key, compared.names, meetings, compared.near, compared.opposed, [*numbers])
    return zlib.compress(json.dumps(value, separators=(",", ":")).encode(), 1)


def unpacked(data: bytes, key: str) -> Compared:
    """The same again; nothing where it was kept under another key."""
    if not data:
        return Compared()
    kept_as, names, rows, near, opposed, words = json.loads(zlib.decompress(data))
    if kept_as != key:
        return Compared()

    def named(numbers: list[int]) -> frozenset[str]:
        return frozenset(words[number] for number in numbers)

    meetings = [
        Meeting(text, named(each), named(subjects), named(values), is_said)
        for text, each, subjects, values, is_said in rows
    ]
    return Compared(names, meetings, [*map(tuple, near)], [*map(tuple, opposed)])
