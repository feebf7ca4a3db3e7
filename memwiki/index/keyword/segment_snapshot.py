"""One generation of the keyword index in SQL, of which little is read at once.

Of a term the heads of its rows are read first: in how many units of each segment it stands, and its
highest weight there. What is packed follows where it is asked for, a segment at a time.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import accumulate

from memwiki.index.damage import ReplacedError, decoding
from memwiki.index.keyword.backend import (
    Postings,
    decode,
    living,
    parts_with,
    term_bytes,
    term_of,
)
from memwiki.index.keyword.segment_rows import OF_PAGE, REPLACED, ROWS, TOGETHER, WHAT, SegmentRows
from memwiki.index.sql import batched
from memwiki.index.units import KEY_BYTES, page_bytes
from memwiki.records import NamedTuple

_MAX_HEADS = 50_000  # that are remembered, about 5 MB


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
