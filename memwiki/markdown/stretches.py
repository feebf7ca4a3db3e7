"""Long lists in stretches: what their entries depend on is one digest, by which they are known
again."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from operator import methodcaller
from struct import Struct
from types import MappingProxyType
from typing import TYPE_CHECKING, TypeAlias
from zlib import crc32

from memwiki.digest import blake2b
from memwiki.nouns import Section, Span, Stretch
from memwiki.records import NamedTuple

if TYPE_CHECKING:
    from memwiki.markdown.outline import Outline

Item: TypeAlias = Span  # its lines, from 0 and half-open
KnownStretches: TypeAlias = Mapping[
    bytes, bytes
]  # digest of a stretch -> the places of its entries

MANY_ITEMS = 128  # from which on the lists of a page are cut at all
_MAX_ITEMS = 256  # items in a stretch, where no line says to cut
_CUT = 0x3F  # one line in 64 says so: one more item leaves all stretches but its own as they were
KEY_BYTES = 16  # of a digest
_NUMBER_BYTES = 5

# An entry in a stretch: its name in this page, and its first and last line, counted from 0 at the
# first of the stretch.
NAME_BYTES = 10
PLACE = Struct(f">{NAME_BYTES}sII")
_LINES = Struct(f">{NAME_BYTES}xII")


class ItemRun(NamedTuple):
    """Neighbouring items below one heading, and the digest of all that their entries depend on."""

    digest: bytes
    items: Sequence[Item]

    @property
    def lines(self) -> Span:
        """The first and the last of its lines, from 1."""
        return self.items[0][0] + 1, self.items[-1][1]


class HeldPage(NamedTuple):
    """A page as a store holds it, None for just as it is now, and its stretches of one-line items:
    the first line of each, from 0, how many they are, and its digest."""

    page: Outline | None
    runs: Sequence[tuple[int, int, bytes]]


class KnownLists(NamedTuple):
    """What need not be read again of the long lists of a page: the stretches that a store has, and
    the page as it was, by which those are found without a look at their lines. With `linked`, the
    keys of stretches whose links a store has, links and tags are kept apart by stretch."""

    stretches: KnownStretches = MappingProxyType({})
    before: HeldPage | None = None
    linked: AbstractSet[bytes] | None = None


NO_LISTS = KnownLists()


class SameRun(NamedTuple):
    """A run that is known to be there, of items of one line each: its digest, how many they are,
    and the headings above."""

    digest: bytes
    size: int
    trail: tuple[str, ...]


def runs_of(
    lines: Sequence[str],
    items: Sequence[Item],
    section: Section | None,
    context: object,
    same: Mapping[int, SameRun] = MappingProxyType({}),
) -> Iterator[ItemRun]:
    """The items below one heading, cut where the first line of one says so; `same` are runs of
    lines that are as they were, in the same context, by their first line from 0."""
    trail, done = section.trail if section else (), 0
    above = blake2b(_bytes(repr((context, trail))), digest_size=KEY_BYTES)
    while done < len(items):
        run = same.get(items[done][0])
        if run and run.trail == trail and _is_run(lines, items, done, done + run.size):
            part, digest = items[done : done + run.size], run.digest
        else:
            part = items[done : _cut_after(lines, items, done)]
            summed = above.copy()
            summed.update(_shape(part))
            summed.update(_bytes("\n".join(lines[part[0][0] : part[-1][1]])))
            digest = summed.digest()
        yield ItemRun(digest, part)
        done += len(part)


def below_headings(
    items: Sequence[Item], sections: Sequence[Section]
) -> Iterator[tuple[Section | None, Sequence[Item]]]:
    """The items by the innermost heading above them."""
    bounds = [bisect_left(items, (section.line_start, 0)) for section in sections]
    for section, start, end in zip(
        (None, *sections), (0, *bounds), (*bounds, len(items)), strict=True
    ):
        if start < end:
            yield section, items[start:end]


def stretch_number(key: bytes) -> int:
    """The number of a stretch on its page: no two whose links are kept apart have the same."""
    return int.from_bytes(key[:_NUMBER_BYTES], "big")


def line_ranges(stretch: Stretch) -> Iterator[Span]:
    """The first and last line, from 1, of each entry that a store holds of a stretch; those that
    touch may be one range."""
    start, count = stretch.line_start, stretch.line_end - stretch.line_start + 1
    if len(stretch.held) == count * PLACE.size:
        return iter(((start, stretch.line_end),))  # an entry on each of its lines
    return ((start + first, start + last) for first, last in _LINES.iter_unpack(stretch.held))


def _is_run(lines: Sequence[str], items: Sequence[Item], start: int, end: int) -> bool:
    """Whether items between which no line says to cut have one line each, and are a run."""
    if end > len(items) or items[end - 1][1] - items[start][0] != end - start:
        return False
    return end in (len(items), start + _MAX_ITEMS) or _says_cut(lines[items[end][0]])


def _cut_after(lines: Sequence[str], items: Sequence[Item], start: int) -> int:
    """The end of the run that begins with an item."""
    end = min(start + _MAX_ITEMS, len(items))
    sums = map(crc32, map(_bytes, [lines[first] for first, _ in items[start + 1 : end]]))
    return next((i for i, each in enumerate(sums, start + 1) if not each & _CUT), end)


def _says_cut(line: str) -> bool:
    return not crc32(_bytes(line)) & _CUT


def _shape(items: Sequence[Item]) -> bytes:
    """How lines are parted into items, which what stands above them may decide."""
    above, end = items[0][0], items[-1][1]
    if end - above == len(items):
        return b"one line each"
    return repr([(first - above, last - above) for first, last in items]).encode()


_bytes = methodcaller("encode", "utf-8", "surrogatepass")  # of thousands of lines, without a call
