"""Vectors as rows of one size in a flat file: 8 bits a number and one scale, the digest of the text
that it is of, and a checksum, so that no row is taken for another."""

from __future__ import annotations

import os
import zlib
from array import array
from collections.abc import Iterable, Iterator, Sequence
from math import isfinite
from mmap import ACCESS_READ, mmap
from operator import mul
from pathlib import Path
from struct import Struct
from typing import NamedTuple

from memwiki.files.read import NO_FOLLOW, READING
from memwiki.index.vectors.units import TEXT_BYTES
from memwiki.models.port import Vector

_HEAD = Struct(f"<{TEXT_BYTES}sfI")
HEAD_BYTES = _HEAD.size
SCALE_AT, CHECKSUM_AT = TEXT_BYTES, TEXT_BYTES + 4
_MAX_NUMBER = 127


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


def packed(text: bytes, vector: Vector) -> bytes:
    """The row of a text."""
    scale = max(map(abs, vector)) / _MAX_NUMBER
    body = array("b", (round(number / scale) for number in vector)).tobytes()
    head = _HEAD.pack(text, scale, 0)
    return _HEAD.pack(text, scale, _checksum(head, body)) + body


def _checksum(head: bytes, body: bytes) -> int:
    return zlib.crc32(body, zlib.crc32(head[:CHECKSUM_AT]))
