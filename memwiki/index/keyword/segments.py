"""The keyword index in SQL: segments of units, and of each a packed row a term.

A segment is never changed but by marking units as deleted, and holds 16,384 at most, so that a row
says the highest weight of its term in a block. What a merge takes the place of stays until the next
commit: a snapshot that is read meanwhile still finds it.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from contextlib import contextmanager
from functools import cached_property
from itertools import accumulate, islice
from typing import Any

from memwiki.config.recall import SQLITE
from memwiki.index.damage import ReplacedError, decoding
from memwiki.index.keyword.backend import (
    KeyColumns,
    Postings,
    TermPool,
    decode,
    encode,
    little_endian,
    living,
    places_in,
)
from memwiki.index.keyword.tokens import weights_of
from memwiki.index.projection import Put, Terms
from memwiki.index.sql import STATE, Existing, SqlFile, SqlProjection, batched, marks
from memwiki.index.storage import SqlTable
from memwiki.index.units import KEY_BYTES, page_number
from memwiki.nouns import Unit
from memwiki.records import NamedTuple

_WHAT = "keyword index"
_MAX_UNITS = 16_384  # of a segment; numbers of them fit into two bytes
_TIDY_UNITS = 2_000  # at most these are merged in idle time
_MERGE_WIDTH = 8  # segments of about one size before they become one
_KNOWN_TERMS = 500  # terms whose rows a snapshot remembers
_ABOVE_UTF8 = b"\xff"

_PAGE = SqlTable("page", "path text,digest text", "path")
_SEGMENT = SqlTable(
    "segment",
    "id integer,units integer,living integer,retired integer,deleted blob,keys blob",
    "id",
)
_POSTING = SqlTable(
    "posting", "segment integer,term blob,units integer,highest integer,packed blob", "segment,term"
)


class Segment(NamedTuple):
    """Units that were written together, without their keys."""

    id: int
    units: int
    living: int
    deleted: frozenset[int]


class _Row(NamedTuple):
    """What a segment holds of one term."""

    segment: int  # its place among those of a snapshot
    units: int
    highest: int
    packed: bytes


class SegmentStore(SqlProjection[Put]):
    """Postings of all units in tables."""

    name = "keyword"
    backend: str
    tables = (_PAGE, _SEGMENT, _POSTING, STATE)

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
        with decoding(_WHAT):
            return sum(counts)

    def segments(self) -> list[Segment]:
        """Those that hold what the last commit left."""
        rows = self._rows(
            f"select id, units, living, deleted from {self.schema}.segment where retired=0"
            " order by id"
        )
        with decoding(_WHAT):
            return [
                Segment(number, units, alive, frozenset(little_endian(array("H", deleted))))
                for number, units, alive, deleted in rows
            ]

    def keys_of(self, segment: int) -> bytes:
        """The keys of its units, one after the other; they never change."""
        if segment not in self._columns:
            row = self._row(f"select keys from {self.schema}.segment where id=?", segment)
            if row is None:
                raise ReplacedError(f"{_WHAT}: a merge took the place of a segment")
            self._columns[segment] = row[0]
        return self._columns[segment]

    def snapshot(self) -> SegmentSnapshot:
        """The last committed generation."""
        return SegmentSnapshot(self)

    def require_held(self, generation: int) -> None:
        """Raise ReplacedError where what a generation needs may be gone by now."""
        if self._number("dropped") > generation:
            raise ReplacedError(f"{_WHAT}: merges took the place of its segments")

    def write(self, puts: Sequence[Put], existing: Existing) -> None:
        """Write the units that are new, and mark those that are gone."""
        from memwiki.index.prepare import ready  # reads pages, which no question does

        wanted: dict[bytes, Unit | Terms | None] = {}
        for put in puts:
            wanted |= ready(put).terms
        with self._next_generation():
            written = self._delete_others(wanted.keys(), {page_number(path) for path in existing})
            self._add((key, terms) for key, terms in wanted.items() if key not in written)
            self.delete(_PAGE.name, "path", existing)
            self.upsert(_PAGE, [(put.path, put.digest) for put in puts])
            self._merge(_alike(self.segments()))

    def tidy(self) -> None:
        """Merge what many small commits left behind."""
        self._rewrite(lambda segments: _fitting(segments, _TIDY_UNITS))

    def scrub(self) -> bool:
        """Write the segments that hold deleted units anew, and leave nothing of the old ones."""
        for _ in self.segments():  # each time what fits into one
            self._rewrite(lambda all_: _fitting([s for s in all_ if s.deleted], _MAX_UNITS))
        with self.transaction(), self._next_generation():
            pass  # what was retired is dropped
        return super().scrub()

    def _rewrite(self, chosen: Callable[[list[Segment]], list[Segment]]) -> None:
        with self.transaction():
            if segments := chosen(self.segments()):
                with self._next_generation():
                    self._merge(segments)

    @contextmanager
    def _next_generation(self) -> Iterator[None]:
        """Within it the next generation is written; what the last one no longer needed goes."""
        generation = self.generation()
        retired = self._column(f"select id from {self.schema}.segment where retired>0")
        if retired:
            self.note("dropped", str(generation))
            self.delete(_POSTING.name, "segment", retired)
            self.delete(_SEGMENT.name, "id", retired)
        yield
        self.note("generation", str(generation + 1))

    def _delete_others(self, wanted: AbstractSet[bytes], pages: set[bytes]) -> set[bytes]:
        """Mark the units of these pages as deleted, but those that are wanted, which it gives."""
        found = set()
        for segment in self.segments() if pages else ():
            column, deleted = self.keys_of(segment.id), set(segment.deleted)
            for start in places_in(column, pages):
                key, number = column[start : start + KEY_BYTES], start // KEY_BYTES
                if key not in wanted:
                    deleted.add(number)
                elif number not in deleted:
                    found.add(key)
            if len(deleted) > len(segment.deleted):
                self._mark_deleted(segment, deleted)
        return found

    def _mark_deleted(self, segment: Segment, deleted: set[int]) -> None:
        packed = little_endian(array("H", sorted(deleted))).tobytes()
        sql = f"update {self.schema}.segment set living=?, deleted=? where id=?"
        self.db.execute(sql, (segment.units - len(deleted), packed, segment.id))

    def _add(self, units: Iterator[tuple[bytes, Unit | Terms | None]]) -> None:
        while part := list(islice(units, _MAX_UNITS)):
            pool = TermPool()
            for number, (_, terms) in enumerate(part):
                pool.add_terms(number, weights_of(terms))
            self._write_segment(b"".join(key for key, _ in part), pool)

    def _write_segment(self, keys: bytes, pool: TermPool) -> None:
        number, count = self._number("segments") + 1, len(keys) // KEY_BYTES
        self.note("segments", str(number))  # an id is given once
        rows = (
            (number, term, len(documents), max(weights), encode(documents, weights))
            for term, documents, weights in pool.terms()
        )
        self.upsert(_POSTING, rows)
        self.upsert(_SEGMENT, [(number, count, count, 0, b"", keys)])

    def _merge(self, segments: Sequence[Segment]) -> None:
        """Write one segment in the place of these, without what was deleted."""
        keys, pool = bytearray(), TermPool()
        for segment in segments:
            first = len(keys) // KEY_BYTES
            is_living = (number not in segment.deleted for number in range(segment.units))
            numbers = list(accumulate(is_living, initial=first))  # the new ones, by the old
            column = self.keys_of(segment.id)
            for number in sorted(set(range(segment.units)) - segment.deleted):
                keys += column[number * KEY_BYTES : (number + 1) * KEY_BYTES]
            for term, packed in self.packed_rows(segment.id):
                documents, weights = living(decode(packed), segment.deleted)
                if documents:
                    pool.add_postings(term, ([numbers[d] for d in documents], weights))
        if keys:
            self._write_segment(bytes(keys), pool)
        retired = [(self.generation() + 1, segment.id) for segment in segments]
        self.db.executemany(f"update {self.schema}.segment set retired=? where id=?", retired)

    def packed_rows(self, segment: int) -> Iterator[tuple[bytes, bytes]]:
        """Each term of a segment, with its postings as they are packed."""
        return self._rows(
            f"select term, packed from {self.schema}.posting where segment=? order by term", segment
        )

    def rows_of(self, terms: Sequence[bytes], segments: Sequence[int]) -> Iterator[Any]:
        """What these segments hold of these terms: term, segment, units, highest, packed."""
        return self._rows(
            f"select term, segment, units, highest, packed from {self.schema}.posting"
            f" where segment in ({marks('?', segments)}) and term in ({marks('?', terms)})"
            " order by segment",
            *segments,
            *terms,
        )

    def terms_from(self, segment: int, prefix: bytes, limit: int) -> list[bytes]:
        """At most so many terms of a segment that begin with a prefix, in order."""
        return self._column(
            f"select term from {self.schema}.posting where segment=? and term>=? and term<?"
            " order by term limit ?",
            *(segment, prefix, prefix + _ABOVE_UTF8, limit),
        )

    def _number(self, name: str) -> int:
        with decoding(_WHAT):
            return int(self.state(name, "0"))


class SqliteSegments(SegmentStore, SqlFile):
    """The same in a file of SQLite."""

    backend, what = SQLITE, _WHAT


def _alike(segments: list[Segment]) -> list[Segment]:
    """Of those of about one size, where they are eight, what fits into one: cheap on average."""
    tiers: dict[int, list[Segment]] = {}
    for segment in segments:
        # A segment that is mostly deletions counts as the smaller one that it really is.
        tiers.setdefault(max(segment.living, 8).bit_length() // 3, []).append(segment)
    many = [s for tier in tiers.values() if len(tier) >= _MERGE_WIDTH for s in tier]
    fitting = _fitting(many, _MAX_UNITS)
    return fitting if len(fitting) > 1 else []  # a large one alone costs more than it saves


def _fitting(segments: Iterable[Segment], room: int) -> list[Segment]:
    """The smallest of them that have room in one; none where that changes nothing."""
    ordered = sorted(segments, key=lambda segment: segment.living)
    sizes = accumulate(segment.living for segment in ordered)
    small = [segment for segment, size in zip(ordered, sizes, strict=True) if size <= room]
    return small if len(small) > 1 or any(segment.deleted for segment in small) else []


class SegmentSnapshot(KeyColumns):
    """One generation; documents are numbered from one segment to the next."""

    def __init__(self, store: SegmentStore) -> None:
        self._store = store
        with store.one_moment():
            self.generation = store.generation()
            self._segments = store.segments()
        self.unit_count = sum(segment.living for segment in self._segments)
        self._starts = list(accumulate((s.units for s in self._segments), initial=0))
        self._found: dict[str, list[_Row]] = {}

    def prefetch(self, terms: Iterable[str]) -> None:
        """Read what will be asked of these terms, at once."""
        lacking = {_encode(term): term for term in terms if term not in self._found}
        if len(self._found) + len(lacking) > _KNOWN_TERMS:
            self._found.clear()
        self._found |= {term: [] for term in lacking.values()}
        places = {segment.id: place for place, segment in enumerate(self._segments)}
        for part in batched(lacking) if places else ():
            with decoding(_WHAT):
                rows = self._store.rows_of(part, list(places))
                for term, segment, *row in rows:
                    self._found[lacking[term]].append(_Row(places[segment], *row))
        self._store.require_held(self.generation)

    def _rows(self, term: str) -> list[_Row]:
        if term not in self._found:
            self.prefetch([term])
        return self._found[term]

    def frequency(self, term: str) -> int:
        """In how many living units the term stands."""
        return sum(
            len(self._postings(row)[0]) if self._segments[row.segment].deleted else row.units
            for row in self._rows(term)
        )

    def highest(self, term: str) -> int:
        """The highest weight that the term has in a unit, be that deleted since the last merge."""
        return max((row.highest for row in self._rows(term)), default=0)

    def postings(self, term: str) -> Iterator[Postings]:
        """Runs of (documents, weights) of the living units that hold the term, a segment a run."""
        return filter(any, map(self._postings, self._rows(term)))

    def _postings(self, row: _Row) -> Postings:
        return self._living(row.segment, row.packed)

    def _living(self, place: int, packed: bytes) -> Postings:
        start = self._starts[place]
        with decoding(_WHAT):
            return living(decode(packed, start), self._segments[place].deleted, start)

    def all_postings(self) -> Iterator[tuple[str, Postings]]:
        """Each term with a run of it, a segment after the other."""
        for place, segment in enumerate(self._segments):
            for term, packed in self._store.packed_rows(segment.id):
                yield _decode(term), self._living(place, packed)
        self._store.require_held(self.generation)

    def expand(self, prefix: str, limit: int) -> list[str]:
        """At most `limit` terms that begin with the prefix, in order."""
        found: set[bytes] = set()
        for segment in self._segments:
            found.update(self._store.terms_from(segment.id, _encode(prefix), limit))
        self._store.require_held(self.generation)
        return [_decode(term) for term in sorted(found)[:limit]]

    def _key_columns(self) -> Iterator[bytes]:
        return (self._store.keys_of(segment.id) for segment in self._segments)

    def close(self) -> None:
        """The store has the file."""


def _encode(term: str) -> bytes:
    return term.encode("utf-8", "surrogatepass")


def _decode(term: bytes) -> str:
    return term.decode("utf-8", "surrogatepass")
