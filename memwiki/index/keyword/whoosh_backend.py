"""The keyword index in Whoosh: one document a unit, holding its key and its weighted terms."""

from __future__ import annotations

import errno
import os
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from functools import cached_property
from importlib import import_module
from itertools import islice
from pathlib import Path
from typing import Any

from memwiki.config.tables import WHOOSH
from memwiki.errors import IndexDamagedError
from memwiki.index.keyword.backend import (
    MANIFEST,
    Manifest,
    Postings,
    living,
    of_one_size,
    parts_with,
    term_bytes,
    term_of,
)
from memwiki.index.keyword.tokens import weights_of
from memwiki.index.keyword.whoosh_codec import Codec, Pool, read_postings, spared
from memwiki.index.projection import Put, Terms
from memwiki.index.storage_sqlite import SqlError, StoreMissingError
from memwiki.index.units import KEY_BYTES, has_message, page_bytes, page_number

with spared():
    from whoosh.columns import FixedBytesColumn
    from whoosh.fields import COLUMN, FieldType, Schema
    from whoosh.filedb.filestore import FileStorage
    from whoosh.index import FileIndex
    from whoosh.reading import EmptyReader, MultiReader, SegmentReader, TermNotFound

_TIDY_UNITS = 2_000  # at most these are merged at once: all of 34,000 took 13 s (2026-11-21)
_RETRIES = 20  # a reader that opens while a commit deletes segments tries again
_TERMS_TOGETHER = 1_000
_KNOWN_TERMS = 500  # terms whose places in the files a snapshot remembers
_FEW_PAGES = 16  # pages whose units are searched for rather than met on the way
_PATIENCE = 3  # times for one generation: a file that no commit has deleted is lost


class _Terms(FieldType):  # type: ignore[misc]
    """A field whose terms go straight to the pool, weighted; Whoosh itself never indexes a
    value, and only asks whether there is a format."""

    indexed, stored, unique, scorable, spelling = True, False, False, False, False
    format, analyzer, vector, column_type = "ours", None, None, None

    def __init__(self) -> None:
        """As each is like the other, and in a table of contents there is none."""

    def __reduce__(self) -> tuple[type[_Terms], tuple[()]]:
        """Nothing of it is in a table of contents."""
        return _Terms, ()


_KEYS = FixedBytesColumn(KEY_BYTES)
_SCHEMA = Schema(key=COLUMN(_KEYS), text=_Terms())


