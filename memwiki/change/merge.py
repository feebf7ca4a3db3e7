"""Two changes to one text become one when they are apart; otherwise nobody's is taken."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple, TypeAlias

from memwiki.change.compare import Hunk, hunks, hunks_from_below

_Compare: TypeAlias = Callable[[list[bytes], list[bytes]], list[Hunk]]
_FIELD = re.compile(rb"([^\s#:-][^:]*):(?:\s|\Z)")


class _Heads(NamedTuple):
    """How many lines the front matter takes in the base, and the longest it takes since."""

    base: int
    since: int


def merge(base: bytes, theirs: bytes, mine: bytes) -> bytes | None:
    """Both changes of `base` in one text; None when they meet.

    Changes to different lines are apart. Lines that both add at one place are all kept, theirs
    first, as in a list that two people append to; in front matter only if they are other fields.
    What is added or replaced beside lines that the other one took out has lost its place, and where
    lines repeat, what cannot be told apart meets.
    """
    if theirs in (base, mine):
        return mine
    if base == mine:
        return theirs
    old, *sides = (each.split(b"\n") for each in (base, theirs, mine))
    made = _merged(old, sides, hunks)
    # Where lines repeat, one change can be read in two ways: then both have to come to the same.
    if made is None or made != _merged(old, sides, hunks_from_below):
        return None
    return None if _doubles_a_field(made, sides) else b"\n".join(made)


def _merged(
    old: list[bytes], sides: Sequence[list[bytes]], compare: _Compare
) -> list[bytes] | None:
    heads = _Heads(front_matter_lines(old), max(map(front_matter_lines, sides)))
    theirs, mine = (compare(old, side) for side in sides)
    joined = _joined(theirs, mine, heads)
    if joined is None:
        return None
    made = list(_made(old, joined))
    # Changes of one side never stand side by side.
    do_touch = any(first.stop == second.start for first, second in pairwise(joined))
    return None if do_touch and _loses(made, sides) else made


def _doubles_a_field(made: list[bytes], sides: Sequence[list[bytes]]) -> bool:
    fields = field_names(made[: front_matter_lines(made)])
    each = [field_names(side[: front_matter_lines(side)]) for side in sides]
    return any(fields[name] > max(1, *(side[name] for side in each)) for name in fields)


def front_matter_lines(old: Sequence[bytes]) -> int:
    """How many lines the front matter takes."""
    if not old or old[0].removeprefix(b"\xef\xbb\xbf").rstrip() != b"---":
        return 0
    ends = (i for i, line in enumerate(old[1:], 2) if line.rstrip() in (b"---", b"..."))
    return next(ends, 0)


def _joined(theirs: list[Hunk], mine: list[Hunk], heads: _Heads) -> list[Hunk] | None:
    """All hunks in order, or None when two of them meet."""
    if _is_vague(theirs, mine) or _is_vague(mine, theirs):
        return None
    # At one place what is added comes first: it stands above the line that is replaced.
    order = sorted([*theirs, *mine], key=lambda hunk: (hunk.start, hunk.stop))
    joined: list[Hunk] = []
    for hunk in order:
        if joined and joined[-1] == hunk and hunk.start < hunk.stop:
            continue  # both made the same change
        if joined and not _are_apart(joined[-1], hunk, heads):
            return None
        joined.append(hunk)
    return joined


def _is_vague(ones: list[Hunk], others: list[Hunk]) -> bool:
    """Whether a change may have been meant for lines that the other side changed: lines repeat."""
    at = 0
    for hunk in ones:
        while at < len(others) and others[at].stop <= hunk.reach:
            at += 1
        is_over = at < len(others) and others[at].start < hunk.start
        if hunk.reach < hunk.start and is_over and others[at] != hunk:
            return True
    return False


def _are_apart(first: Hunk, second: Hunk, heads: _Heads) -> bool:
    if first.stop != second.start:
        return first.stop < second.start
    if heads.since and not heads.base:  # one makes the front matter: there can be only one, on top
        return False
    if first.start < heads.base:
        belongs_above = second.lines and not _FIELD.match(second.lines[0])
        return not (belongs_above or field_names(first.lines) & field_names(second.lines))
    return bool(first.lines and second.lines)


def _loses(made: list[bytes], sides: Sequence[list[bytes]]) -> bool:
    """Whether a line is missing that both sides keep: where lines repeat, changes that touch may
    each have been meant for the one that the other side kept."""
    found, theirs, mine = map(Counter, (made, *sides))
    return any(found[line] < min(theirs[line], mine[line]) for line in theirs if line.strip())


def field_names(lines: Sequence[bytes]) -> Counter[bytes]:
    """How often each field begins in these lines, quoted or not."""
    found = (match[1].strip() for line in lines if (match := _FIELD.match(line)))
    return Counter(name.strip(b"'\"") for name in found)


def _made(old: list[bytes], hunks: list[Hunk]) -> Iterator[bytes]:
    done = 0
    for hunk in hunks:
        yield from old[done : hunk.start]
        yield from hunk.lines
        done = hunk.stop
    yield from old[done:]
