"""The vectors of a workspace as they are filled and asked: which pages lack what, for how long
somebody waits for a model, and when none is loaded."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from functools import cached_property
from itertools import islice
from math import inf
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, NamedTuple, TypeAlias, cast

from memwiki.answers.index import Embedded, VectorsInfo
from memwiki.config.models import load_user_models
from memwiki.digest import blake2b
from memwiki.errors import (
    IndexDamagedError,
    LockedError,
    MemwikiError,
    ModelError,
    NeedsModelError,
)
from memwiki.files.ignore import Ignore
from memwiki.files.lock import Lock
from memwiki.files.read import PublicRoot, contents
from memwiki.index.cards.lookup import Lookup
from memwiki.index.cards.tables import row_number
from memwiki.index.projection import Progress, lacking
from memwiki.index.storage_sqlite import ReplacedError, SqlError
from memwiki.index.stores import inode_of
from memwiki.index.vectors.store import (
    FILE,
    Nearness,
    RowByRow,
    RowScan,
    VectorStore,
    remove_stores,
    scanner,
)
from memwiki.index.vectors.units import (
    RECIPE,
    Coverage,
    EmbeddedUnits,
    UnitTexts,
    embedded_text,
    is_usable,
    pack_row,
    text_key,
    texts_of_page,
)
from memwiki.markdown.parse import WholeFile, parse
from memwiki.models.outgoing import OutgoingFiles, sendable
from memwiki.models.port import Vector
from memwiki.nouns import Difference
from memwiki.scope import EVERY, scope_of
from memwiki.sync.embedder import EmbeddingModel, model_of

if TYPE_CHECKING:
    from memwiki.sync.live import LiveIndex
    from memwiki.sync.open_index import OpenIndex

_Lacking: TypeAlias = Mapping[str, set[bytes]]  # of pages by path, the texts without a vector
FOLDER = "vectors"
AFTER_SYNC_S = 2.0
_PATIENCE_S = 0.8  # for a server, amid a question
_REST_S = 30.0  # in which one that did not answer is not asked again
_PAGES_AT_ONCE = 64
_MAX_AT_ONCE = 64  # texts
_QUICK_S = 0.25
_LONG_S = 10.0  # a run in which every row is looked at
LOCK_MS = 200


class VectorIndex:
    """The vectors of one workspace; shared by the threads of a process."""

    def __init__(self, folder: Path, model: EmbeddingModel, of: str, settings: str) -> None:
        """`settings` are those under which its pages are read."""
        self._place, self.model, self.of = folder / FOLDER, model, EmbeddedUnits(of)
        self.may_load = True  # unasked; a command that ends soon loads no model without need
        self.max_unused = 10_000  # rows of texts that are in no page any more
        self.after_sync_s = AFTER_SYNC_S
        self._settings = f"{self.of.value} {settings}"
        self._guard = threading.RLock()
        self._store: VectorStore | None = None
        self._inode = 0
        self._rests_until = 0.0
        self._coverage = (-1, Coverage(0, 0))  # at a version of the store

    # --- asking ---

    @cached_property
    def folder(self) -> Path:
        """Where they lie: another model, width or recipe has another folder."""
        key = f"{self.model.embedder.key} {RECIPE}"
        return self._place / blake2b(key.encode(), digest_size=8).hexdigest()

    def is_there(self) -> bool:
        """Whether anything was ever filled in, and can be read."""
        if not (self.model.is_known and self.folder.is_dir()):
            return False
        try:
            with self.opened():
                return True
        except (OSError, SqlError, IndexDamagedError):  # words answer all the same
            return False

    def why_none(self) -> str:
        """Why nothing can be asked; "" where something can."""
        return "" if self.is_there() else "nothing is embedded yet: memwiki models embed"

    @contextmanager
    def opened(self) -> Iterator[VectorStore]:
        """The store, for one thread at a time."""
        with self._guard:
            if self._inode != inode_of(self.folder / FILE):
                self._close_store()  # the folder was deleted, and perhaps made again
            if self._store is None and not (self.folder / FILE).is_file():
                raise ReplacedError("vectors: they were deleted meanwhile")  # who reads makes none
            self._store = self._store or self._opened_anew()
            self._inode = inode_of(self.folder / FILE)
            yield self._store

    @cached_property
    def _scan(self) -> RowScan | None:
        return scanner()

    def _opened_anew(self) -> VectorStore:
        return VectorStore(self.folder, self.model.embedder.width, self._settings)

    def near(self, store: VectorStore, vector: Vector) -> Nearness:
        """Its rows compared with a vector; without numpy those that are asked for."""
        rows = store.rows
        return self._scan.near(rows, vector) if self._scan and len(rows) else RowByRow(rows, vector)

    def pairs(self, keys: Sequence[bytes], least: float) -> list[tuple[float, int, int]]:
        """Which of these units are so near to each other, by their places, with their cosines: of
        what is embedded, where numpy is there. No model is asked or loaded."""
        if not (self._scan and self.is_there()):
            return []
        with self.opened() as store:
            rows = store.rows_around(keys)
            known = {at: rows[key][0] for at, key in enumerate(keys) if key in rows}
            places = list(known)
            near = self._scan.pairs(store.rows, [*known.values()], least) if known else ()
            return [(cosine, places[one], places[other]) for cosine, one, other in near]

    def alike(self, texts: Sequence[str], least: float, newest: int) -> list[tuple[int, int]]:
        """Which of these texts, the oldest first, are so near to each other, by their places: the
        `newest` of those that are embedded are compared with all. No model is asked or loaded."""
        if not (self._scan and self.is_there()):
            return []
        with self.opened() as store:
            rows = store.rows_of(text_key(embedded_text(text)) for text in texts)
            known = {at: number for at, number in enumerate(rows) if number is not None}
            places, first = list(known), max(0, len(known) - newest)
            near = self._scan.pairs(store.rows, [*known.values()], least, first) if known else ()
            return [(places[one], places[other]) for _, one, other in near]

    def question(self, text: str) -> Vector:
        """The vector of a question; ModelError where that takes too long, which is not waited
        for again at once."""
        if self.model.is_local:
            return self.asked([text])[0]
        if monotonic() < self._rests_until:
            raise ModelError(f"{self.model.name}: did not answer a moment ago")
        return self._in_time(sendable(text))

    def _in_time(self, text: str) -> Vector:
        found: list[Vector | MemwikiError] = []

        def ask() -> None:
            try:
                self.model.begin()
                found.extend(self.asked([text]))
            except MemwikiError as error:
                found.append(error)

        asking = threading.Thread(target=ask, name="memwiki-embed", daemon=True)
        asking.start()
        asking.join(_PATIENCE_S)
        if found and not isinstance(found[0], MemwikiError):
            return found[0]
        self._rests_until = monotonic() + _REST_S
        if found and isinstance(found[0], MemwikiError):
            raise ModelError(found[0].message, found[0].hint)
        raise ModelError(f"{self.model.name}: no answer within {_PATIENCE_S * 1000:.0f} ms")

    def asked(self, texts: Sequence[str]) -> list[Vector]:
        """The vectors of texts, as they were asked for."""
        embedder = self.model.embedder
        found = embedder.embed(texts)
        if len(found) != len(texts) or not all(is_usable(each, embedder.width) for each in found):
            raise ModelError(f"{self.model.name}: gave other vectors than were asked for")
        return found

    # --- filling ---

    def fill(
        self, live: LiveIndex, *, seconds: float, limit: int = 0, progress: Progress | None = None
    ) -> Embedded:
        """Embed what lacks a vector, for so long at most, of what is not private; what was
        embedded stays."""
        began = monotonic()
        public = live.public()
        self.model.begin()
        lock = Lock(self.folder.with_suffix(".lock"))
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not lock.acquire(LOCK_MS):
            raise LockedError(f"vectors: being made by {lock.owner()}", "memwiki status")
        try:
            with closing(self._opened_anew()) as store:  # nobody who asks waits for it
                store.heal(is_thorough=limit == 0 and seconds > _LONG_S)
                filling = _Filling(self, public, store, began + seconds)
                done = filling.run(limit, progress)
                store.compact(self.max_unused)
                store.checkpoint()
                left = sum(len(texts) for _, texts in store.lacking())
                return Embedded(self.model.name, done, left, round(monotonic() - began, 3))
        finally:
            lock.release()

    def keeps_back(self, live: LiveIndex, path: str) -> bool:
        """Whether nothing of a page is given to the model."""
        return _PageReader(self, live.public()).keeps_back(path)

    # --- telling ---

    def info(self, live: LiveIndex) -> VectorsInfo:
        """How many units have a vector."""
        if not self.is_there():
            return VectorsInfo(self.model.name)
        with self.opened() as store:
            units, vectors = store.coverage()
            with live.public().opened() as stores:
                pages = len(stores.cards.digests())
            is_whole = len(store.digests()) >= pages
        return VectorsInfo(self.model.name, units, vectors, is_counted=is_whole)

    def version(self) -> str:
        """Another one where other vectors may be found, or a model may be asked."""
        if not self.is_there():
            return ""
        with self.opened() as store:
            return f"{store.version()} {self.model.is_loaded or self.may_load}"

    def mark(self) -> str:
        """The same, as it can be kept: of the rows alone."""
        if not self.is_there():
            return ""
        with self.opened() as store:
            return store.mark()

    def covered(self) -> float:
        """The share of the units that are known to want a vector which have one."""
        if not self.is_there():
            return 0.0
        with self.opened() as store:
            number = store.version()
            if self._coverage[0] != number:  # to count 50,000 takes longer than to scan them
                self._coverage = number, store.coverage()
            units, vectors = self._coverage[1]
        return round(vectors / units, 3) if units else 0.0

    def differences(self, live: LiveIndex) -> list[Difference]:
        """Where it is not what the pages say, or not as it was written."""
        if not self.is_there():
            return []
        public = live.public()
        with self.opened() as store:
            reader = _PageReader(self, public)
            wanted = store.digests()
            pages = (reader.read(path, digest) for path, digest in wanted.items())
            return list(store.differences(page.units for page in pages if page))

    def scrub(self, live: LiveIndex) -> bool:
        """Leave nothing on disk of texts that no page has any more; False while a reader is in the
        way."""
        if not self.is_there():
            return True
        with closing(self._opened_anew()) as store:
            _Filling(self, live.public(), store, inf).list_pages()
            return store.scrub()

    def close(self) -> None:
        """Let go of the files, and of a connection."""
        with self._guard:
            self._close_store()
        getattr(self.model.embedder, "close", object)()  # one in this process has nothing to close

    def _close_store(self) -> None:
        if self._store:
            self._store.close()
        self._store, self._coverage = None, (-1, Coverage(0, 0))


def vectors_for(
    live: OpenIndex, environ: Mapping[str, str], *, is_lasting: bool
) -> VectorIndex | None:
    """The vectors of a workspace, where a model is set for them and can be used; what keeps it from
    being used is said once."""
    if not live.context.config.models.enabled:
        return None
    try:
        found = live.made_vectors(environ)
    except MemwikiError as error:
        live.warnings.append(error.with_hint)
        return None
    if found:
        found.may_load = is_lasting
    return found


def erase_vectors(live: LiveIndex) -> bool:
    """Leave nothing of texts that are in no page: not with the model that is set, nor with one that
    was set before, whose vectors nothing keeps up to date. False while a reader is in the way."""
    vectors, cache = live.vectors, live.cache_folder
    kept = vectors.folder if vectors and vectors.is_there() else None
    if cache:
        remove_stores(cache.whole / FOLDER, kept)
    return vectors.scrub(live) if vectors else True


def required_vectors(live: OpenIndex, environ: Mapping[str, str]) -> VectorIndex:
    """The same, or a ModelError that says why there are none."""
    if not live.context.config.models.enabled:
        raise ModelError("models.enabled is false in this workspace")
    found = live.vectors or live.made_vectors(environ)
    if found is None:
        what = "no model is set" if live.cache_folder else "no cache folder can be written"
        raise NeedsModelError(f"models.embed: {what}", 'provider = "local" in your config.toml')
    return found


def vectors_of_files(live: OpenIndex, environ: Mapping[str, str]) -> VectorIndex | None:
    """Those of a workspace whose index lies on disk; None where no model is set for them."""
    models, context, place = load_user_models(environ), live.context, live.cache_folder
    if place is None or not models.embed.is_set:
        return None
    model = model_of(models, context, environ)
    # Whoever asks first, it is the view without what is private that is read.
    shown = live.settings._replace(is_public=True)
    settings = f"{shown.digest()} {context.config.models.withhold}"
    if not model.is_local:
        settings += f" {context.namespace}"
    found = VectorIndex(place.whole, model, context.config.vectors.of, settings)
    found.max_unused = models.embed.cache_max
    found.after_sync_s = AFTER_SYNC_S if models.embed.defer else inf
    return found


class _ReadTexts(NamedTuple):
    """A page with the texts of its units, and each of these by its digest."""

    units: UnitTexts
    by_key: Mapping[bytes, str]


class _PageReader:
    """Reads the pages of one index for their texts."""

    def __init__(self, vectors: VectorIndex, live: LiveIndex) -> None:
        self._of, self._live, self._is_local = vectors.of, live, vectors.model.is_local
        self._context = context = live.context
        withhold = context.config.models.withhold
        scope = scope_of(context.layers, EVERY) if self._is_local else context.scope()
        ignore = Ignore() if self._is_local else context.ignore()
        self._files = OutgoingFiles(cast("PublicRoot", context.root), ignore, scope, withhold)

    def read(self, path: str, digest: str) -> _ReadTexts | None:
        """A page, if it is still this version of it; of one without memories only the name may be
        wanted."""
        is_needless = self._of is EmbeddedUnits.MEMORIES and not self._has_memories(path)
        if is_needless or self.keeps_back(path):
            return _ReadTexts(UnitTexts(path, digest, {}), {})
        context = self._context
        try:
            file, _ = contents(context.root, path, context.max_bytes)
        except MemwikiError:
            return None
        if file.digest != digest:
            return None
        whole = WholeFile(file.digest, file.size)
        page = parse(path, file.data, context.layers, max_bytes=context.max_bytes, of=whole)
        found = texts_of_page(page, self._of)
        texts = {key: text if self._is_local else sendable(text) for key, text in found}
        keys = {key: text_key(text) for key, text in texts.items()}
        by_key = {keys[key]: text for key, text in texts.items()}
        return _ReadTexts(UnitTexts(path, digest, keys), by_key)

    def keeps_back(self, path: str) -> bool:
        """Whether the model is given nothing of a page."""
        return bool(self._files.why_kept(path))

    def _has_memories(self, path: str) -> bool:
        with self._live.opened() as stores:
            keys = Lookup(stores.cards.db).unit_keys(row_number(path))
        return not all(key.is_block for key in keys)


class _Filling:
    """One run: first which texts there are, then vectors of those that lack one."""

    def __init__(
        self, vectors: VectorIndex, live: LiveIndex, store: VectorStore, until: float
    ) -> None:
        self._vectors, self._live, self._store, self._until = vectors, live, store, until
        self._reader = _PageReader(vectors, live)

    def run(self, limit: int, progress: Progress | None) -> int:
        """Fill in what is lacking; gives how many texts were embedded."""
        if not self.list_pages():
            return 0
        lacking = dict(self._store.lacking())
        total = sum(map(len, lacking.values()))
        if limit:
            total = min(total, limit)
        done = 0
        for part in self._portions(lacking, total):
            vectors = self._vectors.asked([*part.values()])
            rows = {text: pack_row(text, each) for text, each in zip(part, vectors, strict=True)}
            self._store.put_packed(rows)
            done += len(part)
            if progress:
                progress(done, total)
        return done

    def list_pages(self) -> bool:
        """Take in what the pages say now; False where there was no time for all."""
        with self._live.opened() as stores:
            wanted = dict(stores.cards.digests())
        lacks, gone = lacking(wanted, self._store.digests())
        paths = sorted(lacks)
        for at in range(0, len(paths) or len(gone), _PAGES_AT_ONCE):
            if at and monotonic() > self._until:
                return False
            part = paths[at : at + _PAGES_AT_ONCE]
            found = filter(None, (self._reader.read(path, wanted[path]) for path in part))
            self._store.apply([each.units for each in found], gone)
            gone = []
        return True

    def _portions(
        self, lacking: Mapping[str, set[bytes]], total: int
    ) -> Iterator[dict[bytes, str]]:
        """Texts by their digests, more of them at once while that is quick; at least one
        portion."""
        texts = self._texts(lacking)
        left, size, began = total, self._vectors.model.at_once, monotonic()
        while part := dict(islice(texts, min(size, left))):
            yield part
            left -= len(part)
            now = monotonic()
            if now > self._until:
                break
            if now - began < _QUICK_S:
                size = max(min(2 * size, _MAX_AT_ONCE), size)
            began = now

    def _texts(self, lacking: _Lacking) -> Iterator[tuple[bytes, str]]:
        digests = self._store.digests()
        known = set[bytes]()
        for path, wanted in lacking.items():
            page = self._reader.read(path, digests[path])
            for text in sorted(wanted - known) if page else ():
                if page and text in page.by_key:
                    known.add(text)
                    yield text, page.by_key[text]
