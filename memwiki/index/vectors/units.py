"""The recipe: which units have a vector, and of which text; and which text stands for each unit of
a page: a projection, wherever it is kept.

In a flat file vectors are rows of one size: 8 bits a number and one scale, the digest of the text
that it is of, and a checksum, so that no row is taken for another."""

from __future__ import annotations

import os
import zlib
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from math import isfinite
from mmap import ACCESS_READ, mmap
from operator import mul
from pathlib import Path
from struct import Struct
from typing import TYPE_CHECKING, NamedTuple

from memwiki.digest import text_hash
from memwiki.files.read import NO_FOLLOW, READING
from memwiki.index.cards.tables import row_number
from memwiki.index.sql import Existing, SqlProjection
from memwiki.index.storage import SqlTable
from memwiki.index.units import keyed, page_of
from memwiki.nouns import Page, Unit, UnitKind

if TYPE_CHECKING:
    from memwiki.models.port import Vector

RECIPE = "1"  # another text of a unit is another number, and so another folder
TEXT_BYTES = 16
_MAX_CHARACTERS = 1_400
_HEAD = Struct(f"<{TEXT_BYTES}sfI")
HEAD_BYTES = _HEAD.size
SCALE_AT, CHECKSUM_AT = TEXT_BYTES, TEXT_BYTES + 4
_MAX_NUMBER = 127


class EmbeddedUnits(StrEnum):
    """What has a vector: entries and messages; also the beginning of each page; every unit."""

    MEMORIES = "memories"
    PAGES = "pages"
    ALL = "all"


def texts_of_page(page: Page, of: EmbeddedUnits) -> Iterator[tuple[bytes, str]]:
    """The units of a page by key, each with the text that stands for it."""
    is_first = True
    for key, unit in keyed(page).read.items():
        if unit.kind is not UnitKind.BLOCK:
            text = unit.text
        elif of is EmbeddedUnits.ALL or (of is EmbeddedUnits.PAGES and is_first):
            text = _of_block(page, unit, is_first=is_first)
        else:
            continue
        is_first = is_first and unit.kind is not UnitKind.BLOCK
        if any(map(str.isalnum, text)):
            yield key, embedded_text(text)


def _of_block(page: Page, unit: Unit, *, is_first: bool) -> str:
    heads = (page.title, page.description) if is_first else (page.title,)
    return "\n".join(filter(None, (*heads, unit.text)))


def embedded_text(text: str) -> str:
    """What of a text is embedded."""
    return text.strip()[:_MAX_CHARACTERS]


def text_key(text: str) -> bytes:
    """What a text is known by."""
    return text_hash(text, TEXT_BYTES)


PAGE = SqlTable("page", "path text,digest text not null", "path")
UNIT = SqlTable(
    "unit",
    "page integer,place integer,key blob not null,text blob not null",
    "page, place",
    ("index unit_text on unit (text)", "index unit_key on unit (key)"),
)
REMARK = SqlTable("remark", "name text, value text", "name", is_lasting=True)


class UnitTexts(NamedTuple):
    """A version of a page: its units by key, each with the digest of the text that stands for
    it."""

    path: str
    digest: str
    texts: Mapping[bytes, bytes] = {}


class Coverage(NamedTuple):
    """How many units are to have a vector, and how many have one."""

    units: int
    vectors: int


class UnitStore(SqlProjection[UnitTexts]):
    """The units of all pages; a store has a table `vector` with a row a text besides."""

    name = "vectors"
    remarks_in = REMARK

    def write(self, puts: Sequence[UnitTexts], existing: Existing) -> None:
        """Write the units of these pages, and drop those of the others that exist."""
        self.delete("page", "path", existing)
        self.delete("unit", "page", map(row_number, existing))
        self.upsert(PAGE, ((put.path, put.digest) for put in puts))
        self.upsert(
            UNIT,
            (
                (page_of(key), place, key, text)
                for put in puts
                for place, (key, text) in enumerate(put.texts.items())
            ),
        )

    def coverage(self) -> Coverage:
        """How much is to have a vector, and has one."""
        units, vectors = f"{self.schema}.unit", f"{self.schema}.vector"
        found = f"select count(*) from {units}"
        have = f"{found} join {vectors} on vector.text = unit.text"
        return Coverage(*(self._row(sql)[0] for sql in (found, have)))


