"""Cutting a long sorted list into shards.

The cuts are a function of the list alone and lie at fixed places in the alphabet, so that an added
or removed page changes its own shard and nothing else: a shard is cut in two where it overflows,
and two neighbours are one where both together are less than three quarters full.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from itertools import accumulate
from operator import sub

from memwiki.catalog.budget import Size, total
from memwiki.digest import text_hash
from memwiki.names import shared_start, slug
from memwiki.records import NamedTuple

# Where an alphabet is cut first; between these, in the middle.
_CUTS = tuple(map(ord, "a\x800:ngtdjqwblprueyckos\u4e00\ua000\u3040"))
_LAST = 0x10FFFF
_MAX_DEPTH = 400  # titles that differ further on are cut by their number
_MAX_LABEL_CHARACTERS = 60
_NAMED_FIRST = {0: "", 0x80: "more"}
_NAMED_LAST = {0x60: "9", 0x7F: "z", _LAST: "z"}
_SHOWN = ((0x3041, 0x30FF), (0x4E00, 0x9FFF), (0xAC00, 0xD7A3))


class ShardItem(NamedTuple):
    """Something to list: a page, a folder, or a shard; `split_at` decides in which shard it is."""

    split_at: str
    size: Size
    fingerprint: int
    day: str = ""


def split_key(title: str, path: str) -> str:
    """By what a page is put into a shard: the words of its title, so that `<map>` stands at m."""
    return f"{slug(title)}\0{path}"


class Part(NamedTuple):
    """The items `start` to `stop` of a list, all between `first` and `last`."""

    first: str
    last: str
    start: int
    stop: int


class Shard(NamedTuple):
    """A file's share of a list; `positions` are the numbers of its items."""

    label: str
    positions: Sequence[int]


def shards_of(items: Sequence[ShardItem], limit: Size) -> list[Shard]:
    """The shards of a list: those with dated names by time, the rest by the alphabet."""
    order = sorted(range(len(items)), key=lambda position: items[position].split_at)
    dated = [position for position in order if items[position].day]
    others = [position for position in order if not items[position].day]
    found = _by_time(items, dated, limit, 4) + _by_alphabet(items, others, limit)
    labels = [shard.label for shard in found]
    return [shard if labels.count(shard.label) == 1 else _distinct(shard, items) for shard in found]


def _distinct(shard: Shard, items: Sequence[ShardItem]) -> Shard:
    """A shard whose label would be that of another one, named after its first item."""
    split_at = items[shard.positions[0]].split_at
    return shard._replace(label=f"{shard.label}.{text_hash(split_at, 4).hex()}")


def _by_time(
    items: Sequence[ShardItem], positions: Sequence[int], limit: Size, length: int
) -> list[Shard]:
    """By year; a year that overflows by month, a month by day, a day by the alphabet."""
    groups: dict[str, list[int]] = {}
    for position in positions:
        groups.setdefault(items[position].day[:length], []).append(position)
    found = []
    for label, group in sorted(groups.items()):
        if len(group) == 1 or total(items[position].size for position in group).fits(limit):
            found.append(Shard(label, sorted(group)))
        elif length < 10:
            found += _by_time(items, group, limit, length + 3)
        else:
            inner = _by_alphabet(items, group, limit)
            found += [Shard(f"{label}.{each.label}", each.positions) for each in inner]
    return found


def _by_alphabet(items: Sequence[ShardItem], positions: Sequence[int], limit: Size) -> list[Shard]:
    cutter = _Cutter([items[position] for position in positions], limit)
    return [
        Shard(label_of(part.first, part.last), sorted(positions[part.start : part.stop]))
        for part in cutter.split_at(0, len(positions), "", 0, _LAST, 0)
    ]


class _Cutter:
    """Cuts one sorted list of keys."""

    def __init__(self, items: Sequence[ShardItem], limit: Size) -> None:
        self.keys = [item.split_at for item in items]
        self.limit, self.small = limit, limit.part(3, 4)
        self.sums = list(accumulate((item.size for item in items), Size.plus, initial=Size()))

    def size(self, start: int, stop: int) -> Size:
        return Size(*map(sub, self.sums[stop], self.sums[start]))

    def split_at(
        self, start: int, stop: int, prefix: str, low: int, high: int, depth: int
    ) -> list[Part]:
        """The parts of the keys that go on from `prefix` with a character from `low` to `high`."""
        if start == stop:
            return []
        if stop - start == 1 or self.size(start, stop).fits(self.limit):
            return [Part(prefix + chr(low), prefix + chr(high), start, stop)]
        if depth > _MAX_DEPTH:
            return self.in_runs(start, stop)
        if low == high:
            # What all of them have in common splits nothing.
            first = self.keys[start]
            prefix = first[: shared_start(first, self.keys[stop - 1])]
            return self.split_at(start, stop, prefix, 0, _LAST, depth + 1)
        middle = _middle(low, high)
        at = bisect_left(self.keys, prefix + chr(middle), start, stop)
        left = self.split_at(start, at, prefix, low, middle - 1, depth + 1)
        right = self.split_at(at, stop, prefix, middle, high, depth + 1)
        return self.joined(left, right)

    def joined(self, left: list[Part], right: list[Part]) -> list[Part]:
        """Both lists; the two that meet are one when they are small."""
        if left and right and self.size(left[-1].start, right[0].stop).fits(self.small):
            both = Part(left[-1].first, right[0].last, left[-1].start, right[0].stop)
            return [*left[:-1], both, *right[1:]]
        return left + right

    def in_runs(self, start: int, stop: int) -> list[Part]:
        """Runs of equal length, small enough."""
        step = stop - start
        while not all(
            self.size(at, min(at + step, stop)).fits(self.limit) for at in range(start, stop, step)
        ):
            step = (step + 1) // 2
        runs = ((at, min(at + step, stop)) for at in range(start, stop, step))
        return [Part(self.keys[at], self.keys[end - 1], at, end) for at, end in runs]


def _middle(low: int, high: int) -> int:
    return next((split_at for split_at in _CUTS if low < split_at <= high), (low + high + 1) // 2)


def label_of(first: str, last: str) -> str:
    """The name of a shard by its bounds, such as `a-c`, fit for a file's name."""
    start, end = _bound(first, _NAMED_FIRST) or "0", _bound(last, _NAMED_LAST)
    if start == "more" and end == "z":
        return "more"
    # What both begin with is said once: `error_c20-c24`.
    words = start.rpartition("_")[0]
    if words and end.startswith(f"{words}_"):
        end = end[len(words) + 1 :]
    label = start if start.rpartition("_")[2] == end else f"{start}-{end}"
    if len(label) <= _MAX_LABEL_CHARACTERS:
        return label
    return f"{label[: _MAX_LABEL_CHARACTERS - 9]}.{text_hash(first + last, 4).hex()}"


def _bound(text: str, named: Mapping[int, str]) -> str:
    code = ord(text[-1])
    end = named[code] if code in named else _shown(text[-1])
    return "".join(map(_shown, text[:-1])) + end


def _shown(character: str) -> str:
    if character.isascii():
        return character if character.isalnum() else "_" if character == "-" else ""
    code = ord(character)
    return character if any(low <= code <= high for low, high in _SHOWN) else f"u{code:x}"
