"""The live build of the index as the threads of a process have it open."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from math import inf
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Generic, TypeAlias, TypeVar, cast

from memwiki.config import names_embedder
from memwiki.errors import IndexDamagedError, MemwikiError
from memwiki.index.cache_folder import CacheFolder, CleanScan
from memwiki.index.cards.lookup import Lookup
from memwiki.index.integrity import is_intact, signature_left
from memwiki.index.projection import Progress
from memwiki.index.storage_sqlite import SqlError
from memwiki.index.stores import KINDS, Stores
from memwiki.names import is_within
from memwiki.records import NamedTuple
from memwiki.sync import builds
from memwiki.sync.context import Context, IndexSettings
from memwiki.sync.sweeps import HeldSweep, SharedSweep, known_until, telling

if TYPE_CHECKING:
    from memwiki.answers.index import Changes
    from memwiki.files.scan import Scan
    from memwiki.markdown.outline import Outlines
    from memwiki.sync.embedding import VectorIndex

# What a sweep took in, what it proved, and the files that it saw.
Swept: TypeAlias = "tuple[Changes, CleanScan | None, Scan | None]"


T = TypeVar("T")
PUBLIC = "public"  # the folder of the index of what is not private, in that of the workspace
SWAPS = 20  # builds that take each other's place while one answer is sought
_MOMENT_S = 1.0  # a verb that changes files looks at them first


class _Shared:
    """What all views of one live index have in common."""

    def __init__(self, cache_folder: CacheFolder | None) -> None:
        self.cache_folder = cache_folder
        self.memory: Stores | None = None
        self.marked = frozenset[str]()  # as the last walk saw them
        self.is_synced = True
        self.taken_in = 0
        self.sweep_seconds: float | None = None
        self.is_writing = False
        self.asks_watcher = False
        self.awaited_until = 0.0  # by the monotonic clock
        self.public: OpenIndex | None = None  # of what is not private, once it was needed
        self.environ: Mapping[str, str] = {}
        self.is_lasting = True
        self.vectors: tuple[VectorIndex | None] | None = None  # once they were asked for
        self.sweeps = SharedSweep[Swept]()
        self.counts = SharedSweep[int]()


class _ThreadState(threading.local):
    """What one thread does with a live index."""

    stores: Stores | None = None
    build: Path | None = None  # noted before it is opened, which may fail
    is_writing = False  # it holds the lock of the index
    is_guarding = False
    is_refusing = False
    clean_scan: CleanScan | None = None
    seen: Scan | None = None
    call_sweep: HeldSweep[tuple[Changes, Scan | None]] | None = None
    outlines: Outlines | None = None
    swept_at = -inf  # when it last brought the index up to date with all files


class FedState(NamedTuple):
    """How an index is that somebody else feeds."""

    is_fresh: bool
    reason: str
    as_of: str
    name: str  # what it is called there
    by: str  # who fed it last
    has_texts: bool


class OtherSettingsError(Exception):
    """Other settings hold than those that the index was opened with."""


class _OfAllViews(Generic[T]):
    """An attribute that all views of one live index have in common."""

    def __set_name__(self, _owner: type, name: str) -> None:
        self._name = name

    def __get__(self, view: OpenIndex, _owner: type) -> T:
        return cast("T", getattr(view._shared, self._name))

    def __set__(self, view: OpenIndex, value: T) -> None:
        setattr(view._shared, self._name, value)


class OpenIndex:
    """The stores of one workspace: opened once a thread, or one set in memory that all share."""

    # Where the index lies; None when it lives in memory.
    cache_folder = _OfAllViews["CacheFolder | None"]()
    # Whether a question first brings the index up to date.
    is_synced = _OfAllViews[bool]()
    # How many new and changed pages this process took in.
    taken_in = _OfAllViews[int]()
    # How long questions, all together, take in what changed; None: all of it.
    sweep_seconds = _OfAllViews["float | None"]()
    # Whether a question looks at no file where a watcher says that it heard of all changes.
    asks_watcher = _OfAllViews[bool]()
    # Whether this process writes the index now: killed here, the next one has to look at all of it.
    is_writing = _OfAllViews[bool]()

    def __init__(self, context: Context, cache: Path | None) -> None:
        self.context = context
        self._whole: OpenIndex | None = None  # of an index of what is not private
        self.warnings: list[str] = []
        self.stands_in = ""  # why it answers, and not the one that was asked for
        self.source = context  # what the index is fed from, however it is read
        backend = context.config.indexing.keyword
        self.settings = IndexSettings(context.layers, context.max_bytes, context.is_public, backend)
        part = PUBLIC if context.is_public else ""
        self._shared = _Shared(CacheFolder(cache, context.root, part) if cache else None)
        self._settings_digest = self.settings.stamp()
        self._guard = threading.RLock()  # one thread writes, and asks an index in memory, at a time
        self._local = _ThreadState()

    def set_models(self, environ: Mapping[str, str], *, is_lasting: bool) -> None:
        """In which environment models are set, and whether this process lasts: one that ends soon
        loads no model without need."""
        self._shared.environ, self._shared.is_lasting = environ, is_lasting

    @property
    def vectors(self) -> VectorIndex | None:
        """The vectors of what is not private, where a model is set."""
        shared = self._of_whole
        if shared.vectors is None:
            found = None
            if names_embedder(shared.environ):
                from memwiki.sync.embedding import vectors_for  # few have a model

                found = vectors_for(self, shared.environ, is_lasting=shared.is_lasting)
            shared.vectors = (found,)
        return shared.vectors[0]

    @vectors.setter
    def vectors(self, value: VectorIndex | None) -> None:
        self._of_whole.vectors = (value,)

    def made_vectors(self, environ: Mapping[str, str]) -> VectorIndex | None:
        """The same, opened; None where no model is set for them."""
        from memwiki.sync.embedding import vectors_of_files

        return vectors_of_files(self, environ)

    @property
    def known_vectors(self) -> VectorIndex | None:
        """The same, if anybody has asked for them yet."""
        return (self._of_whole.vectors or (None,))[0]

    def unread_folders(self) -> list[str]:
        """The folders that other programs may keep by now, and whose settings were not read."""
        return sorted(self._shared.marked.difference(self.source.config.folders))

    def _build(self) -> Path | None:
        return self.cache_folder.current(self._settings_digest) if self.cache_folder else None

    @property
    def build_name(self) -> str:
        """The live build; "" where there is none, or the index lives in memory."""
        build = self._build()
        return build.name if build else ""

    def stores(self) -> Stores:
        """The live build, opened for this thread."""
        if self.cache_folder is None:
            self._shared.memory = self._shared.memory or Stores(None)
            return self._shared.memory
        stores = self._local.stores
        if stores and stores.build == self._build():
            stores.may_make = self._local.is_writing
            if stores.is_live():
                return stores
        self._close_stores()
        stores = self._local.stores = self._opened_anew(self.cache_folder)
        return stores

    def _opened_anew(self, folder: CacheFolder) -> Stores:
        """The live build, opened; if another one takes its place meanwhile, that one."""
        for _ in range(SWAPS):
            build = self._local.build = self._build()
            try:
                return self._opened_build(folder, build)
            except (OSError, SqlError, IndexDamagedError):
                if not self.is_replaced():
                    raise
        return self._opened_build(folder, self._build())

    def _opened_build(self, folder: CacheFolder, build: Path | None) -> Stores:
        # Where there never was a build there is nothing to show: empty stores stand in.
        if self._local.is_writing:
            return Stores(build)
        build = self._local.build = builds.readable(folder, self._build)
        return Stores(build, may_make=False)

    def is_replaced(self) -> bool:
        """Whether another build took the place of the one that this thread opened last."""
        return self.cache_folder is not None and self._build() != self._local.build

    @contextmanager
    def opened(self) -> Iterator[Stores]:
        """The live build for one answer; in memory one answer at a time."""
        if self.cache_folder is not None:
            yield self.stores()
            return
        with self._guarded():
            yield self.stores()

    @contextmanager
    def _guarded(self) -> Iterator[None]:
        """Hold the guard; who holds it waits for no other thread, which may wait for it."""
        with self._guard:
            was_guarding = self._local.is_guarding
            self._local.is_guarding = True
            try:
                yield
            finally:
                self._local.is_guarding = was_guarding

    def version(self) -> object:
        """Another one as soon as anybody but this thread has committed something to the live
        build."""
        stores = self.stores()
        return stores.build, stores.cards.version()

    def lookup(self) -> Lookup:
        """The cards of the live build."""
        return Lookup(self.stores().cards.db)

    def await_watcher(self, seconds: float) -> None:
        """Look at no file, at most so long, until a watcher that is to come has done so."""
        is_seen = seconds and self.cache_folder  # an index in memory has no watcher
        self._of_whole.awaited_until = monotonic() + seconds if is_seen else 0.0

    @property
    def is_awaiting(self) -> bool:
        """Whether it is not there yet, and there is an index meanwhile."""
        if monotonic() >= self._of_whole.awaited_until:
            return False
        if known_until(self):
            self.await_watcher(0)
        return self._of_whole.awaited_until > 0 and self.has_answers()

    @property
    def _of_whole(self) -> _Shared:
        return (self._whole or self)._shared

    def has_answers(self) -> bool:
        """Whether a sync of everything was ever finished here, and what it left can be read."""
        try:
            return bool(self.stores().cards.state("mounts"))
        except (MemwikiError, OSError, SqlError):
            return False

    def holds(self, path: str) -> bool:
        """Whether a page, or any page below a folder, is in the index, as far as that can be
        read."""
        try:
            return any(is_within(each, path) for each in self.stores().cards.digests())
        except IndexDamagedError:
            return True

    def fed(self) -> FedState | None:
        """How it is where somebody else feeds it; None where it is fed here."""
        return None

    def pending(self, seen: Scan) -> int:
        """How many files differ from what the index holds, by their signatures."""
        build = self._build()
        if builds.clean_scan_of(self.cache_folder, build, seen):
            return 0
        if build and not is_intact(build, KINDS):
            self._close_stores()  # what is opened anew is looked at
        known = self.stores().cards.signatures()
        changed = sum(known.get(path) != signature for path, signature in seen.files.items())
        return changed + sum(path not in seen.files for path in known)

    def totals(self) -> tuple[int, int]:
        """Pages and problems that the index holds."""
        cards = self.stores().cards
        return cards.page_count(), Lookup(cards.db).problem_count()

    def close(self) -> None:
        """Let go of the files that this thread opened, and of an index in memory."""
        self._close_stores()
        self._close_memory()
        for vectors in filter(None, self._shared.vectors or ()):
            vectors.close()
        if self._shared.public:
            self._shared.public.close()

    def leave(self) -> None:
        """Let go of the files that this thread opened."""
        self._close_stores()
        if self._shared.public:
            self._shared.public.leave()

    def _close_stores(self) -> None:
        if self._local.stores:
            self._local.stores.close()
        self._local.stores = None

    def _close_memory(self) -> None:
        if self._shared.memory is not None:
            self._shared.memory.close()
        self._shared.memory = None

    # --- what is private ---

    def has_private(self) -> bool:
        """Whether anything that is indexed is private."""
        with self.opened() as stores:
            return Lookup(stores.cards.db).has_private()

    def private_pages(self) -> dict[str, str]:
        """The pages with anything private in them, with their digests, as the whole index has
        them."""
        with (self._whole or self).opened() as stores:
            return Lookup(stores.cards.db).private_pages()

    # --- settings within the workspace ---

    @contextmanager
    def refusing_old_settings(self) -> Iterator[None]:
        """Within it the first look at the files is an OtherSettingsError where another program
        keeps a folder since the settings were read; a call rests on one version of them."""
        self._local.is_refusing = not self.is_in_call
        try:
            yield
        finally:
            self._local.is_refusing = False

    def _require_settings(self) -> None:
        is_refusing = self._local.is_refusing
        self._local.is_refusing = False  # what comes later in it may have changed something
        if is_refusing and self.unread_folders():
            raise OtherSettingsError

    # --- one look at the files ---

    def _walk(self) -> Scan:
        """The files as they are, or as the whole index has just seen them in this call."""
        seen = self._whole.walked() if self._whole else self._walked_now()
        self._shared.marked = seen.marked
        return seen

    def _walked_now(self) -> Scan:
        # First: who writes while it goes on has not seen less.
        parts = filter(None, (self, self._shared.public))
        left = {part.settings.is_public: part._state_left() for part in parts}
        seen = self.source.walk()
        seen.left = left
        return seen

    def _state_left(self) -> object:
        """Another one as soon as anybody has written to the live build; no store is opened."""
        build = self._build()
        return build and (build.name, signature_left(build))

    def _current(self, seen: Scan) -> Scan:
        """What a walk saw, under the lock of the index: the files as they are now where somebody
        wrote there since, who may have taken in what it did not see."""
        if seen.left.get(self.settings.is_public) == self._state_left():
            return seen
        return self._noted(self._walked_now())

    def walked(self) -> Scan:
        """The files as they are, or within `one_sweep` as its sweep saw them."""
        call = self._local.call_sweep
        for _, seen in call.held() if call else ():
            return seen or self._walk()
        return self._walk()

    @contextmanager
    def one_sweep(self, progress: Progress | None = None) -> Iterator[Callable[[], bool]]:
        """Within it the questions of this thread share one sweep, until one syncs a change of its
        own; yields what tells whether the index is still the one that the sweep left."""
        outer = self._local.call_sweep
        call = self._local.call_sweep = outer or HeldSweep()
        try:
            with telling(progress):
                yield lambda: call.is_of(self.version())
        finally:
            self._local.call_sweep = outer

    def _noted(self, seen: Scan) -> Scan:
        """What a walk saw, kept for the other questions of a call."""
        self._local.seen = seen if self.is_in_call else None
        return seen

    def note_written(self) -> None:
        """Something was written: what is left of the call keeps to the settings that it began with,
        since it cannot be done again."""
        self._local.is_refusing = False
        if self._whole:
            self._whole.note_written()

    def drop_sweep(self) -> None:
        """Files were changed: the next question looks at them."""
        self.note_written()
        self._drop_own_sweep()
        if self._whole:
            self._whole.drop_sweep()

    def _drop_own_sweep(self) -> None:
        if call := self._local.call_sweep:
            call.drop()

    @property
    def is_just_swept(self) -> bool:
        """Whether this thread looked at all files a moment ago, and the index is as they were."""
        return self._whole is None and monotonic() - self._local.swept_at < _MOMENT_S

    @property
    def is_in_call(self) -> bool:
        """Whether this thread is amid a call whose questions share a sweep."""
        return self._local.call_sweep is not None

    # --- one sync ---

    def _started(self) -> int:
        """The time a sync begins; what was known before it is of the past."""
        self._local.clean_scan = None
        self._drop_own_sweep()
        return self.context.clock()

    def _stale(self, reason: str, started: int) -> Changes:
        """Nothing was taken in, and why."""
        from memwiki.answers.index import Changes

        return Changes(fresh=False, reason=reason, seconds=self._since(started))

    def _since(self, started: int) -> float:
        return round((self.context.clock() - started) / 1e9, 3)
