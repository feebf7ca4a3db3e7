"""What facts were compared, the pairs that were found, and both as they are kept."""

from __future__ import annotations

import json
import zlib
from collections.abc import Sequence
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


_BETWEEN = "\0\0"  # words: a text has no NUL, and what is made of two names has one


def packed(compared: Compared, key: str) -> bytes:
    """What was compared as it is kept; `key` names all else that it follows from."""
    joined = _BETWEEN.join
    rows = [
        (m.text, joined(m.words), joined(m.subjects), joined(m.values), m.is_statement)
        for m in compared.meetings
    ]
    names, _, *pairs = compared
    value = (key, names, rows, pairs)
    return zlib.compress(json.dumps(value, separators=(",", ":")).encode(), 1)


def unpacked(data: bytes, key: str) -> Compared:
    """The same again; nothing where it was kept under another key."""
    if not data:
        return Compared()
    kept_as, names, rows, pairs = json.loads(zlib.decompress(data))
    if kept_as != key:
        return Compared()
    meetings = [
        Meeting(text, _parted(words), _parted(subjects), _parted(values), is_said)
        for text, words, subjects, values, is_said in rows
    ]
    return Compared(names, meetings, *([*map(tuple, each)] for each in pairs))


def _parted(joined: str) -> frozenset[str]:
    return frozenset(joined.split(_BETWEEN) if joined else ())
