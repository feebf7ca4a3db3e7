"""How Whoosh is imported, without what we never use, and how it writes our postings: whole terms at
a time, small numbers, nothing pickled per posting.

Measured on 9,751 pages (2026-11-21): 3.0 million postings took 50 s through Whoosh's own pool and
block writer, 8 s this way, and opening a term is one decompression instead of one per 128 postings.
"""

from __future__ import annotations

import _pickle
import os
import sys
from array import array
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from importlib import import_module
from struct import Struct
from types import ModuleType
from typing import Any, TypeAlias

from memwiki.digest import md5
from memwiki.index.keyword.backend import Postings, TermPool, decode, encode

TermPostings: TypeAlias = "tuple[bytes, array[int], bytearray]"
_PIECE = 1 << 16


def _copied(source: Any, target: Any) -> None:
    """What `shutil.copyfileobj` does; that module imports bz2 and lzma."""
    while piece := source.read(_PIECE):
        target.write(piece)


def _chosen(letters: str) -> str:
    """What `random.choice` does, of which names of files are made."""
    return letters[os.urandom(1)[0] % len(letters)]


_PICKLING = ("dump", "dumps", "load", "loads", "PicklingError", "Unpickler")
# What Whoosh imports, with what it takes from there at once: half of 55 ms (2026-11-30).
SPARED: dict[str, dict[str, object]] = {
    "whoosh.analysis": {},  # tokenizers and stemmers: terms are ours
    "whoosh.formats": {},
    "whoosh.automata.lev": {},
    "calendar": {},
    "hashlib": {"md5": md5},
    "pickle": {name: getattr(_pickle, name) for name in _PICKLING},
    "random": {"choice": _chosen},
    "shutil": {"copyfileobj": _copied},
    "tempfile": {},
}


class _StandIn(ModuleType):
    """A module that is imported once anything is asked of it beside what was given."""

    def __init__(self, name: str, given: dict[str, object]) -> None:
        super().__init__(name)
        vars(self).update(given)

    def __getattr__(self, name: str) -> Any:
        if name == "__path__":  # to import a name, Python asks whether this is a package
            raise AttributeError(name)
        if sys.modules.get(self.__name__) is self:
            del sys.modules[self.__name__]
        return getattr(import_module(self.__name__), name)


@contextmanager
def spared() -> Iterator[None]:
    """What is imported within finds stand-ins for modules that nobody has imported yet. They are
    gone afterwards, and whoever uses Whoosh beside us in the same process has all of it."""
    made = {name: _StandIn(name, given) for name, given in SPARED.items()}
    made = {name: module for name, module in made.items() if name not in sys.modules}
    sys.modules.update(made)
    try:
        yield
    finally:
        for name, module in made.items():
            if sys.modules.get(name) is module:
                del sys.modules[name]


with spared():
    from whoosh.codec.whoosh3 import W3Codec, W3FieldWriter, W3TermInfo, dumps

_INLINE = 2  # terms in one or two units live in the term table itself
# As Whoosh packs them: of a pair in its table the lengths, of a term what it is and where.
_LENGTHS, _EXTENT, _INFO = Struct("!ii").pack, Struct("!qi").pack, W3TermInfo._struct.pack
_NO_LENGTHS = 0, 0  # our weights carry the length


class Pool(TermPool):
    """Stands in for Whoosh's sorting pool of one tuple a posting.

    One field of a schema has terms, so that a term alone is the key: with the field beside it a
    posting took half as long again (2026-11-22).
    """

    add = None  # Whoosh hands no single posting over

    def __init__(self, field: str) -> None:
        super().__init__()
        self._field = field

    def iter_postings(self) -> Iterator[tuple[str, Iterator[TermPostings]]]:
        """The field with each of its terms in order, its documents and weights."""
        yield self._field, self.terms()

    def cleanup(self) -> None:
        """Forget everything."""
        self._terms = {}


class _FieldWriter(W3FieldWriter):  # type: ignore[misc]
    _postings = 0  # bytes of them so far

    def add_postings(
        self,
        schema: Any,
        lengths: Any,  # noqa: ARG002 - Whoosh's signature; our weights carry the length
        items: Iterable[tuple[str, Iterator[TermPostings]]],
    ) -> None:
        for field, rows in items:
            self.start_field(field, schema[field])
            self._add_terms(rows)

    def _add_terms(self, rows: Iterable[TermPostings]) -> None:
        """As `OrderedHashWriter.add` would write one term after the other, in a third of the time:
        of terms that come in order, and without asking the file each time how long it is."""
        table, field = self._tindex, int(self._fieldid).to_bytes(2, "big")
        at, write, note = table.tell(), table.dbfile.file.write, table.index.append
        for term, documents, weights in rows:
            key, info = field + term, self._info(documents, weights)
            number = int.from_bytes(md5(key, usedforsecurity=False).digest()[-4:], "big")
            table.buckets[number & 255].append((number, at))
            note(at)
            at += write(_LENGTHS(len(key), len(info)) + key + info)

    def _info(self, documents: array[int], weights: bytearray) -> bytes:
        """What `W3TermInfo.to_bytes` makes: a term in few units lives in its table."""
        count, is_inline = len(documents), len(documents) <= _INLINE
        ends = max(weights), documents[0], documents[-1]
        head = bytes(_INFO(is_inline, sum(weights), count, *_NO_LENGTHS, *ends))
        if is_inline:
            return head + bytes(dumps((tuple(documents), tuple(weights), ()), 2))
        blob = encode(documents, weights)
        extent = _EXTENT(self._postings, len(blob))
        self._postings += self._postfile.file.write(blob)
        return head + extent


class Codec(W3Codec):  # type: ignore[misc]
    """Whoosh's codec with our postings; everything else (terms, columns, segments) is Whoosh's."""

    length_stats = False

    def field_writer(self, storage: Any, segment: Any) -> _FieldWriter:
        """Writes terms and postings of a segment."""
        return _FieldWriter(self, storage, segment)


def read_postings(file: Any, info: Any, first: int = 0) -> Postings:
    """The documents, counted from `first`, and the weights of a term."""
    if info.is_inlined():
        documents, weights, _ = info.inlined_postings()
        return [document + first for document in documents], weights
    offset, (length,) = info.extent()  # Whoosh 3.54 unpacks the length as a tuple
    return decode(file.get(offset, length), first)
