"""What facts were compared, the pairs that were found, and both as they are kept."""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable, Sequence
from typing import TypeAlias

from memwiki.digest import text_hash
from memwiki.records import NamedTuple

Pair: TypeAlias = tuple[int, int]  # the places of two facts, the earlier first

# What begins the keys of a line that are no words.
SUBJECT, VALUE, TEXT, SET = "\1", "\2", "\3", "\4"
STATEMENT = SUBJECT  # of all statements, as if they had one subject
_DIGEST_BYTES = 4  # two facts of one number only meet in vain


class Meeting(NamedTuple):
    """What decides with which other facts a fact is judged."""

    text: str  # stands for the normalised one
    words: frozenset[str]
    subjects: frozenset[str] = frozenset()
    values: frozenset[str] = frozenset()  # of what there is one value at a time
    is_statement: bool = False

    @property
    def line(self) -> str:
        """All of it as keys with a NUL before and behind each: a text has none."""
        said = [STATEMENT] if self.is_statement else []
        words = sorted(self.words)
        alike = [SET + text_hash(" ".join(words), _DIGEST_BYTES).hex()] if words else []
        subjects, values = map(SUBJECT.__add__, self.subjects), map(VALUE.__add__, self.values)
        keys = (*words, *sorted(subjects), *said, *sorted(values), TEXT + self.text, *alike)
        return f"\0{_BETWEEN.join(keys)}\0"


def meeting_in(line: str) -> Meeting:
    """The same again."""
    keys = line[1:-1].split(_BETWEEN)
    return Meeting(
        next(key[1:] for key in keys if key[0] == TEXT),
        frozenset(key for key in keys if key[0] > SET),
        frozenset(key[1:] for key in keys if key[0] == SUBJECT and key != STATEMENT),
        frozenset(key[1:] for key in keys if key[0] == VALUE),
        STATEMENT in keys,
    )


class Compared(NamedTuple):
    """Facts that were compared, in their order, and the pairs that were found."""

    names: Sequence[str] = ()  # of all that judging them depends on
    lines: Sequence[str] = ()  # of their meetings
    near: Sequence[Pair] = ()
    opposed: Sequence[Pair] = ()


_BETWEEN = "\0"
_PARTS = "\n\n\n"


def packed(compared: Compared, key: str) -> bytes:
    """What was compared as it is kept; `key` names all else that it follows from."""
    names, lines, *pairs = compared
    value = _PARTS.join((json.dumps((key, pairs)), "\n".join(names), "".join(lines)))
    return zlib.compress(value.encode("utf-8", "surrogatepass"), 1)


def unpacked(data: bytes, key: str) -> Compared:
    """The same again; nothing where it was kept under another key."""
    if not data:
        return Compared()
    value = zlib.decompress(data).decode("utf-8", "surrogatepass")
    said, names, lines = value.split(_PARTS, 2)
    kept_as, pairs = json.loads(said)
    if kept_as != key:
        return Compared()
    known = [f"\0{keys}\0" for keys in lines[1:-1].split("\0\0")] if lines else []
    return Compared(names.split("\n") if names else [], known, *map(_pairs, pairs))


def _pairs(found: Iterable[Sequence[int]]) -> list[Pair]:
    return [(old, new) for old, new in found]
