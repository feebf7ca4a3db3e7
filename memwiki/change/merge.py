"""Two changes to one text become one when they are apart; otherwise nobody's is taken.

Texts are compared by their lines: as few changes as possible, in bounded time.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import cycle, islice, pairwise
from typing import TypeAlias

from memwiki.records import NamedTuple
from memwiki.sequences import shared_ends, shared_start
from memwiki.text import pattern

MAX_STEPS = 200_000  # of comparing, a quarter of a second; what is left counts as one change
_Pair = tuple[int, int]  # where a line stands that stays, in the old text and in the new one
_Line = tuple[int, bytes]  # where it stands, what it says
_Compare: TypeAlias = Callable[[list[bytes], list[bytes]], "list[Hunk]"]
_FIELD = pattern(rb"([\w-]+)[ \t]*=|([^\s#:-][^:]*):(?:\s|\Z)")
_ENDS = {b"---": (b"---", b"..."), b"+++": (b"+++",)}  # by what begins a front matter


class Hunk(NamedTuple):
    """Lines `start` to `stop` of the old text (0-based, half-open) become these.

    Where lines repeat, what is added or taken out could as well be said of lines further up, to
    `reach`.
    """

    start: int
    stop: int
    lines: list[bytes]
    reach: int


def hunks(old: list[bytes], new: list[bytes]) -> list[Hunk]:
    """What has to happen to the old lines, from top to bottom, as far down as it can be said."""
    head, tail = shared_ends(old, new)
    if len(old) - tail == head + 1 == len(new) - tail:  # one line in the place of another
        return [Hunk(head, head + 1, new[head : head + 1], head)]
    found, i, k = list[Hunk](), 0, 0
    inner = _Comparison().pairs(
        [(i, old[i]) for i in range(head, len(old) - tail)],
        [(k, new[k]) for k in range(head, len(new) - tail)],
    )
    ends = ((len(old) - n, len(new) - n) for n in range(tail, 0, -1))
    begin = ((n, n) for n in range(head))
    for j, m in [*begin, *inner, *ends, (len(old), len(new))]:
        if (i, k) != (j, m):
            found.append(Hunk(i, j, new[k:m], i))
        i, k = j + 1, m + 1
    return _reaching(_slid_down(found, old), old)


def hunks_from_below(old: list[bytes], new: list[bytes]) -> list[Hunk]:
    """The same, as far up as it can be said."""
    count = len(old)
    turned = hunks(old[::-1], new[::-1])[::-1]
    found = [Hunk(count - b, count - a, lines[::-1], count - b) for a, b, lines, _ in turned]
    return _reaching(found, old)


def _slid_down(found: list[Hunk], old: list[bytes]) -> list[Hunk]:
    """Each hunk as far down as it goes; two that meet are one."""
    slid, below = list[Hunk](), len(old)
    for hunk in reversed(found):
        start, stop, lines, _ = hunk
        by = _turns(_turning(hunk, old), old[stop:below])
        turn = by % len(lines) if lines else 0
        moved = Hunk(start + by, stop + by, lines[turn:] + lines[:turn], start + by)
        if slid and moved.stop == slid[-1].start:
            last = slid.pop()
            moved = Hunk(moved.start, last.stop, moved.lines + last.lines, moved.start)
        slid.append(moved)
        below = moved.start
    return slid[::-1]


def _reaching(found: list[Hunk], old: list[bytes]) -> list[Hunk]:
    above, reaching = 0, list[Hunk]()
    for hunk in found:
        by = _turns(_turning(hunk, old)[::-1], old[above : hunk.start][::-1])
        reaching.append(hunk._replace(reach=hunk.start - by))
        above = hunk.stop
    return reaching


def _turning(hunk: Hunk, old: list[bytes]) -> list[bytes]:
    """The lines that are added, or taken out; none where some are replaced, which stay in place."""
    gone = old[hunk.start : hunk.stop]
    return [] if gone and hunk.lines else gone or hunk.lines


def _turns(turning: list[bytes], lines: list[bytes]) -> int:
    """How many of these lines go on as others do that are said over and over."""
    return shared_start(list(islice(cycle(turning), len(lines))), lines)


class _Comparison:
    """Comparing two texts, with so many steps in all."""

    def __init__(self) -> None:
        self.steps = MAX_STEPS

    def pairs(self, old: list[_Line], new: list[_Line]) -> list[_Pair]:
        """The lines that stay: by the shortest way, or where that is too long by that between
        blocks."""
        old, new = _shared(old, new)
        found = self.shortest(old, new)
        if found is not None:
            return found
        self.steps = MAX_STEPS
        return [pair for each in _blocks(old, new) for pair in self.around(*each)]

    def around(self, old: list[_Line], new: list[_Line], stays: list[_Pair]) -> list[_Pair]:
        """What stays above a line that stays for sure, and that line."""
        return [*(self.shortest(*_shared(old, new)) or []), *stays]

    def shortest(self, old: list[_Line], new: list[_Line]) -> list[_Pair] | None:
        """By as few changes as possible (Myers, 1986); None when that takes too many steps."""
        reached, trace = {1: 0}, list[Mapping[int, int]]()
        for d in range(len(old) + len(new) + 1):
            self.steps -= d + 1
            if self.steps < 0:
                return None
            trace.append(dict(reached))
            for k in range(-d, d + 1, 2):
                x = start = _step(k, d, reached)[0]
                while x < len(old) and x - k < len(new) and old[x][1] == new[x - k][1]:
                    x += 1
                self.steps -= x - start
                reached[k] = x
                if x >= len(old) and x - k >= len(new):
                    return [(old[i][0], new[j][0]) for i, j in _way(trace, x, x - k)]
        return []


def _shared(old: list[_Line], new: list[_Line]) -> tuple[list[_Line], list[_Line]]:
    """The lines that both sides have: the others are changed whatever else is."""
    here, there = {text for _, text in old}, {text for _, text in new}
    return [line for line in old if line[1] in there], [line for line in new if line[1] in here]


def _step(k: int, d: int, reached: Mapping[int, int]) -> tuple[int, int]:
    """Where a way with one change more enters a diagonal, and from which one it comes."""
    is_down = k == -d or (k != d and reached[k - 1] < reached[k + 1])
    return (reached[k + 1], k + 1) if is_down else (reached[k - 1] + 1, k - 1)


def _way(trace: Sequence[Mapping[int, int]], x: int, y: int) -> list[_Pair]:
    """The lines that stay on the way to the end, found backwards."""
    found = list[_Pair]()
    for d in range(len(trace) - 1, -1, -1):
        k = x - y
        start, came = _step(k, d, trace[d])
        found += ((each, each - k) for each in range(x - 1, start - 1, -1))
        x = trace[d][came]
        y = x - came
    return found[::-1]


_Gap = tuple[list[_Line], list[_Line], list[_Pair]]


def _blocks(old: list[_Line], new: list[_Line]) -> Iterator[_Gap]:
    """The text between lines that both sides have once and in one order, each with such a line."""
    i = k = 0
    for j, m in _once(old, new):
        yield old[i:j], new[k:m], [(old[j][0], new[m][0])]
        i, k = j + 1, m + 1
    yield old[i:], new[k:], []


def _once(old: list[_Line], new: list[_Line]) -> list[_Pair]:
    """The longest run of lines that stand once in either text, in the order of both."""
    counts = [Counter(text for _, text in side) for side in (old, new)]
    there = {text: k for k, (_, text) in enumerate(new)}
    pairs = [
        (i, there[text]) for i, (_, text) in enumerate(old) if all(c[text] == 1 for c in counts)
    ]
    return _rising(pairs)


def _rising(pairs: list[_Pair]) -> list[_Pair]:
    """The longest part of these pairs in which both numbers rise."""
    ends, last, before = list[int](), list[int](), dict[int, int]()
    for at, (_, k) in enumerate(pairs):
        position = bisect_left(ends, k)
        before[at] = last[position - 1] if position else -1
        ends[position : position + 1], last[position : position + 1] = [k], [at]
    found, at = list[_Pair](), last[-1] if last else -1
    while at >= 0:
        found.append(pairs[at])
        at = before[at]
    return found[::-1]


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
    made = _merge_lines(old, sides, hunks)
    # Where lines repeat, one change can be read in two ways: then both have to come to the same.
    if made is None or made != _merge_lines(old, sides, hunks_from_below):
        return None
    return None if _doubles_a_field(made, sides) else b"\n".join(made)


def merged_for_review(base: bytes, theirs: bytes, mine: bytes) -> bytes:
    """Both changes where they are apart, and mine where they meet: for somebody who looks at it
    beside theirs before it counts."""
    old, *sides = (each.split(b"\n") for each in (base, theirs, mine))
    heads = _Heads(front_matter_lines(old), max(map(front_matter_lines, sides)))
    own = [(hunk, True) for hunk in hunks(old, sides[1])]
    tagged = [*((hunk, False) for hunk in hunks(old, sides[0])), *own]
    groups = list[list[tuple[Hunk, bool]]]()
    for each in sorted(tagged, key=lambda tagged: (tagged[0].start, tagged[0].stop)):
        if groups and any(not _are_apart(last, each[0], heads) for last, _ in groups[-1]):
            groups[-1].append(each)
        else:
            groups.append([each])
    return b"\n".join(rebuilt(old, (_reviewed(old, group) for group in groups)))


def _reviewed(old: list[bytes], group: list[tuple[Hunk, bool]]) -> Hunk:
    """Changes that meet, as the one that stays of them."""
    mine = [hunk for hunk, is_mine in group if is_mine]
    if not mine:  # changes of one side never meet
        return group[0][0]
    start, stop = min(each.start for each, _ in group), max(each.stop for each, _ in group)
    moved = (each._replace(start=each.start - start, stop=each.stop - start) for each in mine)
    return Hunk(start, stop, rebuilt(old[start:stop], moved), start)


def _merge_lines(
    old: list[bytes], sides: Sequence[list[bytes]], compare: _Compare
) -> list[bytes] | None:
    heads = _Heads(front_matter_lines(old), max(map(front_matter_lines, sides)))
    theirs, mine = (compare(old, side) for side in sides)
    joined = _join(theirs, mine, heads)
    if joined is None:
        return None
    made = rebuilt(old, joined)
    # Changes of one side never stand side by side.
    do_touch = any(first.stop == second.start for first, second in pairwise(joined))
    return None if do_touch and _loses(made, sides) else made


def _doubles_a_field(made: list[bytes], sides: Sequence[list[bytes]]) -> bool:
    fields = field_names(made[: front_matter_lines(made)])
    each = [field_names(side[: front_matter_lines(side)]) for side in sides]
    return any(fields[name] > max(1, *(side[name] for side in each)) for name in fields)


def front_matter_lines(old: Sequence[bytes]) -> int:
    """How many lines the front matter takes."""
    marks = _ENDS.get(old[0].removeprefix(b"\xef\xbb\xbf").rstrip(), ()) if old else ()
    return next((i for i, line in enumerate(old[1:], 2) if line.rstrip() in marks), 0)


def _join(theirs: list[Hunk], mine: list[Hunk], heads: _Heads) -> list[Hunk] | None:
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
    found = ((match[1] or match[2]).strip() for each in lines if (match := _FIELD.match(each)))
    return Counter(name.strip(b"'\"") for name in found)


def rebuilt(old: list[bytes], changes: Iterable[Hunk]) -> list[bytes]:
    """The old lines with these changes, in order and apart."""
    made, done = list[bytes](), 0
    for hunk in changes:
        made += old[done : hunk.start]
        made += hunk.lines
        done = hunk.stop
    return made + old[done:]
