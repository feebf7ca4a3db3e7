"""The keyword index in SQL: segments of units, of each a packed row a term; the terms of units.

A segment is never changed but by marking units as deleted, and holds 16,384 at most, so that a row
says the highest weight of its term in a block. What a merge takes the place of stays until the next
commit: a snapshot that is read meanwhile still finds it.
"""

from __future__ import annotations

import zlib
from array import array
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from contextlib import contextmanager
from itertools import accumulate, chain, groupby, islice

from memwiki.config.tables import SQLITE
from memwiki.index.keyword.backend import (
    Postings,
    TermPool,
    decode,
    encode,
    little_endian,
    living,
    of_one_size,
    parts_with,
    term_bytes,
    term_of,
)
from memwiki.index.keyword.segment_rows import (
    OF_PAGE,
    PAGE,
    POSTING,
    REPLACED,
    ROWS,
    SEGMENT,
    TOGETHER,
    UNITS,
    WHAT,
    Segment,
    SegmentRows,
    place_of,
)
from memwiki.index.keyword.tokens import weights_of
from memwiki.index.projection import Put, Terms
from memwiki.index.sql import Existing, SqlFile, batched, marks
from memwiki.index.storage_sqlite import ReplacedError, decoding
from memwiki.index.units import KEY_BYTES, PAGE_BYTES, has_message, page_bytes, page_number
from memwiki.records import NamedTuple

_MAX_HEADS = 50_000  # that are remembered, about 5 MB
_MAX_UNITS = 16_384  # of a segment; numbers of them fit into two bytes
_TIDY_UNITS = 2_000  # at most these are merged in idle time


class TermHead(NamedTuple):
    """What a row of a term says beside its postings."""

    part: int  # the place of its segment among those of a snapshot
    units: int
    highest: int
    gone: int  # of the units
    changed: int  # the generation in which the last of them went


