"""All rows compared with one vector: with numpy as fast as memory is read, without it a few."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from typing import Any, Protocol, TypeAlias

from memwiki.config.user import one_thread
from memwiki.index.vectors.units import HEAD_BYTES, SCALE_AT, TEXT_BYTES, RowFile
from memwiki.models.port import Vector

Numbers: TypeAlias = Any  # an array of numpy, which is loaded when it is needed

# Rows, which as float32 stay within a cache. Of more, a BLAS that another program loaded with many
# threads makes 60 times the work (2026-11-26).
_AT_ONCE = 256
_MANY = 300_000  # rows; from so many on signs are compared first
_RESCORED = 300
_FIRST = 256  # rows that are put in order at first


class Nearness(Protocol):
    """How near rows are to one vector."""

    def nearest(self) -> Iterator[int]:
        """The numbers of rows, the nearest first; of many rows not all."""

    def cosines(self, numbers: Sequence[int]) -> list[float]:
        """Of these rows."""


class RowByRow:
    """Without numpy no row is looked for: those of the words' candidates are compared alone."""

    def __init__(self, rows: RowFile, asked: Vector) -> None:
        self._rows, self._asked = rows, asked

    def nearest(self) -> Iterator[int]:
        """None."""
        return iter(())

    def cosines(self, numbers: Sequence[int]) -> list[float]:
        """One after the other: 300 rows take 5 ms."""
        return [self._rows.row(number).cosine(self._asked) for number in numbers]


class RowScan:
    """Compares rows with vectors; of many rows it keeps the signs."""

    def __init__(self) -> None:
        with one_thread():
            import numpy

        self.np = numpy
        self._signs: Numbers | None = None
        self._of: RowFile | None = None

    def near(self, rows: RowFile, vector: Vector, *, many: int = _MANY) -> Nearness:
        """All rows, compared with a vector; of many those alone whose signs are like its own."""
        table = self._table(rows)
        asked = self.np.frombuffer(vector, dtype="<f4")
        numbers, compared = self.np.arange(len(table)), table
        if len(table) >= many:
            numbers = self._by_signs(rows, table, asked)
            compared = table[numbers]
        return ScannedRows(self, table, asked, numbers, self.cosines(compared, asked))

    def pairs(
        self, rows: RowFile, numbers: Sequence[int], least: float, first: int = 0
    ) -> Iterator[tuple[float, int, int]]:
        """Which of these rows are so near to each other, by their places, with their cosines; those
        before the place `first` are compared with those behind it alone."""
        table = self._table(rows)[list(numbers)]
        vectors = table["row"] * table["scale"][:, None]
        for at in range(first, len(vectors), _AT_ONCE):
            found = vectors[: at + _AT_ONCE] @ vectors[at : at + _AT_ONCE].T
            for one, other in self.np.argwhere(found >= least).tolist():
                if one < at + other:
                    yield float(found[one, other]), one, at + other

    def _table(self, rows: RowFile) -> Numbers:
        np = self.np
        kind = np.dtype(
            {
                "names": ["text", "scale", "row"],
                "formats": [f"V{TEXT_BYTES}", "<f4", ("i1", (rows.width,))],
                "offsets": [0, SCALE_AT, HEAD_BYTES],
                "itemsize": rows.row_bytes,
            }
        )
        return np.frombuffer(rows.mapped(), dtype=kind)

    def cosines(self, table: Numbers, asked: Numbers) -> Numbers:
        """Of the rows of a table."""
        np, numbers = self.np, table["row"]
        found = np.empty(len(table), np.float32)
        part = np.empty((min(_AT_ONCE, len(table)), len(asked)), np.float32)
        for at in range(0, len(table), _AT_ONCE):
            some = numbers[at : at + _AT_ONCE]
            part[: len(some)] = some
            np.dot(part[: len(some)], asked, out=found[at : at + len(some)])
        found *= table["scale"]
        return found

    def _by_signs(self, rows: RowFile, table: Numbers, asked: Numbers) -> Numbers:
        """The rows in which most numbers have the sign that is asked for."""
        np = self.np
        if self._of is not rows or self._signs is None:
            self._of, self._signs = rows, self._signs_of(table[:0])
        if len(self._signs) < len(table):
            new = self._signs_of(table[len(self._signs) :])
            self._signs = np.concatenate([self._signs, new])
        mine = np.packbits(asked > 0)
        apart = np.bitwise_count(self._signs[: len(table)] ^ mine).sum(axis=1, dtype=np.uint16)
        return np.argpartition(apart, _RESCORED)[:_RESCORED]

    def _signs_of(self, table: Numbers) -> Numbers:
        np = self.np
        parts = [
            np.packbits(table["row"][at : at + _AT_ONCE] > 0, axis=1)
            for at in range(0, len(table), _AT_ONCE)
        ]
        width = table["row"].shape[1]
        return np.concatenate([np.empty((0, -(-width // 8)), np.uint8), *parts])


class ScannedRows:
    """Rows that were compared."""

    def __init__(
        self, scan: RowScan, table: Numbers, asked: Numbers, numbers: Numbers, found: Numbers
    ) -> None:
        self._scan, self._table, self._asked = scan, table, asked
        self._numbers, self._found = numbers, found

    def nearest(self) -> Iterator[int]:
        """Their numbers, the nearest first; equal ones by number."""
        np, apart = self._scan.np, -self._found
        done, size = 0, _FIRST
        while done < len(apart):
            size = min(size, len(apart))
            top = np.argpartition(apart, size - 1)[:size]
            order = top[np.lexsort((self._numbers[top], apart[top]))]
            yield from self._numbers[order[done:]].tolist()
            done, size = size, size * 8

    def cosines(self, numbers: Sequence[int]) -> list[float]:
        """Of these rows."""
        if len(self._found) == len(self._table):
            known: list[float] = self._found[list(numbers)].tolist()
            return known
        found: list[float] = self._scan.cosines(self._table[list(numbers)], self._asked).tolist()
        return found


def scanner() -> RowScan | None:
    """What compares rows, where numpy is installed."""
    return RowScan() if find_spec("numpy") else None