class VectorRow(NamedTuple):
    """A vector of 8 bits a number."""

    scale: float
    numbers: array[int]

    def cosine(self, other: Sequence[float]) -> float:
        """How near it is to a vector of length 1."""
        return self.scale * float(sum(map(mul, self.numbers, other)))


class RowFile:
    """Rows by their number. One process appends; others read as far as they know of rows."""

    def __init__(self, path: Path, width: int) -> None:
        self.path, self.width, self.row_bytes = path, width, HEAD_BYTES + width
        self._map: mmap | None = None

    def __len__(self) -> int:
        """How many whole rows there are."""
        try:
            return self.path.stat().st_size // self.row_bytes
        except FileNotFoundError:
            return 0

    def append(self, rows: Iterable[bytes], at: int) -> None:
        """Write rows from this number on; what stands there was never counted."""
        data = b"".join(rows)
        descriptor = os.open(self.path, os.O_RDWR | os.O_CREAT | NO_FOLLOW, 0o600)
        with os.fdopen(descriptor, "r+b") as file:
            file.seek(at * self.row_bytes)  # never made shorter: others have it mapped
            file.write(data)

    def copy(self, numbers: Iterable[int], path: Path) -> None:
        """Write these rows into a new file, in this order."""
        mapped = self.mapped()
        size = self.row_bytes
        with path.open("xb") as file:
            file.writelines(mapped[i * size : (i + 1) * size] for i in numbers)

    def row(self, number: int) -> VectorRow:
        """The row of a number."""
        head, body = self._parts(number)
        return VectorRow(_HEAD.unpack(head)[1], array("b", body))

    def packed(self, number: int) -> bytes:
        """The bytes of a row."""
        return b"".join(self._parts(number))

    def holds(self, number: int, text: bytes) -> bool:
        """Whether the row of a number is that of this text, and as it was written."""
        head, body = self._parts(number)
        if len(body) < self.width:
            return False
        found, _, checksum = _HEAD.unpack(head)
        return bool(found == text and checksum == _checksum(head, body))

    def _parts(self, number: int) -> tuple[bytes, bytes]:
        at = number * self.row_bytes
        mapped: mmap | bytes | None = self._map
        if mapped is None or len(mapped) < at + self.row_bytes:
            mapped = self.mapped()  # which looks at the file, as no row that is known needs
        return mapped[at : at + HEAD_BYTES], mapped[at + HEAD_BYTES : at + self.row_bytes]

    def texts(self) -> Iterator[tuple[int, bytes]]:
        """Each row that is as it was written: its number, and the text that it is of."""
        for number in range(len(self)):
            at = number * self.row_bytes
            text = bytes(self.mapped()[at : at + TEXT_BYTES])
            if self.holds(number, text):
                yield number, text

    def mapped(self) -> mmap | bytes:
        """All bytes of the file, as long as it is now."""
        wanted = len(self) * self.row_bytes
        if not wanted:
            return b""
        if self._map is None or len(self._map) < wanted:
            descriptor = os.open(self.path, READING | NO_FOLLOW)
            try:
                self._map = mmap(descriptor, wanted, access=ACCESS_READ)
            finally:
                os.close(descriptor)
        return self._map

    def close(self) -> None:
        """Let go of the file; what was taken from it stays readable."""
        self._map = None


def is_usable(vector: Vector, width: int) -> bool:
    """Whether it is a vector of this width, of numbers."""
    return len(vector) == width and all(map(isfinite, vector)) and any(vector)


def pack_row(text: bytes, vector: Vector) -> bytes:
    """The row of a text."""
    scale = max(map(abs, vector)) / _MAX_NUMBER
    body = array("b", (round(number / scale) for number in vector)).tobytes()
    head = _HEAD.pack(text, scale, 0)
    return _HEAD.pack(text, scale, _checksum(head, body)) + body


def _checksum(head: bytes, body: bytes) -> int:
    return zlib.crc32(body, zlib.crc32(head[:CHECKSUM_AT]))
