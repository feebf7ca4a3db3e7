"""The key that names a unit in every store: its page, its content, and what kind of unit it is."""

from __future__ import annotations

from collections.abc import Iterable

from memwiki.digest import WHOLE_BYTES, text_hash
from memwiki.markdown.stretches import NAME_BYTES
from memwiki.model import Unit, UnitKind

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