class SegmentSnapshot:
    """One generation; documents are numbered from one segment to the next, each of which begins
    with a row of keys."""

    def __init__(self, store: SegmentRows) -> None:
        self._store = store
        with store.one_moment():
            self.generation = store.generation()
            self._segments = store.segments()
        self.unit_count = sum(segment.living for segment in self._segments)
        rows = ((segment.units + TOGETHER - 1) // TOGETHER for segment in self._segments)
        self._first_rows = list(accumulate(rows, initial=0))
        self.parts: Sequence[int] = [row * TOGETHER for row in self._first_rows[:-1]]
        self._keys: dict[int, bytes] = {}  # of the units of a row, by its number
        self._heads: dict[str, list[TermHead]] = {}

    def prefetch(self, terms: Iterable[str]) -> None:
        """Read the heads of these terms at once, and what few units hold."""
        lacking = {term_bytes(term): term for term in terms if term not in self._heads}
        if sum(map(len, self._heads.values())) > _MAX_HEADS:
            self._heads.clear()
        self._heads |= {term: [] for term in lacking.values()}
        parts = {segment.id: part for part, segment in enumerate(self._segments)}
        for some in batched(lacking) if parts else ():
            with decoding(WHAT):
                for term, segment, *head, packed in self._store.heads_of(some, [*parts]):
                    self._heads[lacking[term]].append(TermHead(parts[segment], *head))
                    if packed is not None:
                        self._store.known.keep(segment, term, packed)
        self._store.require_held(self.generation)

    def _heads_of(self, term: str) -> list[TermHead]:
        if term not in self._heads:
            self.prefetch([term])
        return self._heads[term]

    def frequency(self, term: str) -> int:
        """In how many living units the term stands."""
        heads = self._heads_of(term)
        known = [head for head in heads if head.changed <= self.generation]
        later = [head.part for head in heads if head.changed > self.generation]
        counted = sum(len(documents) for documents, _ in self._runs(term, later))
        return counted + sum(head.units - head.gone for head in known)

    def highest(self, term: str) -> int:
        """The highest weight that the term has in a unit, be that deleted since the last merge."""
        return max((head.highest for head in self._heads_of(term)), default=0)

    def postings(self, term: str, among: Collection[int] | None = None) -> Iterator[Postings]:
        """Runs of (documents, weights) of the living units that hold the term, a segment a run;
        those of segments that have none of the units `among` are not even read."""
        parts = [head.part for head in self._heads_of(term)]
        if among is not None:
            having = parts_with(among, self.parts)
            parts = [part for part in parts if part in having]
        return filter(any, self._runs(term, parts))

    def _runs(self, term: str, parts: Collection[int]) -> Iterator[Postings]:
        """What these parts hold of a term, all of which have it."""
        name, segments = term_bytes(term), {self._segments[part].id: part for part in parts}
        known = {segment: self._store.known.get(segment, name) for segment in segments}
        lacking = [segment for segment, packed in known.items() if packed is None]
        with decoding(WHAT):
            for segment, packed in self._store.packed_of(name, lacking) if lacking else ():
                known[segment] = packed
                self._store.known.keep(segment, name, packed)
        for segment, part in segments.items():
            packed = known[segment]
            if packed is None:  # it was there when its head was read
                raise ReplacedError(REPLACED)
            yield self._living(part, packed)

    def _living(self, part: int, packed: bytes) -> Postings:
        start = self.parts[part]
        with decoding(WHAT):
            return living(decode(packed, start), self._segments[part].deleted, start)

    def all_postings(self) -> Iterator[tuple[str, Postings]]:
        """Each term with a run of it, a segment after the other."""
        for part, segment in enumerate(self._segments):
            for term, packed in self._store.packed_rows(segment.id):
                if not term.startswith(OF_PAGE):
                    yield term_of(term), self._living(part, packed)
        self._store.require_held(self.generation)

    def expand(self, prefix: str, limit: int) -> list[str]:
        """At most `limit` terms that begin with the prefix, in order."""
        found: set[bytes] = set()
        for segment in self._segments:
            found.update(self._store.terms_from(segment.id, term_bytes(prefix), limit))
        self._store.require_held(self.generation)
        return [term_of(term) for term in sorted(found)[:limit]]

    def keys(self, documents: Iterable[int]) -> list[bytes]:
        """The unit keys of these documents."""
        documents = list(documents)
        lacking = {document // TOGETHER for document in documents} - self._keys.keys()
        if lacking:
            rows = {self._place(number): number for number in lacking}
            self._keys |= ((rows[place], keys) for place, keys in self._store.keys_of(rows).items())
        places = ((self._keys[d // TOGETHER], d % TOGETHER * KEY_BYTES) for d in documents)
        return [keys[start : start + KEY_BYTES] for keys, start in places]

    def _place(self, number: int) -> int:
        part = bisect_right(self._first_rows, number) - 1
        return self._segments[part].id * ROWS + number - self._first_rows[part]

    def documents_of(self, pages: Iterable[int]) -> list[int]:
        """The units of these pages."""
        parts, found = {s.id: part for part, s in enumerate(self._segments)}, list[int]()
        names = list(map(page_bytes, pages))
        for segment, packed in self._store.rows_of(names, [*parts]) if parts else ():
            found += self._living(parts[segment], packed)[0]
        self._store.require_held(self.generation)
        return found

    @property
    def has_messages(self) -> bool:
        """Whether any unit is a message."""
        return any(segment.has_messages for segment in self._segments)

    def close(self) -> None:
        """The store has the file."""


class SegmentStore(SegmentRows):
    """Postings of all units in tables."""

    backend: str

    def snapshot(self) -> SegmentSnapshot:
        """The last committed generation."""
        return SegmentSnapshot(self)

    def write(self, puts: Sequence[Put], existing: Existing) -> None:
        """Write the units that are new, and mark those that are gone."""
        wanted: dict[bytes, Terms | None] = {}
        for put in puts:
            wanted |= put.terms
        with self._next_generation():
            edited = {page_number(put.path): put.gone for put in puts if put.gone is not None}
            changed = set(map(page_number, existing)) - edited.keys()
            gone = set[bytes]().union(*edited.values())
            written = self._delete_others(wanted.keys(), changed, gone)
            self._add((key, terms) for key, terms in wanted.items() if key not in written)
            self.delete(PAGE.name, "path", existing)
            self.upsert(PAGE, [(put.path, put.digest) for put in puts])
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
            self.delete(POSTING.name, "segment", retired)
            places = chain.from_iterable(range(s * ROWS, (s + 1) * ROWS) for s in retired)
            self.delete(UNITS.name, "place", places)
            self.delete(SEGMENT.name, "id", retired)
        yield
        self.note("generation", str(generation + 1))

    def _delete_others(
        self, wanted: AbstractSet[bytes], changed: set[bytes], gone: AbstractSet[bytes]
    ) -> set[bytes]:
        """Mark the units of changed pages as deleted, but those that are wanted, which it gives;
        of other pages those that are gone."""
        found, pages = set(), changed | {key[:PAGE_BYTES] for key in gone}
        segments = {segment.id: segment for segment in self.segments() if pages}
        numbers = self._units_of(pages, [*segments])
        for segment in map(segments.__getitem__, numbers):
            keys, deleted = self._keys_among(segment.id, numbers[segment.id]), set(segment.deleted)
            for number, key in keys.items():
                is_gone = key not in wanted if key[:PAGE_BYTES] in changed else key in gone
                if is_gone:
                    deleted.add(number)
                elif number not in deleted:
                    found.add(key)
            if len(deleted) > len(segment.deleted):
                self._mark_deleted(segment, deleted)
        return found

    def _units_of(self, pages: set[bytes], segments: Sequence[int]) -> dict[int, list[int]]:
        """The units of these pages by segment, with those that were deleted."""
        found: dict[int, list[int]] = {}
        for segment, packed in self.rows_of(pages, segments) if segments else ():
            with decoding(WHAT):
                found.setdefault(segment, []).extend(decode(packed)[0])
        return found

    def _keys_among(self, segment: int, units: Sequence[int]) -> dict[int, bytes]:
        """The keys of these units of a segment."""
        rows = dict(self.read_keys({place_of(segment, unit) for unit in units}))
        places = ((rows[place_of(segment, u)], u % TOGETHER * KEY_BYTES) for u in units)
        cut = (keys[start : start + KEY_BYTES] for keys, start in places)
        return dict(zip(units, cut, strict=True))

    def _mark_deleted(self, segment: Segment, deleted: set[int]) -> None:
        packed = little_endian(array("H", sorted(deleted))).tobytes()
        gone = deleted - segment.deleted
        sql = f"update {self.schema}.segment set living=?, deleted=? where id=?"
        self.db.execute(sql, (segment.units - len(deleted), packed, segment.id))
        terms = self._terms_of(segment.id, gone)
        gone_with = Counter(term for number in gone for term in terms[number].split(b"\n"))
        sql = f"update {self.schema}.posting set gone=gone+?, changed=? where segment=? and term in"
        now, in_order = self.generation() + 1, sorted(gone_with, key=gone_with.__getitem__)
        for units, alike in groupby(in_order, gone_with.__getitem__):
            for some in batched(alike):
                self.db.execute(f"{sql} ({marks('?', some)})", (units, now, segment.id, *some))

    def _terms_of(self, segment: int, units: Iterable[int]) -> dict[int, bytes]:
        """The terms of these units of a segment, one a line, by number."""
        units, found = sorted(units), dict[int, bytes]()
        sql = f"select place, terms from {self.schema}.units where place"
        for place, packed in self._among(sql, sorted({place_of(segment, unit) for unit in units})):
            first = place % ROWS * TOGETHER
            with decoding(WHAT):
                found |= enumerate(zlib.decompress(packed).split(b"\0"), first)
        with decoding(WHAT):
            return {unit: found[unit] for unit in units}

    def _add(self, units: Iterator[tuple[bytes, Terms | None]]) -> None:
        while part := list(islice(units, _MAX_UNITS)):
            pool, names = TermPool(), []
            for number, (key, terms) in enumerate(part):
                weights = dict(weights_of(terms))
                pool.add_terms(number, weights.items())
                pool.add_terms(number, [(OF_PAGE + key[:PAGE_BYTES], 1)])
                names.append(b"\n".join(weights))
            self._write_segment(b"".join(key for key, _ in part), pool, names)

    def _write_segment(self, keys: bytes, pool: TermPool, names: Sequence[bytes]) -> None:
        number, count = self._number("segments") + 1, len(keys) // KEY_BYTES
        self.note("segments", str(number))  # an id is given once
        rows = (
            (number, term, len(documents), max(weights), 0, 0, encode(documents, weights))
            for term, documents, weights in pool.terms()
        )
        self.upsert(POSTING, rows)
        rows_of_units: list[tuple[object, ...]] = []
        for at in range(0, count, TOGETHER):
            terms = zlib.compress(b"\0".join(names[at : at + TOGETHER]), 3)
            some = keys[at * KEY_BYTES : (at + TOGETHER) * KEY_BYTES]
            rows_of_units.append((place_of(number, at), some, terms))
        self.upsert(UNITS, rows_of_units)
        self.upsert(SEGMENT, [(number, count, count, 0, int(has_message(keys)), b"")])

    def _merge(self, segments: Sequence[Segment]) -> None:
        """Write one segment in the place of these, without what was deleted."""
        keys, pool, names = bytearray(), TermPool(), list[bytes]()
        for segment in segments:
            first = len(keys) // KEY_BYTES
            is_living = (number not in segment.deleted for number in range(segment.units))
            numbers = list(accumulate(is_living, initial=first))  # the new ones, by the old
            left = sorted(set(range(segment.units)) - segment.deleted)
            column, terms = self._keys_among(segment.id, left), self._terms_of(segment.id, left)
            for number in left:
                keys += column[number]
                names.append(terms[number])
            for term, packed in self.packed_rows(segment.id):
                documents, weights = living(decode(packed), segment.deleted)
                if documents:
                    pool.add_postings(term, ([numbers[d] for d in documents], weights))
        if keys:
            self._write_segment(bytes(keys), pool, names)
        retired = [(self.generation() + 1, segment.id) for segment in segments]
        self.db.executemany(f"update {self.schema}.segment set retired=? where id=?", retired)


class SqliteSegments(SegmentStore, SqlFile):
    """The same in a file of SQLite."""

    backend, what = SQLITE, WHAT


class MemorySegments(SqliteSegments):
    """The same in memory: what answers when no cache folder can be written."""

    backend = "memory"


def _alike(segments: list[Segment]) -> list[Segment]:
    """Of those of about one size, where they are eight, what fits into one: cheap on average."""
    alike = of_one_size(segments, lambda segment: segment.living)
    fitting = _fitting(alike, _MAX_UNITS)
    return fitting if len(fitting) > 1 else []  # a large one alone costs more than it saves


def _fitting(segments: Iterable[Segment], room: int) -> list[Segment]:
    """The smallest of them that have room in one; none where that changes nothing."""
    ordered = sorted(segments, key=lambda segment: segment.living)
    sizes = accumulate(segment.living for segment in ordered)
    small = [segment for segment, size in zip(ordered, sizes, strict=True) if size <= room]
    return small if len(small) > 1 or any(segment.deleted for segment in small) else []