class WhooshBackend:
    """Postings of all units in a folder that belongs to this backend alone.

    Beside Whoosh's files lies a private list of what they hold (path, digest, unit keys), valid
    only for the generation it names: it is written ahead of Whoosh's commit and folded in after it,
    so that whichever of the two a crash cuts off, list and index agree or both are built again.
    """

    name, backend = "keyword", WHOOSH

    def __init__(self, folder: Path, *, may_make: bool = True) -> None:
        """Open it; raises StoreMissingError where there is none and none may be made, and
        IndexDamagedError where its table of contents cannot be read."""
        self._folder = folder
        storage = FileStorage(os.fspath(folder), supports_mmap=False)  # mmap copies it all: 163 MB
        if not any(folder.glob("*.toc")):
            if not may_make:
                raise StoreMissingError("keyword index: is gone")
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            _create(storage, folder)
        self._index = _open(storage)

    @property
    def _list(self) -> Manifest:
        """The private list as of now: another process may have died between its two steps."""
        self._opened.commit(self.generation())
        return self._opened

    @cached_property
    def _opened(self) -> Manifest:
        return Manifest(os.fspath(self._folder / MANIFEST))

    def digests(self) -> Mapping[str, str]:
        """`{path: digest}` of the pages whose units are here."""
        return self._list.digests()

    def tree(self) -> str:
        """The tree digest of the pages whose units are here."""
        return self._list.tree()

    def apply(self, puts: Sequence[Put], removes: Sequence[str]) -> None:
        """Write the units that are new, delete those that are gone, in one commit without a merge
        of large segments."""
        listed = self._list
        after = {put.path: put.digest for put in puts}
        rows = listed.existing({*removes, *after})
        before = {path: str(digest) for path, (digest,) in rows.items()}
        wanted: dict[bytes, Terms | None] = {}
        for put in puts:
            wanted |= put.terms
        with self._writing() as writer:
            gone = {put.path: put.gone for put in puts if put.gone is not None}
            changed = {page_number(path) for path in before if path not in gone}
            existing = self._documents_of(writer, changed)
            existing |= self._documents_of(writer, set().union(*gone.values()))
            for key in existing.keys() - wanted.keys():
                writer.delete_document(existing[key])
            for key, terms in wanted.items():
                if key not in existing:
                    writer.pool.add_terms(_added(writer, key), weights_of(terms))
            listed.prepare_commit(writer.generation, before, after)
            writer.commit(mergetype=_merge_small)
        listed.commit(writer.generation)

    @contextmanager
    def _writing(self) -> Iterator[Any]:
        """A writer that is cancelled when anything goes wrong before its commit."""
        with spared():
            import_module("whoosh.writing")
        with _damage_named():
            writer = self._index.writer(codec=Codec(), limitmb=128)
            try:
                writer.pool = Pool("text")
                yield writer
            except BaseException:
                if not writer.is_closed:
                    writer.cancel()
                raise

    def generation(self) -> int:
        """The number of the last commit, from 0; StoreMissingError where another build took the
        place of this one."""
        latest = int(self._index.latest_generation())
        if latest < 0:
            raise StoreMissingError("keyword index: is gone")
        return latest

    def unit_count(self) -> int:
        """How many units the last commit holds; only the list of segments is read."""
        with _damage_named():
            segments = self._index._read_toc().segments
            return sum(map(_living_units, segments))

    def snapshot(self) -> WhooshSnapshot:
        """The last committed generation, opened for one thread; IndexDamagedError when one of its
        files is gone or not as Whoosh wrote it."""
        return WhooshSnapshot(_open_reader(self._index))

    def tidy(self) -> None:
        """Merge what small commits left: less than a second of work, however large the index is."""
        self._rewrite(_untidy)

    def scrub(self) -> bool:
        """Write the segments that hold deleted units anew, without them, and the private list."""
        self._rewrite(_with_deleted)
        return self._list.scrub()

    def _rewrite(self, chosen: Callable[[list[Any]], list[Any]]) -> None:
        """Join the chosen segments, and clear deleted units out of them."""
        if not chosen(self._index._read_toc().segments):
            return
        listed = self._list
        with self._writing() as writer:
            listed.prepare_commit(writer.generation, {}, {})
            writer.commit(mergetype=lambda new, all_: _join(new, all_, chosen(all_)))
        listed.commit(writer.generation)

    def checkpoint(self) -> None:
        """Leave nothing in the log of the private list."""
        if "_opened" in self.__dict__:
            self._opened.checkpoint()

    def close(self) -> None:
        """Let go of the private list."""
        if "_opened" in self.__dict__:
            self._opened.close()

    @staticmethod
    def _documents_of(writer: Any, starts: set[bytes]) -> dict[bytes, int]:
        """The living documents by unit key: of pages by what their keys begin with, or of units."""
        if not starts:
            return {}
        found, offset = {}, 0
        for segment in writer.segments:
            column = _key_column_of(writer.storage, segment)
            gone = {*segment.deleted_docs()}
            for start in _places_in(column, starts):
                document = start // KEY_BYTES
                if document not in gone:
                    found[column[start : start + KEY_BYTES]] = offset + document
            offset += segment.doc_count_all()
        return found


def _create(storage: FileStorage, folder: Path) -> None:
    """Make an empty index; of a reader and the first writer, who may both be about to, one does.

    Whoosh begins by deleting what is there: late by a moment it would be the first commit.
    """
    from memwiki.files.lock import Lock  # nobody locks what he only reads

    with Lock(folder / "create.lock"):
        if not any(folder.glob("*.toc")):
            FileIndex.create(storage, _SCHEMA, "MAIN")


def _added(writer: Any, key: bytes) -> int:
    """The number of a new document with this key; what `add_document` does, in a sixth of the
    time."""
    document, columns = int(writer.docnum), writer.perdocwriter
    columns.start_doc(document)
    columns.add_column_value("key", _KEYS, key)
    columns.finish_doc()
    writer.docnum, writer._added = document + 1, True
    return document


def _merge_small(writer: Any, segments: list[Any]) -> list[Any]:
    """Join eight segments of about one size into one."""
    return _join(writer, segments, of_one_size(segments, _living_units))


def _living_units(segment: Any) -> int:
    return int(segment.doc_count_all() - segment.deleted_count())


def _with_deleted(segments: list[Any]) -> list[Any]:
    """Those that hold deleted units, whose words are in their files still."""
    return [each for each in segments if each.deleted_count()]


