"""The units of a page: the key that names each in every store, made of its page, its content and
its kind, and where they are, as they were read or as a store has them."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import cached_property
from itertools import chain
from struct import Struct
from typing import TypeAlias

from memwiki.digest import WHOLE_BYTES, text_hash
from memwiki.markdown.stretches import NAME_BYTES, PLACE
from memwiki.nouns import Page, Unit, UnitKind
from memwiki.records import NamedTuple

PAGE_BYTES = 8
KEY_BYTES = PAGE_BYTES + NAME_BYTES
# The last byte of a key says whether the unit counts for its page (0), is a hit of its own, or one
# part of a hit.
_KINDS = (UnitKind.BLOCK, UnitKind.ENTRY, UnitKind.MESSAGE, UnitKind.PART)
_MESSAGE, _PART = map(_KINDS.index, (UnitKind.MESSAGE, UnitKind.PART))
_MESSAGE_BYTES = WHOLE_BYTES  # what the names of all parts of a message begin with
_HIT_BYTES = (PAGE_BYTES, KEY_BYTES, KEY_BYTES, PAGE_BYTES + _MESSAGE_BYTES)
_MARKS = {kind: bytes([number]) for number, kind in enumerate(_KINDS)}
ENTRY_MARK = _MARKS[UnitKind.ENTRY]


class UnitKey(bytes):
    """One key, to be asked. What goes through thousands of keys asks the functions below instead:
    to make one takes longer (0.7 microseconds, 2026-11-22) than to score a unit."""

    __slots__ = ()

    @classmethod
    def of_page(cls, number: int) -> UnitKey:
        """A key that no unit has, for asking about a page as a whole."""
        return cls(page_bytes(number).ljust(KEY_BYTES, b"\0"))

    @property
    def page(self) -> int:
        """The number of its page."""
        return page_of(self)

    @property
    def name(self) -> bytes:
        """What names it in its page."""
        return self[PAGE_BYTES:]

    @property
    def is_block(self) -> bool:
        """Whether it counts for its page and is no hit of its own, as entries and messages are."""
        return not self[-1]

    @property
    def kind(self) -> UnitKind:
        """What kind of unit it is."""
        return _KINDS[self[-1]]

    @property
    def hit(self) -> bytes:
        """The part that names its hit: the page, or the unit itself."""
        return hit_of(self)


def page_of(key: bytes) -> int:
    """The number of the page that a unit key, or the part of it that names a hit, belongs to."""
    return int.from_bytes(key[:PAGE_BYTES], "big", signed=True)


def hit_of(key: bytes) -> bytes:
    """The part of a unit key that names its hit: the page, the message, or the unit itself."""
    return key[: _HIT_BYTES[key[-1]]]


def hits_of(keys: Iterable[bytes]) -> set[bytes]:
    """The hits of many units."""
    return {key[: _HIT_BYTES[key[-1]]] for key in keys}


def are_of(keys: Iterable[bytes], pages: Iterable[int]) -> list[bool]:
    """Of many units, which belong to one of these pages."""
    wanted = set(map(page_bytes, pages))
    return [key[:PAGE_BYTES] in wanted for key in keys]


def is_message(key: bytes) -> bool:
    """Whether a unit is a message, or a part of one."""
    return key[-1] >= _MESSAGE


def messages_by_page(keys: Iterable[bytes]) -> dict[bytes, dict[bytes, int]]:
    """Of many units the messages and their parts, each with its place among all; by what their
    page's keys begin with."""
    found: dict[bytes, dict[bytes, int]] = {}
    for location, key in enumerate(keys):
        if key[-1] >= _MESSAGE:
            found.setdefault(key[:PAGE_BYTES], {})[key] = location
    return found


def page_number(path: str) -> bytes:
    """Eight bytes that stand for a page in unit keys."""
    return text_hash(path, PAGE_BYTES)


def name_of(unit: Unit) -> bytes:
    """The part of a key that names a unit in its page, as long as there is but one like it."""
    return bytes.fromhex(unit.digest) + _MARKS[unit.kind]


def twin_of(name: bytes, count: int) -> bytes:
    """The name of a unit above which so many like it stand."""
    if not count:
        return name
    if name[-1] == _PART:  # the parts of one message stay together
        whole, rest = name[:_MESSAGE_BYTES], name[_MESSAGE_BYTES:-1]
        return _numbered(whole, count) + _numbered(rest, count) + name[-1:]
    return _numbered(name, count, NAME_BYTES - 1) + name[-1:]


def _numbered(name: bytes, count: int, size: int = 0) -> bytes:
    return text_hash(f"{name.hex()}:{count}", size or len(name))


