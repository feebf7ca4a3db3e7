"""What facts were compared, the pairs that were found, and both as they are kept."""

from __future__ import annotations

import json
import zlib
from collections.abc import Sequence
from typing import TypeAlias

from memwiki.records import NamedTuple

Pair: TypeAlias = tuple[int, int]  # the places of two facts, the earlier first


class Compared(NamedTuple):
    """Facts that were compared, in their order, and the pairs that were found."""

    names: Sequence[str] = ()  # of all that judging them depends on
    lines: Sequence[str] = ()  # what decides with whom each is judged, as `meeting_of` has it
    near: Sequence[Pair] = ()
    opposed: Sequence[Pair] = ()


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
    near, opposed = ([(old, new) for old, new in each] for each in pairs)
    return Compared(names.split("\n") if names else [], known, near, opposed)
