"""The tables of the keyword index in SQL, and what is read of them: heads, and packed rows."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any

from memwiki.index.damage import ReplacedError, decoding
from memwiki.index.keyword.backend import little_endian
from memwiki.index.projection import Put
from memwiki.index.sql import STATE, SqlProjection, marks
from memwiki.index.storage import SqlTable
from memwiki.records import NamedTuple

WHAT = "keyword index"
REPLACED = f"{WHAT}: merges took the place of segments"
MAX_KNOWN_BYTES = 8_000_000  # of rows that a reader remembers
_ROW_BYTES = 200  # that one takes beside what is in it
_FEW_UNITS = 8_000  # that hold a term: its rows are about 10 kB, less than a second question costs
_ABOVE_UTF8 = b"\xff"

PAGE = SqlTable("page", "path text,digest text", "path")
SEGMENT = SqlTable(
    "segment",
    "id integer,units integer,living integer,retired integer,deleted blob,keys blob",
    "id",
)
POSTING = SqlTable(
    "posting",
    "segment integer,term blob,units integer,highest integer,gone integer,changed integer"
    ",packed blob",
    "segment,term",
)
UNIT_TERMS = SqlTable("unit_terms", "segment integer,first integer,packed blob", "segment,first")


class Segment(NamedTuple):
    """Units that were written together, without their keys."""

    id: int
    units: int
    living: int
    deleted: frozenset[int]


class PackedRows:
    """Rows that were read, by segment and term, up to so many bytes: the oldest go first.

    A row is never changed, so that all snapshots of a store share them.
    """

    def __init__(self) -> None:
        self._rows: dict[tuple[int, bytes], bytes] = {}
        self.size_bytes = 0

    def get(self, segment: int, term: bytes) -> bytes | None:
        """The row, if it is known."""
        return self._rows.get((segment, term))

    def keep(self, segment: int, term: bytes, packed: bytes) -> None:
        """Know a row from now on."""
        self._forget((segment, term))
        self._rows[segment, term] = packed
        self.size_bytes += _bytes_of(term, packed)
        while self.size_bytes > MAX_KNOWN_BYTES:
            self._forget(next(iter(self._rows)))

    def _forget(self, key: tuple[int, bytes]) -> None:
        if packed := self._rows.pop(key, None):
            self.size_bytes -= _bytes_of(key[1], packed)


def _bytes_of(term: bytes, packed: bytes) -> int:
    return len(term) + len(packed) + _ROW_BYTES


class SegmentRows(SqlProjection[Put]):
    """Postings of all units in tables, as they are read."""

    name = "keyword"
    tables = (PAGE, SEGMENT, POSTING, UNIT_TERMS, STATE)

    @cached_property
    def known(self) -> PackedRows:
        """What its snapshots have read."""
        return PackedRows()

    @cached_property
    def _columns(self) -> dict[int, bytes]:
        """Of the segments that were asked for."""
        return {}

    def generation(self) -> int:
        """The number of the last commit, from 0."""
        return self._number("generation")

    def unit_count(self) -> int:
        """How many units the last commit holds."""
        counts = self._column(f"select living from {self.schema}.segment where retired=0")
        with decoding(WHAT):
            return sum(counts)

    def segments(self) -> list[Segment]:
        """Those that hold what the last commit left."""
        rows = self._rows(
            f"select id, units, living, deleted from {self.schema}.segment where retired=0"
            " order by id"
        )
        with decoding(WHAT):
            return [
                Segment(number, units, alive, frozenset(little_endian(array("H", deleted))))
                for number, units, alive, deleted in rows
            ]

    def keys_of(self, segment: int) -> bytes:
        """The keys of its units, one after the other; they never change."""
        if segment not in self._columns:
            row = self._row(f"select keys from {self.schema}.segment where id=?", segment)
            if row is None:
                raise ReplacedError(REPLACED)
            self._columns[segment] = row[0]
        return self._columns[segment]

    def require_held(self, generation: int) -> None:
        """Raise ReplacedError where what a generation needs may be gone by now."""
        if self._number("dropped") > generation:
            raise ReplacedError(REPLACED)

    def packed_rows(self, segment: int) -> Iterator[tuple[bytes, bytes]]:
        """Each term of a segment, with its postings as they are packed."""
        return self._rows(
            f"select term, packed from {self.schema}.posting where segment=? order by term", segment
        )

    def heads_of(self, terms: Sequence[bytes], segments: Sequence[int]) -> Iterator[Any]:
        """What these segments hold of these terms: term, segment, units, highest, how many of the
        units are gone as of which generation, and of terms that few units hold packed, which is
        None of the others."""
        return self._rows(
            "select term, segment, units, highest, gone, changed,"
            f" case when sum(units) over (partition by term) <= {_FEW_UNITS} then packed end"
            f" from {self.schema}.posting"
            f" where segment in ({marks('?', segments)}) and term in ({marks('?', terms)})"
            " order by segment",
            *segments,
            *terms,
        )

    def packed_of(self, term: bytes, segments: Sequence[int]) -> Iterator[Any]:
        """What these segments hold of a term: segment, packed."""
        sql = f"select segment, packed from {self.schema}.posting where term=?"
        return self._rows(f"{sql} and segment in ({marks('?', segments)})", term, *segments)

    def terms_from(self, segment: int, prefix: bytes, limit: int) -> list[bytes]:
        """At most so many terms of a segment that begin with a prefix, in order."""
        return self._column(
            f"select term from {self.schema}.posting where segment=? and term>=? and term<?"
            " order by term limit ?",
            *(segment, prefix, prefix + _ABOVE_UTF8, limit),
        )

    def _number(self, name: str) -> int:
        with decoding(WHAT):
            return int(self.state(name, "0"))