def has_message(keys: bytes) -> bool:
    """Whether one of these keys, which follow each other, is that of a message or a part of one."""
    kinds = keys[KEY_BYTES - 1 :: KEY_BYTES]
    return _MESSAGE in kinds or _PART in kinds


def page_bytes(number: int) -> bytes:
    """What the keys of a page's units begin with."""
    return number.to_bytes(PAGE_BYTES, "big", signed=True)


_MAX_READ = 2_000  # units of which each is looked for among all that are held
_NAME = Struct(f"{NAME_BYTES}s")


class Places(NamedTuple):
    """The units of a stretch, or of all of a page besides, and their lines.

    Lines count from `start`, the first of a stretch; for all besides it is 0, and they are those of
    the page. `named` has the names of the units as they would be without twins further up; it is
    empty where none has one.
    """

    start: int
    digest: bytes
    places: bytes
    named: bytes = b""

    def located(self) -> Iterator[tuple[bytes, int, int]]:
        """Each unit by its name, with its first and last line."""
        start = self.start
        return ((n, start + a, start + b) for n, a, b in PLACE.iter_unpack(self.places))

    def place_of(self, name: bytes) -> int:
        """Where the place of a unit begins, -1 where there is none; a search in C."""
        at = self.places.find(name)
        while at >= 0 and at % PLACE.size:
            at = self.places.find(name, at + 1)
        return at

    def lines_at(self, at: int) -> tuple[int, int]:
        """The first and last line of a place."""
        _, first, last = PLACE.unpack_from(self.places, at)
        return self.start + first, self.start + last

    @property
    def untwinned(self) -> bytes:
        """The places with names as they would be without twins."""
        if not self.named:
            return self.places
        rows = zip(_NAME.iter_unpack(self.named), PLACE.iter_unpack(self.places), strict=True)
        return b"".join(PLACE.pack(name, first, last) for (name,), (_, first, last) in rows)


def names_in(places: bytes) -> list[bytes]:
    """The names of the units that stand in these places."""
    return [places[i : i + NAME_BYTES] for i in range(0, len(places), PLACE.size)]


LinkPart: TypeAlias = tuple[int, int, bytes, bytes, str, bytes]  # a row of links without its start
_NO_LINKS: Mapping[bytes, Sequence[LinkPart]] = {}  # a view of it goes to no other process


class ExistingUnits:
    """What the stores hold of a page at a digest: nobody asks for it again."""

    def __init__(
        self,
        digest: str = "",
        number: bytes = b"",
        rows: Sequence[Places] = (),
        links: Mapping[bytes, Sequence[LinkPart]] = _NO_LINKS,
    ) -> None:
        self.digest, self._number, self.rows = digest, number, rows
        self.links = links  # of stretches, by the key of each

    @cached_property
    def keys(self) -> AbstractSet[bytes]:
        """The keys of all units."""
        names = chain.from_iterable(names_in(row.places) for row in self.rows)
        return frozenset(map(self._number.__add__, names))

    @cached_property
    def stretches(self) -> Mapping[bytes, bytes]:
        """The places of entries as they would be without twins, by the digest of their stretch."""
        return {row.digest: row.untwinned for row in self.rows if row.digest}

    def one_line_runs(self) -> Iterator[tuple[int, int, bytes]]:
        """The stretches in which each line is an entry, up to where the next one begins: the first
        line, from 0, their number, and the digest."""
        starts = {row.start for row in self.rows}
        for row in self.rows:
            count = len(row.places) // PLACE.size
            if row.digest and row.start + count in starts:  # there is no task among them
                yield row.start - 1, count, row.digest


NOTHING = ExistingUnits()


class KeyedUnits(NamedTuple):
    """The units of a page that were read, by key; the keys of those that were not; all places.

    Of a page that has nearly all that the stores hold of it, `new` and `gone` are the keys of what
    is more and of what is missing; keys of what was not read are not made then.
    """

    read: dict[bytes, Unit]
    existing: Sequence[bytes]
    places: tuple[Places, ...]
    new: AbstractSet[bytes] | None = None
    gone: AbstractSet[bytes] = frozenset()


class _Part(NamedTuple):
    """One row of places while it is made: what was read of it, or what is held."""

    start: int
    digest: bytes
    units: Sequence[Unit]
    existing: bytes


def keyed(page: Page, existing_units: ExistingUnits = NOTHING) -> KeyedUnits:
    """The units of a page by key: the page, the digest of the unit, a counter among equal ones and
    the kind."""
    parts = [part for part in _parts(page) if part.units or part.existing]
    if edited := _edited(page_number(page.path), parts, existing_units.rows):
        return edited
    names = [_names_in(part) for part in parts]
    finals = _told_apart(parts, names)
    number = page_number(page.path)
    read: dict[bytes, Unit] = {}
    existing: list[bytes] = []
    for part, mine in zip(parts, finals, strict=True):
        keys = [number + name for name in mine]
        if part.existing:
            existing += keys
        else:
            read.update(zip(keys, part.units, strict=True))
    rows = zip(parts, names, finals, strict=True)
    return KeyedUnits(read, existing, tuple(_places_in(*row) for row in rows))


