"""Two changes to one text become one when they are apart; otherwise nobody's is taken."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

_MOST_LINES = 3_000  # compared line by line; a larger change counts as one
_FIELD = re.compile(rb"([^\s#:][^:]*):(?:\s|\Z)")


class _Hunk(NamedTuple):
    """Lines `start` to `stop` of the base (0-based, half-open) become these."""

    start: int
    stop: int
    lines: list[bytes]


def merge(base: bytes, theirs: bytes, mine: bytes) -> bytes | None:
    """Both changes of `base` in one text; None when they meet.

    Changes to different lines are apart. Lines that both add at one place are all kept, theirs
    first, as in a list that two people append to; in front matter only if they are other fields.
    """
    if theirs in (base, mine):
        return mine
    if base == mine:
        return theirs
    old = base.split(b"\n")
    joined = _joined(_hunks(old, theirs.split(b"\n")), _hunks(old, mine.split(b"\n")), _head(old))
    return None if joined is None else b"\n".join(_made(old, joined))


def _hunks(old: list[bytes], new: list[bytes]) -> list[_Hunk]:
    """What has to happen to the old lines."""
    same = _common(old, new)
    tail = _common(old[same:][::-1], new[same:][::-1])
    before, after = old[same : len(old) - tail], new[same : len(new) - tail]
    if max(len(before), len(after)) > _MOST_LINES or not (before and after):
        return [_Hunk(same, same + len(before), after)]
    return [_Hunk(same + i, same + j, after[k:m]) for i, j, k, m in _differences(before, after)]


def _differences(before: list[bytes], after: list[bytes]) -> Iterator[tuple[int, int, int, int]]:
    from difflib import SequenceMatcher

    codes = SequenceMatcher(None, before, after, autojunk=False).get_opcodes()
    return ((i, j, k, m) for tag, i, j, k, m in codes if tag != "equal")


def _common(one: list[bytes], other: list[bytes]) -> int:
    pairs = zip(one, other, strict=False)
    return next((i for i, (a, b) in enumerate(pairs) if a != b), min(len(one), len(other)))


def _head(old: list[bytes]) -> int:
    """How many lines the front matter takes."""
    if old[0].removeprefix(b"\xef\xbb\xbf").rstrip() != b"---":
        return 0
    ends = (i for i, line in enumerate(old[1:], 2) if line.rstrip() in (b"---", b"..."))
    return next(ends, 0)


def _joined(theirs: list[_Hunk], mine: list[_Hunk], head: int) -> list[_Hunk] | None:
    """All hunks in order, or None when two of them meet."""
    # At one place what is added comes first: it stands above the line that is replaced.
    order = sorted([*theirs, *mine], key=lambda hunk: (hunk.start, hunk.stop))
    joined: list[_Hunk] = []
    for hunk in order:
        if joined and joined[-1] == hunk and hunk.start < hunk.stop:
            continue  # both made the same change
        if joined and not _are_apart(joined[-1], hunk, head):
            return None
        joined.append(hunk)
    return joined


def _are_apart(first: _Hunk, second: _Hunk, head: int) -> bool:
    if first.stop > second.start:
        return False
    is_one_place = first.start == second.stop
    return not (is_one_place and first.start < head and _fields(first) & _fields(second))


def _fields(hunk: _Hunk) -> set[bytes]:
    return {match[1] for line in hunk.lines if (match := _FIELD.match(line))}


def _made(old: list[bytes], hunks: list[_Hunk]) -> Iterator[bytes]:
    done = 0
    for hunk in hunks:
        yield from old[done : hunk.start]
        yield from hunk.lines
        done = hunk.stop
    yield from old[done:]