def _untidy(segments: list[Any]) -> list[Any]:
    """The smallest segments, unless there is but one and nothing deleted in it."""
    small, room = list[Any](), _TIDY_UNITS
    for segment in sorted(segments, key=lambda each: each.doc_count_all()):
        room -= segment.doc_count_all()
        if room < 0:
            break
        small.append(segment)
    return small if len(small) > 1 or _with_deleted(small) else []


def _join(writer: Any, segments: list[Any], joined: list[Any]) -> list[Any]:
    for segment in joined:
        if _living_units(segment):  # of no unit Whoosh makes a segment without columns
            with closing(SegmentReader(writer.storage, writer.schema, segment)) as reader:
                _take_over(writer, reader)
    return [segment for segment in segments if segment not in joined]


def _take_over(writer: Any, leaf: Any) -> None:
    """What `writer.add_reader` does, which looks each term up again: thrice as long."""
    keys, numbers = leaf.column_reader("key", translate=False), dict[int, int]()
    for document in leaf.all_doc_ids():
        numbers[document] = _added(writer, keys[document])
    for word, (documents, weights) in _all_living(leaf):
        if documents:
            writer.pool.add_postings(word, ([*map(numbers.__getitem__, documents)], weights))


class WhooshSnapshot:
    """One generation of the index. Documents are numbered across segments as Whoosh does, so that
    the columns of their keys joined are one column."""

    def __init__(self, reader: Any) -> None:
        self._reader = reader
        leaves = reader.leaf_readers() if reader.doc_count_all() else ()
        self._leaves: list[tuple[int, Any]] = [(offset, leaf) for leaf, offset in leaves]
        self.parts: Sequence[int] = [offset for offset, _ in self._leaves]
        self._terms: dict[str, list[tuple[int, Any, Any]]] = {}
        self.generation = int(reader.generation() or 0)
        self.unit_count = int(reader.doc_count())

    def prefetch(self, terms: Iterable[str]) -> None:
        """To look a term up takes no round trip."""

    def frequency(self, term: str) -> int:
        """In how many units the term stands; units deleted since the last merge still count."""
        return sum(int(info.doc_frequency()) for _, _, info in self._infos(term))

    def highest(self, term: str) -> int:
        """The highest weight that the term has in a unit, be that deleted since the last merge."""
        return max((int(info.max_weight()) for _, _, info in self._infos(term)), default=0)

    def postings(self, term: str, among: Collection[int] | None = None) -> Iterator[Postings]:
        """Runs of (documents, weights) of the living units that hold the term, a segment a run."""
        having = None if among is None else {self.parts[p] for p in parts_with(among, self.parts)}
        for offset, leaf, info in self._infos(term):
            if having is not None and offset not in having:
                continue
            documents, weights = _living(leaf, info, offset)
            if documents:
                yield documents, weights

    def all_postings(self) -> Iterator[tuple[str, Postings]]:
        """Each term with a run of it, a segment after the other: to look each up takes thrice as
        long."""
        for offset, leaf in self._leaves:
            for word, postings in _all_living(leaf, offset):
                yield term_of(word), postings

    def _infos(self, term: str) -> list[tuple[int, Any, Any]]:
        """Where the term's postings lie in each segment that has any."""
        found = self._terms.get(term)
        if found is None:
            word = term_bytes(term)
            infos = ((offset, leaf, _term_info(leaf, word)) for offset, leaf in self._leaves)
            found = [row for row in infos if row[2] is not None]
            if len(self._terms) >= _KNOWN_TERMS:
                self._terms.clear()
            self._terms[term] = found
        return found

    def expand(self, prefix: str, limit: int) -> list[str]:
        """At most `limit` terms that begin with the prefix, in order."""
        found: set[bytes] = set()
        for _, leaf in self._leaves:
            with _damage_named():
                found.update(islice(leaf.expand_prefix("text", term_bytes(prefix)), limit))
        return [term_of(term) for term in sorted(found)[:limit]]

    def keys(self, documents: Iterable[int]) -> list[bytes]:
        """The unit keys of these documents."""
        column = self._keys
        return [column[d * KEY_BYTES : (d + 1) * KEY_BYTES] for d in documents]

    def documents_of(self, pages: Iterable[int]) -> list[int]:
        """The units of these pages, with those that were deleted since the last merge."""
        places = _places_in(self._keys, set(map(page_bytes, pages)))
        return [place // KEY_BYTES for place in places]

    @cached_property
    def has_messages(self) -> bool:
        """Whether any unit is a message."""
        return has_message(self._keys)

    @cached_property
    def _keys(self) -> bytes:
        with _damage_named():
            return b"".join(
                _column_bytes(leaf.column_reader("key", translate=False), leaf.doc_count_all())
                for _, leaf in self._leaves
            )

    def close(self) -> None:
        """Let go of the files."""
        self._reader.close()


def _term_info(leaf: Any, word: bytes) -> Any:
    """Where a term's postings lie, None where there are none."""
    with _damage_named():
        try:
            return leaf._terms.term_info("text", word)
        except TermNotFound:
            return None


def _some_of(items: Iterator[Any]) -> list[Any]:
    with _damage_named():
        return list(islice(items, _TERMS_TOGETHER))


def _all_living(leaf: Any, offset: int = 0) -> Iterator[tuple[bytes, Postings]]:
    """Each term of a segment, as it is kept, with the postings of the living units."""
    items = leaf._terms.items()
    while part := _some_of(items):
        for (_, word), info in part:
            yield word, _living(leaf, info, offset)


def _living(leaf: Any, info: Any, offset: int) -> Postings:
    """The postings of the units that were not deleted, numbered from `offset`."""
    with _damage_named():
        postings = read_postings(leaf._terms._postfile, info, offset)
    return living(postings, leaf.deleted_docs_set, offset)


def _key_column_of(storage: FileStorage, segment: Any) -> bytes:
    """The keys of a segment without opening its terms, which takes ten times as long."""
    with _damage_named(), ExitStack() as opened:
        files = storage
        if segment.is_compound():
            files = opened.enter_context(closing(segment.open_compound_file(storage)))
        reader = segment.codec().per_document_reader(files, segment)
        opened.callback(reader.close)
        column = reader.column_reader("key", _SCHEMA["key"].column_type)
        return _column_bytes(column, segment.doc_count_all())


def _column_bytes(column: Any, count: int) -> bytes:
    return bytes(column._dbfile.get(column._basepos, count * KEY_BYTES)) if count else b""


def _places_in(column: bytes, starts: set[bytes]) -> Iterator[int]:
    """Where the keys begin that start so: all as long as another, those of a page or whole keys. A
    search in C costs 0.1 ms each and 34,000 units."""
    if len(starts) > _FEW_PAGES:
        size = len(next(iter(starts)))
        places = range(0, len(column), KEY_BYTES)
        yield from (place for place in places if column[place : place + size] in starts)
        return
    for start in starts:
        place = column.find(start)
        while place >= 0:
            if place % KEY_BYTES == 0:
                yield place
            place = column.find(start, place + 1)


def _open(storage: FileStorage) -> FileIndex:
    with _damage_named():
        for _ in range(_PATIENCE):
            try:
                return FileIndex(storage, indexname="MAIN")
            except FileNotFoundError:  # a commit replaced the table of contents since it was listed
                time.sleep(0.01)
        return FileIndex(storage, indexname="MAIN")


def _open_reader(index: FileIndex) -> Any:
    generation, patience = -1, _PATIENCE
    for _ in range(_RETRIES):
        latest = index.latest_generation()
        patience = patience - 1 if latest == generation else _PATIENCE
        generation = latest
        with _damage_named():
            try:
                return _reader_of(index)
            except FileNotFoundError:
                if not patience:
                    raise
        time.sleep(0.01)
    raise IndexDamagedError("keyword index: its files vanish while they are opened")


def _reader_of(index: FileIndex) -> Any:
    """As `index.reader()`, which would wait half a second and leave files open when one is
    missing."""
    toc = index._read_toc()
    readers: list[Any] = []
    try:
        readers.extend(
            SegmentReader(index.storage, toc.schema, segment, generation=toc.generation)
            for segment in toc.segments
        )
    except BaseException:
        for reader in readers:
            reader.close()
        raise
    if len(readers) == 1:
        return readers[0]
    return MultiReader(readers, generation=toc.generation) if readers else EmptyReader(toc.schema)


@contextmanager
def _damage_named() -> Iterator[None]:
    """A damaged pickle may raise anything at all; whoever asked is told that the index is
    damaged."""
    try:
        yield
    except (IndexDamagedError, SqlError, MemoryError):
        raise
    except Exception as error:
        if isinstance(error, OSError) and error.errno not in (errno.ENOENT, errno.EINVAL):
            raise  # a full or failing disk is another matter than a crooked offset
        raise IndexDamagedError(f"keyword index: {type(error).__name__}: {error}") from error
