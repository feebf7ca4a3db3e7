"""The live build of the index as the threads of a process have it open."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from memwiki.answers.index import Changes
from memwiki.errors import IndexDamagedError, MemwikiError
from memwiki.files.scan import Scan
from memwiki.index.cache_folder import CacheFolder, CleanScan
from memwiki.index.cards.lookup import Lookup
from memwiki.index.damage import SqlError
from memwiki.index.integrity import is_intact
from memwiki.index.stores import KINDS, Stores
from memwiki.names import is_within
from memwiki.sync import builds
from memwiki.sync.context import Context
from memwiki.sync.request import IndexSettings
from memwiki.sync.shared_sweep import HeldSweep, SharedSweep

if TYPE_CHECKING:
    from memwiki.markdown.outline import Outlines

# What a sweep took in, what it proved, and the files that it saw.
Swept: TypeAlias = tuple[Changes, CleanScan | None, Scan | None]


PUBLIC = "public"  # the folder of the index of what is not private, in that of the workspace
SWAPS = 20  # builds that take each other's place while one answer is sought


class _Shared:
    """What all views of one live index have in common."""

    def __init__(self, cache_folder: CacheFolder | None) -> None:
        self.cache_folder = cache_folder
        self.memory: Stores | None = None
        self.marked = frozenset[str]()  # as the last walk saw them
        self.is_synced = True
        self.sweep_seconds: float | None = None
        self.is_writing = False
        self.public: OpenIndex | None = None  # of what is not private, once it was needed
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


class OpenIndex:
    """The stores of one workspace: opened once a thread, or one set in memory that all share."""

    def __init__(self, context: Context, cache: Path | None) -> None:
        self.context = context
        self.source = context  # what the index is fed from, however it is read
        self.settings = IndexSettings(context.layers, context.max_bytes, context.is_public)
        part = PUBLIC if context.is_public else ""
        self._shared = _Shared(CacheFolder(cache, context.root, part) if cache else None)
        self._settings_digest = self.settings.digest()
        self._guard = threading.RLock()  # one thread writes, and asks an index in memory, at a time
        self._local = _ThreadState()

    @property
    def cache_folder(self) -> CacheFolder | None:
        """Where the index lies; None when it lives in memory."""
        return self._shared.cache_folder

    @cache_folder.setter
    def cache_folder(self, value: CacheFolder | None) -> None:
        self._shared.cache_folder = value

    @property
    def is_synced(self) -> bool:
        """Whether a question first brings the index up to date."""
        return self._shared.is_synced

    @is_synced.setter
    def is_synced(self, value: bool) -> None:
        self._shared.is_synced = value

    @property
    def sweep_seconds(self) -> float | None:
        """How long questions, all together, take in what changed; None: all of it."""
        return self._shared.sweep_seconds

    @sweep_seconds.setter
    def sweep_seconds(self, value: float | None) -> None:
        self._shared.sweep_seconds = value

    @property
    def is_writing(self) -> bool:
        """Whether this process writes the index now: killed here, the next one has to look at all
        of it."""
        return self._shared.is_writing

    def unread_folders(self) -> list[str]:
        """The folders that other programs may keep by now, and whose settings were not read."""
        return sorted(self._shared.marked.difference(self.source.config.folders))

    def _build(self) -> Path | None:
        return self.cache_folder.current(self._settings_digest) if self.cache_folder else None

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
        cards = stores.cards  # in memory all threads have the same connection
        return stores.build, cards.version() if stores.build else cards.db.total_changes

    def lookup(self) -> Lookup:
        """The cards of the live build."""
        return Lookup(self.stores().cards.db)

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

    def pending(self, seen: Scan) -> int:
        """How many files differ from what the index holds, by their signatures."""
        if self._clean_scan_of(seen):
            return 0
        build = self._build()
        if build and not is_intact(build, KINDS):
            self._close_stores()  # what is opened anew is looked at
        known = self.stores().cards.signatures()
        changed = sum(known.get(path) != signature for path, signature in seen.files.items())
        return changed + sum(path not in seen.files for path in known)

    def _clean_scan_of(self, seen: Scan) -> CleanScan | None:
        folder = self.cache_folder
        return builds.clean_scan_of(folder, self._build(), seen) if folder else None

    def totals(self) -> tuple[int, int]:
        """Pages and problems that the index holds."""
        cards = self.stores().cards
        return cards.page_count(), cards.problem_count()

    def close(self) -> None:
        """Let go of the files that this thread opened, and of an index in memory."""
        self._close_stores()
        self._close_memory()
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
