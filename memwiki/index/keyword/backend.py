"""What the keyword search asks of a store of postings, and postings as bytes, as stores keep them;
terms and weights are decided elsewhere."""

from __future__ import annotations

import sys
import zlib
from array import array
from bisect import bisect_right
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from itertools import accumulate
from operator import sub
from typing import Protocol, TypeAlias, TypeVar

from memwiki.errors import IndexDamagedError
from memwiki.index.projection import EMPTY_TREE, Projection, changed_tree
from memwiki.index.sql import STATE, SqlFile, SqlPages
from memwiki.index.storage import SqlTable
from memwiki.index.storage_sqlite import decoding

T = TypeVar("T")
Postings: TypeAlias = tuple[Sequence[int], Sequence[int]]  # documents, and beside each its weight
MANIFEST = "held.sqlite"  # as it has been called on disk from the start
POSTINGS = "postings.sqlite"  # all of it, where the backend is SQLite
_COMPRESS_FROM = 64
_MERGE_WIDTH = 8  # segments of about one size before they become one
_RAW, _DEFLATED = b"\0", b"\1"
_PAGE = SqlTable("page", "path text,digest text", "path")
_NEXT = SqlTable("next", "path text,digest text", "path")


class Snapshot(Protocol):
    """One generation of the postings, read by one thread.

    Documents are numbered from 0, perhaps with gaps; numbers mean nothing outside their snapshot.
    """

    generation: int
    unit_count: int
    parts: Sequence[int]  # the first document of each part that is read by itself

    def prefetch(self, terms: Iterable[str]) -> None:
        """Read what will be asked of these terms at once, where asking one by one is slow."""

    def frequency(self, term: str) -> int:
        """In how many units the term stands: the living ones, or as many as were deleted since a
        merge more."""

    def highest(self, term: str) -> int:
        """A weight that the term has in no unit more than; 0 where it stands in none."""

    def postings(self, term: str, among: Collection[int] | None = None) -> Iterable[Postings]:
        """Runs of (documents in order, weights 1..255) of the living units that hold the term.

        Where units `among` all are named, parts that have none of them may be left out.
        """

    def all_postings(self) -> Iterable[tuple[str, Postings]]:
        """Every term with runs of its postings, in any order."""

    def expand(self, prefix: str, limit: int) -> list[str]:
        """At most `limit` terms that begin with the prefix, in order."""

    def keys(self, documents: Iterable[int]) -> list[bytes]:
        """The unit keys of these documents."""

    def documents_of(self, pages: Iterable[int]) -> list[int]:
        """The units of these pages, with some perhaps that were deleted."""

    @property
    def has_messages(self) -> bool:
        """Whether any unit is a message."""

    def close(self) -> None:
        """Let go of the files."""


class SearchBackend(Projection, Protocol):
    """A projection of the pages' units as postings."""

    backend: str  # what it is called

    def generation(self) -> int:
        """The number of the last commit; a snapshot of another number is out of date."""

    def unit_count(self) -> int:
        """How many units the last commit holds, known without opening them."""

    def snapshot(self) -> Snapshot:
        """The last committed generation."""

    def tidy(self) -> None:
        """Merge what many small commits left behind; called in idle time."""

    def scrub(self) -> bool:
        """Leave nothing on disk of units that were deleted; False while a reader is in the way."""

    def close(self) -> None:
        """Let go of the files."""


class Manifest(SqlPages, SqlFile):
    """What a store without transactions of its own holds, by page, and for which generation."""

    what = "keyword index: its list"
    tables = (_PAGE, _NEXT, STATE)

    def commit(self, generation: int) -> None:
        """Make the list that of this generation; raises IndexDamagedError where it cannot be."""
        if self._number("generation", 0) == generation:
            return
        if self._number("announced", -1) != generation:
            raise IndexDamagedError("keyword index: its list belongs to another generation")
        with self.transaction():
            self.db.execute("delete from page where path in (select path from next)")
            self.db.execute("insert into page select * from next where digest is not null")
            self.note("tree", self.state("announced_tree", EMPTY_TREE))
            self.note("generation", str(generation))
            self.db.execute("delete from next")
        self.checkpoint()

    def prepare_commit(
        self, generation: int, before: Mapping[str, str], after: Mapping[str, str]
    ) -> None:
        """Write down what the coming generation will hold instead of `before` (path -> digest)."""
        rows = [(path, after.get(path)) for path in {**before, **after}]
        with self.transaction():
            self.db.execute("delete from next")
            self.upsert(_NEXT, rows)
            tree = changed_tree(self.tree(), before.items(), after.items())
            self.note("announced_tree", tree)
            self.note("announced", str(generation))

    def _number(self, name: str, default: int) -> int:
        with decoding(self.what):
            return int(self.state(name, str(default)))


# --- terms and postings as bytes ---


def term_bytes(term: str) -> bytes:
    """A term as it is kept."""
    return term.encode("utf-8", "surrogatepass")


def term_of(kept: bytes) -> str:
    """The term that is kept so."""
    return kept.decode("utf-8", "surrogatepass")


