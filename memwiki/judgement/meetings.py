"""What facts were compared, the pairs that were found, and both as they are kept."""

from __future__ import annotations

import json
import zlib
from collections.abc import Sequence
from typing import TypeAlias

from memwiki.digest import text_hash
from memwiki.records import NamedTuple

Pair: TypeAlias = tuple[int, int]  # the places of two facts, the earlier first


class Compared(NamedTuple):
    """Facts that were compared, in their order, and the pairs that were found."""

    names: Sequence[str] = ()  # of all that judging them depends on
    lines: Sequence[str] = ()  # what decides with whom each is judged, as `meeting_of` has it
    near: Sequence[Pair] = ()
    opposed: Sequence[Pair] = ()


NOTHING = Compared()
_PARTS = "\n\n\n"
_PART_FACTS = 1_000  # that are packed together: of most changes all but the last stay as they are


def packed(compared: Compared, key: str, before: Compared = NOTHING) -> dict[int, bytes]:
    """What was compared as it is kept, in parts by their numbers; those alone that are others than
    they were `before`, and the first, which is another when any is. `key` names all else that it
    follows from."""
    names, lines, *pairs = compared
    parts = {0: _compressed(json.dumps((key, _digest(names), pairs)))}
    for part, at in enumerate(range(0, max(len(names), len(before.names)), _PART_FACTS), 1):
        to = at + _PART_FACTS
        if names[at:to] != before.names[at:to]:
            parts[part] = _compressed(_PARTS.join(("\n".join(names[at:to]), "".join(lines[at:to]))))
    return parts


def unpacked(parts: Sequence[bytes], key: str) -> Compared:
    """The same again; ValueError where it was kept under another key."""
    said, *others = (zlib.decompress(part).decode("utf-8", "surrogatepass") for part in parts)
    *kept_as, pairs = json.loads(said)
    names, lines = list[str](), list[str]()
    for some, keys in (part.split(_PARTS, 1) for part in others):
        if some:
            names += some.split("\n")
            lines += [f"\0{each}\0" for each in keys[1:-1].split("\0\0")]
    if kept_as != [key, _digest(names)]:
        raise ValueError("not what was kept")
    near, opposed = ([(old, new) for old, new in each] for each in pairs)
    return Compared(names, lines, near, opposed)


def _digest(names: Sequence[str]) -> str:
    return text_hash("\n".join(names), 16).hex()


def _compressed(text: str) -> bytes:
    return zlib.compress(text.encode("utf-8", "surrogatepass"), 1)
