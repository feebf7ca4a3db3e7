"""The vectors of a workspace on a server: how they are fed, and how a reader asks them.

A question is compared with all of them, so a reader keeps a copy of all, and fetches what changed.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import NamedTuple, NoReturn

from memwiki.answers.index import VectorsInfo
from memwiki.errors import IndexDamagedError, ModelError, SharedIndexError, reason_of
from memwiki.files.lock import Lock
from memwiki.index.projection import lacking
from memwiki.index.shared_stores import SharedVectorStore
from memwiki.index.sql import batched
from memwiki.index.storage_sqlite import SqlError
from memwiki.index.stores import inode_of
from memwiki.index.vectors.store import FILE, VectorStore
from memwiki.index.vectors.units import Coverage, EmbeddedUnits, UnitTexts
from memwiki.nouns import Difference
from memwiki.sync.embedder import EmbeddingModel
from memwiki.sync.embedding import LOCK_MS, VectorIndex

_PROBE = "width"
_MODEL, _CALLED, MARK = "model", "called", "mark"  # remarks
_TEXTS = (_MODEL, _CALLED, MARK, SharedVectorStore.made_for)


class _Told(NamedTuple):
    """What a server says of its vectors."""

    model: str  # the folder that the same ones have where there are files
    called: str
    mark: str  # another one after each feed that changed something
    settings: str
    units: int
    vectors: int


def feed_vectors(store: SharedVectorStore, here: VectorIndex | None, fed: Mapping[str, str]) -> str:
    """Give a server what there is here for the pages that were fed, `{path: digest}`; without
    vectors here, what it has of these versions stays. Gives the mark that it has now."""
    if here is None or not here.is_there():
        return _feed(store, None, fed)
    with here.opened() as local:
        settings = f"{here.folder.name} {local.state(local.made_for)}"
        if not store.is_made(settings):
            store.make(settings)
            store.note(MARK, "")
        store.note(_MODEL, here.folder.name)
        store.note(_CALLED, here.model.name)
        return _feed(store, local, fed)


def _feed(store: SharedVectorStore, local: VectorStore | None, fed: Mapping[str, str]) -> str:
    held = store.digests()
    known = local.digests() if local else held
    wanted = {path: digest for path, digest in known.items() if fed.get(path) == digest}
    absent, gone = lacking(wanted, held)
    store.apply((), gone)
    texts: list[bytes] = []
    if local:
        for part in batched(sorted(absent)):
            store.apply([UnitTexts(path, wanted[path], local.texts_of(path)) for path in part], ())
        store.put_packed(local.packed_of(texts := store.lacking()))
    mark = store.state(MARK)
    if absent or gone or texts or not mark:
        for name, number in store.coverage()._asdict().items():
            store.note(name, str(number))
        mark = os.urandom(8).hex()
        store.note(MARK, mark)
    return mark


class SharedVectors(VectorIndex):
    """The vectors of a workspace on a server, as a reader asks them."""

    def __init__(
        self, folder: Path, model: EmbeddingModel, server: Callable[[], SharedVectorStore]
    ) -> None:
        """`server` gives its stores for this thread; a copy of them is kept in the folder."""
        super().__init__(folder, model, EmbeddedUnits.MEMORIES, "")
        self._server = server
        self._mark = ""  # of what was copied last

    def _state(self) -> _Told:
        found = self._server().about()
        model, called, mark, settings = (found.get(name, "") for name in _TEXTS)
        units, vectors = (int(found.get(name, "0")) for name in Coverage._fields)
        return _Told(model, called, mark, settings, units, vectors)

    def why_none(self) -> str:
        """Why they cannot be asked with the model that is set."""
        if reason := self._why_others(self._state()):
            return reason
        try:
            with self.opened():
                return ""
        except (OSError, SqlError, IndexDamagedError) as error:  # words answer all the same
            return f"the vectors of the shared index cannot be copied: {reason_of(error)}"

    def _why_others(self, told: _Told) -> str:
        """Why there are none of the model that is set."""
        if not told.vectors:
            return "the shared index has no vectors"
        try:
            if not self.model.is_known:
                self.question(_PROBE)  # a server says how wide they are
        except ModelError as error:
            return error.message
        if told.model != self.folder.name:
            return f"the shared index has vectors of another model: {told.called}"
        return ""

    def is_there(self) -> bool:
        """Whether the server has some of the model that is set."""
        return not self.why_none()

    @contextmanager
    def opened(self) -> Iterator[VectorStore]:
        """The copy, as the server is now, unless another process is at it."""
        with self._guard:
            self._follow(self._state())
            with super().opened() as store:
                yield store

    def _follow(self, told: _Told) -> None:
        if self._mark == told.mark and self._inode == inode_of(self.folder / FILE):
            return
        if self._settings != told.settings:
            self._settings = told.settings
            self._close_store()
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        lock = Lock(self.folder.with_suffix(".lock"))
        is_mine = lock.acquire(LOCK_MS)
        try:
            with closing(self._opened_anew()) as store:
                if is_mine and store.state(MARK) != told.mark:
                    with self._server().one_moment():
                        _copy(self._server(), store, told.mark)
                    store.compact(self.max_unused)
                self._mark = store.state(MARK)
        finally:
            if is_mine:
                lock.release()

    def covered(self) -> float:
        """The share of the units that want a vector which have one."""
        told = self._state()
        return round(told.vectors / told.units, 3) if told.units else 0.0

    def version(self) -> str:
        """Another one where other vectors may be found, or a model may be asked."""
        told = self._state()
        return f"{told.mark} {self.model.is_loaded or self.may_load}" if told.vectors else ""

    def info(self, _: object) -> VectorsInfo:
        """How many units have a vector of the model that is set."""
        told = self._state()
        if self._why_others(told):
            return VectorsInfo(self.model.name)
        return VectorsInfo(self.model.name, told.units, told.vectors, is_counted=True)

    def fill(self, *_: object, **__: object) -> NoReturn:
        """They are made where they are fed."""
        raise SharedIndexError.only_read()

    def differences(self, _: object) -> list[Difference]:
        """There are no pages to compare them with."""
        return []


def _copy(server: SharedVectorStore, store: VectorStore, mark: str) -> None:
    """Make a copy of what a server has, fetching what is lacking."""
    wanted = server.digests()
    absent, gone = lacking(wanted, store.digests())
    store.apply((), gone)
    for part in batched(sorted(absent)):  # a part each: others may open it meanwhile
        store.apply([*server.units_of({path: wanted[path] for path in part})], ())
    texts = {text for _, of_page in store.lacking() for text in of_page}
    width = store.rows.row_bytes
    for some in batched(texts):
        found = dict(server.packed_of(some))
        store.put_packed({text: row for text, row in found.items() if len(row) == width})
    store.note(MARK, mark)
