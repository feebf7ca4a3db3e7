"""The tables of the keyword index in SQL, and what is read of them: heads, packed rows, and keys of
units."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import Any

from memwiki.index.keyword.backend import little_endian
from memwiki.index.projection import Put
from memwiki.index.sql import STATE, SqlProjection, batched, marks
from memwiki.index.storage import SqlTable
from memwiki.index.storage_sqlite import ReplacedError, decoding
from memwiki.records import NamedTuple

WHAT = "keyword index"
REPLACED = f"{WHAT}: merges took the place of segments"
MAX_KNOWN_BYTES = 16_000_000  # of rows that a reader remembers
_ROW_BYTES = 200  # that one takes beside what is in it
_FEW_UNITS = 8_000  # that hold a term: its rows are about 10 kB, less than a second question costs
TOGETHER = 64  # units whose keys, and whose terms, are one row
ROWS = 256  # of them at most in a segment
OF_PAGE = b"\xff"  # with the number of a page it is a term that its units have; no text has one

PAGE = SqlTable("page", "path text,digest text", "path")
SEGMENT = SqlTable(
    "segment",
    "id integer,units integer,living integer,retired integer,messages integer,deleted blob",
    "id",
)
POSTING = SqlTable(
    "posting",
    "segment integer,term blob,units integer,highest integer,gone integer,changed integer"
    ",packed blob",
    "segment,term",
)
UNITS = SqlTable("units", "place integer,keys blob,terms blob", "place")


class Segment(NamedTuple):
    """Units that were written together, without their keys."""

    id: int
    units: int
    living: int
    has_messages: bool
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


def place_of(segment: int, unit: int) -> int:
    """The place of the row that has a unit of a segment."""
    return segment * ROWS + unit // TOGETHER


def _page_key(place: int) -> bytes:
    """How the row of a place is known among those of terms."""
    return OF_PAGE + place.to_bytes(8, "big")


def _bytes_of(term: bytes, packed: bytes) -> int:
    return len(term) + len(packed) + _ROW_BYTES


class SegmentRows(SqlProjection[Put]):
    """Postings of all units in tables, as they are read."""

    name = "keyword"
    tables = (PAGE, SEGMENT, POSTING, UNITS, STATE)

    @cached_property
    def known(self) -> PackedRows:
        """What its snapshots have read."""
        return PackedRows()

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
            f"select id, units, living, messages, deleted from {self.schema}.segment"
            " where retired=0 order by id"
        )
        with decoding(WHAT):
            return [
                Segment(
                    *(number, units, alive, messages > 0),
                    deleted=frozenset(little_endian(array("H", deleted))),
                )
                for number, units, alive, messages, deleted in rows
            ]

    def keys_of(self, places: Iterable[int]) -> dict[int, bytes]:
        """The keys of the units of rows, by the places of these; they never change."""
        known = {place: self.known.get(place // ROWS, _page_key(place)) for place in places}
        found = {place: keys for place, keys in known.items() if keys}
        for place, keys in self.read_keys(known.keys() - found):
            found[place] = keys
            self.known.keep(place // ROWS, _page_key(place), keys)
        return found

    def read_keys(self, places: Iterable[int]) -> Iterator[tuple[int, bytes]]:
        """The same as (place, keys), remembered nowhere: who writes may take it back, and the
        number of a segment is given again."""
        # Asked with `in`, a server would rather go through all rows.
        sql = f"(select keys from {self.schema}.units where units.place = asked.place)"
        for some in batched(places):
            asked = f"with asked(place) as (values {marks('(?)', some)})"
            for place, keys in self._rows(f"{asked} select place, {sql} from asked", *some):
                if keys is None:
                    raise ReplacedError(REPLACED)
                yield place, keys

    def rows_of(self, pages: Iterable[bytes], segments: Sequence[int]) -> Iterator[Any]:
        """What these segments hold of pages, by their numbers: segment, the units packed."""
        sql = f"select segment, packed from {self.schema}.posting"
        among = f"{sql} where segment in ({marks('?', segments)}) and term"
        return self._among(among, (OF_PAGE + page for page in pages), *segments)

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

    def packed_of(self, term: bytes, segments: Iterable[int]) -> Iterator[Any]:
        """What these segments hold of a term: segment, packed."""
        sql = f"select segment, packed from {self.schema}.posting where term=? and segment"
        return self._among(sql, segments, term)

    def terms_from(self, segment: int, prefix: bytes, limit: int) -> list[bytes]:
        """At most so many terms of a segment that begin with a prefix, in order."""
        return self._column(
            f"select term from {self.schema}.posting where segment=? and term>=? and term<?"
            " order by term limit ?",
            *(segment, prefix, prefix + OF_PAGE, limit),
        )

    def _number(self, name: str) -> int:
        with decoding(WHAT):
            return int(self.state(name, "0"))