def _edited(number: bytes, parts: Sequence[_Part], rows: Sequence[Places]) -> KeyedUnits | None:
    """The units of a page in which a few came or went that are like no other; None for one of
    which more has to be asked. It costs what was read, not what is held."""
    again = {part.digest for part in parts if part.existing}
    kept = [row for row in rows if row.digest in again]
    is_once = len(kept) == sum(bool(part.existing) for part in parts)
    if not (kept and is_once) or any(row.named for row in rows):
        return None
    names = {part.start: _names_in(part) for part in parts if not part.existing}
    read = [name for each in names.values() for name in each]
    before = {n for row in rows if row.digest not in again for n in names_in(row.places)}
    new = {*read} - before
    is_plain = len({*read}) == len(read) <= _MAX_READ >= len(before)
    if not is_plain or any(row.place_of(name) >= 0 for row in kept for name in new):
        return None
    units = [unit for part in parts for unit in part.units]
    places = (_places_in(part, mine := names.get(part.start, []), mine) for part in parts)
    return KeyedUnits(
        dict(zip(map(number.__add__, read), units, strict=True)),
        (),
        tuple(places),
        {number + name for name in new},
        {number + name for name in before - {*read}},
    )


def _parts(page: Page) -> Iterator[_Part]:
    """What stands in no stretch, then the stretches."""
    inside: dict[int, list[Unit]] = {}
    others = page.units if not page.stretches else list(_others(page, inside))
    yield _Part(0, b"", others, b"")
    for i, stretch in enumerate(page.stretches):
        yield _Part(stretch.line_start, stretch.digest, inside.get(i, ()), stretch.held)


def _others(page: Page, inside: dict[int, list[Unit]]) -> Iterator[Unit]:
    """The units that stand in no stretch; the entries of each stretch are put `inside`."""
    starts = [stretch.line_start for stretch in page.stretches]
    for unit in page.units:
        i = bisect_right(starts, unit.line_start) - 1
        is_inside = i >= 0 and unit.line_start <= page.stretches[i].line_end
        if is_inside and unit.kind is UnitKind.ENTRY:
            inside.setdefault(i, []).append(unit)
        else:
            yield unit


def _names_in(part: _Part) -> list[bytes]:
    """The names of its units as they would be without twins."""
    if part.existing:
        return names_in(part.existing)
    return list(map(name_of, part.units))


def _told_apart(parts: Sequence[_Part], names: Sequence[list[bytes]]) -> Sequence[list[bytes]]:
    """The names once those of equal units are told apart by a counter, in the order of lines."""
    if len(set().union(*names)) == sum(map(len, names)):
        return names
    twins = {name for name, count in Counter(chain.from_iterable(names)).items() if count > 1}
    finals, seen = list(names), Counter[bytes]()
    for _, i, j in sorted(_places_of(twins, parts, names)):
        name = names[i][j]
        if finals[i] is names[i]:
            finals[i] = list(names[i])
        finals[i][j] = twin_of(name, seen[name])
        seen[name] += 1
    return finals


def _places_of(
    wanted: set[bytes], parts: Sequence[_Part], names: Sequence[list[bytes]]
) -> Iterator[tuple[int, int, int]]:
    """Where units with these names stand: their first line, their part and their place in it."""
    for i, (part, mine) in enumerate(zip(parts, names, strict=True)):
        if not wanted.isdisjoint(mine):
            for j, (first, _) in enumerate(_lines_in(part)):
                if mine[j] in wanted:
                    yield part.start + first, i, j


def _places_in(part: _Part, names: list[bytes], finals: list[bytes]) -> Places:
    if part.existing and names is finals:
        return Places(part.start, part.digest, part.existing)
    lines = _lines_in(part)
    rows = zip(finals, lines, strict=True)
    packed = b"".join(PLACE.pack(name, first, last) for name, (first, last) in rows)
    return Places(part.start, part.digest, packed, b"" if names is finals else b"".join(names))


def _lines_in(part: _Part) -> Iterator[tuple[int, int]]:
    """The first and last line of each unit, from the start of the part."""
    if part.existing:
        return ((first, last) for _, first, last in PLACE.iter_unpack(part.existing))
    start = part.start
    return ((unit.line_start - start, unit.line_end - start) for unit in part.units)
