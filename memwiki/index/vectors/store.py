"""Which text stands for each unit, which row is its vector, and all rows compared with one vector:
with numpy as fast as memory is read, without it a few.

The pages and their units are a projection. The rows are by the digest of the text alone: they
outlive builds, and who has another recipe, model or width has another folder.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from shutil import rmtree
from typing import Any, Protocol, TypeAlias

from memwiki.config.user import one_thread
from memwiki.index.cards.tables import row_number
from memwiki.index.sql import SqlFile, batched
from memwiki.index.storage import SqlTable
from memwiki.index.storage_sqlite import DAMAGE, is_damage
from memwiki.index.vectors.units import (
    HEAD_BYTES,
    PAGE,
    REMARK,
    SCALE_AT,
    TEXT_BYTES,
    UNIT,
    RowFile,
    UnitStore,
    UnitTexts,
)
from memwiki.models.port import Vector
from memwiki.nouns import Difference
from memwiki.records import grouped

FILE = "units.sqlite"
_FORMAT = "1"
_VECTOR = SqlTable(
    "vector",
    "text blob,number integer not null",
    "text",
    ("index vector_number on vector (number)",),
    is_lasting=True,
)
_ROWS = "rows"  # the remark that names the file


class VectorStore(UnitStore, SqlFile):
    """Units and vectors of one folder; in memory only what the files are named by differs."""

    what = "vectors"
    tables = (PAGE, UNIT, _VECTOR, REMARK)
    _file: RowFile | None = None

    def __init__(self, folder: Path, width: int, settings: str) -> None:
        """Open it in a folder that is there; of one that is damaged nothing is believed but rows
        that verify."""
        self.folder, self.width = folder, width
        self._settings = f"{_FORMAT} {settings}"
        try:
            super().__init__(str(folder / FILE))
        except DAMAGE as error:
            if not is_damage(error):
                raise
            self.start_over()

    def start_over(self) -> None:
        """Throw the tables away, and take the rows of all files that verify."""
        with suppress(AttributeError):
            self.close()
        for path in self.folder.glob(f"{FILE}*"):
            path.unlink()
        super().__init__(str(self.folder / FILE))
        self._adopt()

    def prepare(self) -> None:
        """Make the tables, unless they are there for these settings."""
        self.prepare_for(self._settings)

    # --- rows ---

    @property
    def rows(self) -> RowFile:
        """The file of the rows that the tables name."""
        name = self.state(_ROWS, "rows-0.bin")
        if self._file is None or self._file.path.name != name:
            self._file = RowFile(self.folder / name, self.width)
        return self._file

    def put_packed(self, found: Mapping[bytes, bytes]) -> None:
        """Keep the rows of these texts: first the rows, then that they are there."""
        with self.transaction():
            at = self._count()
            self.rows.append(found.values(), at)
            self.upsert(_VECTOR, zip(found, range(at, at + len(found)), strict=True))
        self.checkpoint()  # nothing else bounds the log of a long filling

    def _count(self) -> int:
        """Behind the last row that is known; what stands there a killed writer left."""
        return int(self._row("select coalesce(max(number) + 1, 0) from vector")[0])

    def _adopt(self) -> None:
        """Take the rows of the largest file that is there."""
        for path in self._files()[-1:]:
            with self.transaction():
                self.note(_ROWS, path.name)
                self.upsert(_VECTOR, ((text, number) for number, text in self.rows.texts()))

    def _files(self) -> list[Path]:
        return sorted(self.folder.glob("rows-*.bin"), key=lambda path: path.stat().st_size)

    def compact(self, most_unused: int) -> None:
        """Drop the oldest rows that no unit uses, if there are more than so many."""
        unused = self._column(
            "select number from vector where text not in (select text from unit) order by number"
        )
        dropped = set(unused[: max(len(unused) - most_unused, 0)])
        if not dropped:
            return
        every = self._column("select number from vector order by number")
        kept = [number for number in every if number not in dropped]
        new = self.folder / f"rows-{os.urandom(6).hex()}.bin"
        self.rows.copy(kept, new)
        with self.transaction():
            self.delete("vector", "number", dropped)
            for at, number in enumerate(kept):  # upwards, so that no number is taken twice
                self.db.execute("update vector set number=? where number=?", (at, number))
            self.note(_ROWS, new.name)
        for path in self._files():
            if path.name != new.name:
                path.unlink(missing_ok=True)

    def scrub(self) -> bool:
        """Leave nothing on disk of texts that no page has any more."""
        self.compact(0)
        return super().scrub()

    def heal(self, *, is_thorough: bool) -> None:
        """Forget the rows that are not as they were written, so that they are made anew; without
        being thorough only where some are gone."""
        if is_thorough or len(self.rows) < self._count():
            bad = [text for text, _ in self._bad_rows()]
            with self.transaction():
                self.delete("vector", "text", bad)

    def _bad_rows(self) -> Iterator[tuple[bytes, int]]:
        rows = self.rows
        for text, number in self._rows("select text, number from vector"):
            if not rows.holds(number, text):
                yield text, number

    # --- what the pages say ---

    def texts_of(self, path: str) -> dict[bytes, bytes]:
        """The units of a page in their order, with the digests of their texts."""
        sql = "select key, text from unit where page=? order by place"
        return dict(self._rows(sql, row_number(path)))

    def lacking(self) -> Iterator[tuple[str, set[bytes]]]:
        """The pages with units whose text has no vector, and these texts."""
        sql = (
            "select page, unit.text from unit left join vector on vector.text = unit.text"
            " where vector.text is null"
        )
        by_page = grouped(self._rows(sql))
        for path in sorted(self.digests()) if by_page else ():
            if texts := by_page.get(row_number(path)):
                yield path, {*texts}

    # --- asking ---

    def rows_around(self, keys: Iterable[bytes]) -> dict[bytes, dict[int, int]]:
        """Of each unit that has one its row under 0, and the rows of the units before and after it
        under -1 and 1, as far as they have one that is theirs."""
        rows, found = self.rows, dict[bytes, dict[int, int]]()
        sql = (
            "select own.key, near.place - own.place, vector.number, near.text from unit own"
            " join unit near on near.page = own.page"
            " and near.place between own.place - 1 and own.place + 1"
            " join vector on vector.text = near.text where own.key"
        )
        for key, step, number, text in self._among(sql, keys):
            if rows.holds(number, text):
                found.setdefault(key, {})[step] = number
        return {key: around for key, around in found.items() if 0 in around}

    def mark(self) -> str:
        """Another text where other rows may be found, in whichever process."""
        return f"{self.folder.name} {self.rows.path.name} {self._count()}"

    def rows_of(self, texts: Iterable[bytes]) -> Iterator[int | None]:
        """The row of each text, as far as it has one that is its own."""
        sql, rows = "select number from vector where text=?", self.rows
        for text in texts:
            numbers = (number for (number,) in self._rows(sql, text))
            yield next((number for number in numbers if rows.holds(number, text)), None)

    def packed_of(self, texts: Iterable[bytes]) -> Iterator[tuple[bytes, bytes]]:
        """Those of these texts that have a row of their own, with its bytes."""
        for part in batched(texts):
            for text, number in zip(part, self.rows_of(part), strict=True):
                if number is not None:
                    yield text, self.rows.packed(number)

    def keys_of(self, numbers: Iterable[int]) -> Iterator[tuple[int, bytes]]:
        """The units of these rows: number and key."""
        sql = "select vector.number, unit.key from vector join unit on unit.text = vector.text"
        return self._among(f"{sql} where vector.number", numbers)

    def differences(self, pages: Iterable[UnitTexts]) -> Iterator[Difference]:
        """Where it says something else than pages that were just read; and rows that are not as
        they were written."""
        digests = self.digests()
        for page in pages:
            if digests.get(page.path) == page.digest and self.texts_of(page.path) != page.texts:
                yield Difference(self.name, page.path, "differs")
        for _, number in self._bad_rows():
            yield Difference(self.name, self.rows.path.name, f"row {number} is damaged")

    def close(self) -> None:
        """Let go of the files."""
        self.rows.close()
        super().close()


def remove_stores(place: Path, kept: Path | None) -> None:
    """Remove the stores of all models in a folder but one."""
    for folder in place.glob("*"):
        if folder != kept and folder.is_dir():  # a lock lies beside them
            rmtree(folder)


Numbers: TypeAlias = Any  # an array of numpy, which is loaded when it is needed

# Rows, which as float32 stay within a cache. Of more, a BLAS that another program loaded with many
# threads makes 60 times the work (2026-11-26).
_AT_ONCE = 256
_MIN_SIGNED = 300_000  # rows; from so many on signs are compared first
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

    def near(self, rows: RowFile, vector: Vector, *, many: int = _MIN_SIGNED) -> Nearness:
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
