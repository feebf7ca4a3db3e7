"""Long lists in stretches: what their entries depend on is one digest, by which they are known
again."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from operator import itemgetter, methodcaller
from struct import Struct
from typing import TypeAlias
from zlib import crc32

from memwiki.digest import blake2b
from memwiki.nouns import Section, Span, Stretch
from memwiki.records import NamedTuple

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


def runs_of(
    lines: Sequence[str], items: Sequence[Item], section: Section | None, context: object
) -> Iterator[ItemRun]:
    """The items below one heading, cut where the first line of one says so."""
    trail = section.trail if section else ()
    above = blake2b(_bytes(repr((context, trail))), digest_size=KEY_BYTES)
    for start, end in _cuts(lines, items):
        part = items[start:end]
        digest = above.copy()
        digest.update(_shape(part))
        digest.update(_bytes("\n".join(lines[part[0][0] : part[-1][1]])))
        yield ItemRun(digest.digest(), part)


def below_headings(
    items: Sequence[Item], sections: Sequence[Section]
) -> Iterator[tuple[Section | None, Sequence[Item]]]:
    """The items by the innermost heading above them."""
    firsts = [first for first, _ in items]
    bounds = [bisect_left(firsts, section.line_start) for section in sections]
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


def _cuts(lines: Sequence[str], items: Sequence[Item]) -> Iterator[Span]:
    texts = map(lines.__getitem__, map(itemgetter(0), items))
    checksums = map(crc32, map(_bytes, texts))
    marked = [i for i, checksum in enumerate(checksums) if not checksum & _CUT]
    done = 0
    for end in (*marked, len(items)):
        while end - done > _MAX_ITEMS:
            yield done, done + _MAX_ITEMS
            done += _MAX_ITEMS
        if end > done:
            yield done, end
            done = end


def _shape(items: Sequence[Item]) -> bytes:
    """How lines are parted into items, which what stands above them may decide."""
    above, end = items[0][0], items[-1][1]
    if end - above == len(items):
        return b"one line each"
    return repr([(first - above, last - above) for first, last in items]).encode()


_bytes = methodcaller("encode", "utf-8", "surrogatepass")  # of thousands of lines, without a call
