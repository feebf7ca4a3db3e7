"""Two changes to one text become one when they are apart; otherwise nobody's is taken."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

_MOST_LINES = 3_000  # compared line by line; a larger change counts as one
_FIELD = re.compile(rb"([^\s#:-][^:]*):(?:\s|\Z)")


class _Heads(NamedTuple):
    """How many lines the front matter takes in the base, and the longest it takes since."""

    base: int
    since: int


class _Hunk(NamedTuple):
    """Lines `start` to `stop` of the base (0-based, half-open) become these."""

    start: int
    stop: int
    lines: list[bytes]


def merge(base: bytes, theirs: bytes, mine: bytes) -> bytes | None:
    """Both changes of `base` in one text; None when they meet.

    Changes to different lines are apart. Lines that both add at one place are all kept, theirs
    first, as in a list that two people append to; in front matter only if they are other fields.
    What is added beside lines that the other one took out has lost its place.
    """
    if theirs in (base, mine):
        return mine
    if base == mine:
        return theirs
    old = base.split(b"\n")
    sides = [theirs.split(b"\n"), mine.split(b"\n")]
    heads = [_head(side) for side in sides]
    hunks = [_hunks(old, side) for side in sides]
    joined = _joined(hunks[0], hunks[1], _Heads(_head(old), max(heads)))
    if joined is None:
        return None
    made = list(_made(old, joined))
    fields = _counted(made[: _head(made)])
    each = [_counted(side[:head]) for side, head in zip(sides, heads, strict=True)]
    is_twice = any(fields[name] > max(1, *(side[name] for side in each)) for name in fields)
    return None if is_twice else b"\n".join(made)


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


def _head(old: Sequence[bytes]) -> int:
    """How many lines the front matter takes."""
    if old[0].removeprefix(b"\xef\xbb\xbf").rstrip() != b"---":
        return 0
    ends = (i for i, line in enumerate(old[1:], 2) if line.rstrip() in (b"---", b"..."))
    return next(ends, 0)


def _joined(theirs: list[_Hunk], mine: list[_Hunk], heads: _Heads) -> list[_Hunk] | None:
    """All hunks in order, or None when two of them meet."""
    # At one place what is added comes first: it stands above the line that is replaced.
    order = sorted([*theirs, *mine], key=lambda hunk: (hunk.start, hunk.stop))
    joined: list[_Hunk] = []
    for hunk in order:
        if joined and joined[-1] == hunk and hunk.start < hunk.stop:
            continue  # both made the same change
        if joined and not _are_apart(joined[-1], hunk, heads):
            return None
        joined.append(hunk)
    return joined


def _are_apart(first: _Hunk, second: _Hunk, heads: _Heads) -> bool:
    if first.stop != second.start:
        return first.stop < second.start
    if heads.since and not heads.base:  # one makes the front matter: there can be only one, on top
        return False
    if first.start < heads.base:
        return _begins_a_field(second) and not _fields(first) & _fields(second)
    return not (_adds(first) and _takes(second)) and not (_takes(first) and _adds(second))


def _adds(hunk: _Hunk) -> bool:
    return hunk.start == hunk.stop


def _takes(hunk: _Hunk) -> bool:
    return not hunk.lines


def _begins_a_field(hunk: _Hunk) -> bool:
    """Whether what a change of front matter puts there belongs to nothing above it."""
    return not hunk.lines or bool(_FIELD.match(hunk.lines[0]))


def _fields(hunk: _Hunk) -> set[bytes]:
    return set(_counted(hunk.lines))


def _counted(lines: Sequence[bytes]) -> Counter[bytes]:
    """How often each field begins in these lines, quoted or not."""
    found = (match[1].strip() for line in lines if (match := _FIELD.match(line)))
    return Counter(name.strip(b"'\"") for name in found)


def _made(old: list[bytes], hunks: list[_Hunk]) -> Iterator[bytes]:
    done = 0
    for hunk in hunks:
        yield from old[done : hunk.start]
        yield from hunk.lines
        done = hunk.stop
    yield from old[done:]