class TermPool:
    """Postings by term, as they are collected."""

    def __init__(self) -> None:
        self._terms: dict[bytes, tuple[array[int], bytearray]] = {}

    def add_terms(self, document: int, weights: Iterable[tuple[bytes, int]]) -> None:
        """Take in all terms of one document, which comes after those before it."""
        terms = self._terms
        for term, weight in weights:
            row = terms.get(term)
            if row is None:
                row = terms[term] = (array("I"), bytearray())
            row[0].append(document)
            row[1].append(weight)

    def add_postings(self, term: bytes, postings: Postings) -> None:
        """Take in documents of one term, which come after those before them."""
        row = self._terms.setdefault(term, (array("I"), bytearray()))
        row[0].extend(postings[0])
        row[1].extend(postings[1])

    def terms(self) -> Iterator[tuple[bytes, array[int], bytearray]]:
        """Each term in order, with its documents and weights."""
        return ((term, *self._terms[term]) for term in sorted(self._terms))


def encode(documents: array[int], weights: bytearray) -> bytes:
    """Gaps between documents in one, two or four bytes each, the lowest first, then one byte a
    weight. What is not short has the lowest bytes of all gaps, the weights, and the other bytes
    each deflated by themselves: a seventh less than together (2026-11-28)."""
    gaps = [*documents[:1], *map(sub, documents[1:], documents)]
    largest = max(gaps)
    code = "B" if largest < 1 << 8 else "H" if largest < 1 << 16 else "I"
    packed = array(code, gaps)
    body, size = little_endian(packed).tobytes(), packed.itemsize
    raw = _RAW + code.encode() + body + weights
    if len(raw) < _COMPRESS_FROM:
        return raw
    # Nothing in what is nearly random is there twice: half of the time of looking for it.
    parts = [_deflated(body[::size], zlib.Z_HUFFMAN_ONLY)]
    parts.append(_deflated(weights, zlib.Z_HUFFMAN_ONLY))
    parts += [_deflated(body[at::size], zlib.Z_DEFAULT_STRATEGY) for at in range(1, size)]
    return min(raw, _DEFLATED + code.encode() + b"".join(parts), key=len)


def _deflated(data: bytes | bytearray, strategy: int) -> bytes:
    packing = zlib.compressobj(3, zlib.DEFLATED, zlib.MAX_WBITS, zlib.DEF_MEM_LEVEL, strategy)
    return packing.compress(data) + packing.flush()


def decode(blob: bytes, first: int = 0) -> Postings:
    """The documents, counted from `first`, and the weights that `encode` wrote."""
    gaps = array(blob[1:2].decode())
    body, weights = (_split_inflated if blob[:1] == _DEFLATED else _plain)(blob[2:], gaps.itemsize)
    gaps.frombytes(body)
    if not weights or len(gaps) != len(weights):
        raise ValueError("postings are cut off")
    documents = list(accumulate(little_endian(gaps), initial=first))
    del documents[0]  # in C, which to leave it out of what is added up is not
    return documents, weights


def _plain(data: bytes, size: int) -> tuple[bytes, bytes]:
    """The bytes of the gaps, and the weights."""
    count = len(data) // (size + 1)
    return data[: count * size], data[count * size :]


def _split_inflated(data: bytes, size: int) -> tuple[bytes, bytes]:
    """The same of what was deflated."""
    lowest, weights, *others = _inflated(data)
    body = bytearray(len(lowest) * size)
    for at, part in zip(range(size), (lowest, *others), strict=True):
        body[at::size] = part
    return bytes(body), weights


def _inflated(data: bytes) -> Iterator[bytes]:
    while data:
        unpacking = zlib.decompressobj()
        yield unpacking.decompress(data)
        if not unpacking.eof:
            raise zlib.error("cut off")
        data = unpacking.unused_data


def little_endian(numbers: array[int]) -> array[int]:
    """Numbers of this machine as bytes of any, and the other way round: changed in place."""
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers


def living(postings: Postings, deleted: AbstractSet[int], offset: int = 0) -> Postings:
    """The postings, numbered from `offset`, of the documents that were not deleted."""
    documents, weights = postings
    if not deleted or deleted.isdisjoint(d - offset for d in documents):
        return postings
    pairs = [row for row in zip(documents, weights, strict=True) if row[0] - offset not in deleted]
    return [d for d, _ in pairs], [w for _, w in pairs]


def parts_with(documents: Collection[int], parts: Sequence[int]) -> set[int]:
    """The places of the parts, by their first documents, that have any of these documents."""
    if len(parts) < 2:
        return set(range(len(parts)))
    return {bisect_right(parts, document) - 1 for document in documents}


def of_one_size(segments: Iterable[T], living: Callable[[T], int]) -> list[T]:
    """Those of about one size, by their living units, where they are so many: to join these is
    cheap on average, and never all at once."""
    tiers: dict[int, list[T]] = {}
    for segment in segments:
        # A segment that is mostly deletions counts as the smaller one that it really is.
        tiers.setdefault(max(living(segment), 8).bit_length() // 3, []).append(segment)
    return [each for tier in tiers.values() if len(tier) >= _MERGE_WIDTH for each in tier]
