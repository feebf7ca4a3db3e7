"""The index of a workspace as it is used: synced, read, and built anew when it is damaged."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from copy import copy
from functools import partial
from math import inf
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING

from memwiki.errors import IndexDamagedError, LockedError, WriteError
from memwiki.index.cache_folder import CleanScan
from memwiki.index.integrity import is_any_lost, is_intact
from memwiki.index.keyword.backend import Snapshot
from memwiki.index.projection import Progress
from memwiki.index.storage_sqlite import DAMAGE, ReplacedError, disk_errors_named, is_damage
from memwiki.index.stores import KINDS, Stores
from memwiki.sync import builds
from memwiki.sync.builds import READER_WAIT_MS, hold_lock
from memwiki.sync.context import Context
from memwiki.sync.open_index import PUBLIC, OpenIndex, Swept
from memwiki.sync.sweeps import is_known_now, progress_listener

if TYPE_CHECKING:
    from memwiki.answers.index import Changes
    from memwiki.files.scan import Scan
    from memwiki.markdown.outline import Outlines
    from memwiki.sync.request import SyncRequest, SyncRun


class LiveIndex(OpenIndex):
    """The index of one workspace, shared by the threads of a process."""

    def __init__(self, context: Context, cache: Path | None) -> None:
        super().__init__(context, cache)
        self._cache = cache
        self.masked: LiveIndex | None = None  # of a view of all of it, as nothing was private
        self.renewed: Callable[[], LiveIndex | None] = lambda: None  # under the settings of now
        self.instead: Callable[[], LiveIndex | None] = lambda: None  # where it cannot be reached
        self.key_folders: Callable[[], Iterable[Path]] = lambda: [cache] if cache else []
        if cache is None:
            self.warnings.append("no cache folder can be written: the index lives in memory")

    def by(self, actor: str) -> LiveIndex:
        """The same index, for what this actor does."""
        view = copy(self)
        view.context = self.context._replace(actor=actor)
        return view

    # --- what is not private ---

    @property
    def whole(self) -> LiveIndex:
        """The index of all pages, as it is fed."""
        return self._whole if isinstance(self._whole, LiveIndex) else self

    def public(self, *, is_current: bool = False) -> LiveIndex:
        """The index as those see it who may not see what is private.

        Where nothing is private it is the same one, of which the files are read through the mask
        all the same; else one of its own. With `is_current` this one was just synced.
        """
        if self.context.is_public:
            return self
        if self.is_synced and not is_current:
            self.reader_sync()
        if self.has_private():
            public = self.own_public()
            public.is_synced, public.sweep_seconds = self.is_synced, self.sweep_seconds
            public.asks_watcher, public.stands_in = self.asks_watcher, self.stands_in
            if is_current or not public.has_answers():
                public.reader_sync()
            return public.by(self.context.actor)
        view = copy(self)
        view.context, view.masked = self.context.public(), self
        return view

    def own_public(self) -> LiveIndex:
        """The index of what is not private, however much of it is there."""
        with self._guard:
            public = self._shared.public
            if not isinstance(public, LiveIndex):
                public = self._shared.public = LiveIndex(self.source.public(), self._cache)
                public._whole, public.key_folders = self, self.key_folders
            return public

    def lend(self, build: Path) -> None:
        """Begin the build of what is not private with all pages in which nothing is."""
        live = self._build()
        with suppress(LockedError, WriteError):
            if live:
                with self._writing(READER_WAIT_MS):
                    builds.lend(live, build)

    # --- syncing ---

    def sync(
        self,
        *,
        only: Sequence[str] = (),
        full: bool = False,
        force: bool = False,
        progress: Progress | None = None,
        wait_ms: int | None = None,
    ) -> Changes:
        """Bring the index up to date. A reader passes `wait_ms`; when the lock is not free by then,
        the changes say `fresh=False` and nothing was done; so it is when the index cannot be
        written."""
        started = self._started()
        seen = self._noted(self._walk())
        if not (only or full or force) and (changes := self._clean_changes(seen)):
            self._sweep_leftovers()
            return changes._replace(seconds=self._since(started))
        request = self._request(progress)._replace(only=frozenset(only), full=full, force=force)
        try:
            with self._writing(wait_ms):
                return self._sync_locked(self._current(seen), request, started)
        except (LockedError, WriteError) as error:
            if wait_ms is None or not self.has_answers():
                raise
            return self._stale(error.message, started)

    def reader_sync(self, progress: Progress | None = None) -> Changes:
        """What a reading command does first: sync, without waiting long for others.

        Threads that come while one is at it share the next sweep, which begins after they came.
        """
        call = self._local.call_sweep
        for changes, _ in call.held() if call else ():
            return changes
        sweep = partial(self._sweep, progress or progress_listener())
        found = sweep() if self._local.is_guarding else self._shared.sweeps.join(sweep)
        self._require_settings()
        changes, self._local.clean_scan, seen = found
        self._local.seen = None
        if call:
            call.hold((changes, seen), self.version())
        return changes

    def _sweep(self, progress: Progress | None) -> Swept:
        if self.is_awaiting:
            return self._stale("the files were not looked at", self._started()), None, None
        if self.asks_watcher and is_known_now(self, is_waiting=not self._local.is_guarding):
            return self._stale("", self._started())._replace(fresh=True), None, None
        if self.sweep_seconds is None:
            changes = self.sync(wait_ms=READER_WAIT_MS, progress=progress)
        else:
            began = monotonic()
            changes = self.catch_up(began + self.sweep_seconds)
            self.sweep_seconds = max(self.sweep_seconds - (monotonic() - began), 0)
        self._local.swept_at = monotonic() if changes.fresh else -inf
        return changes, self._local.clean_scan, self._local.seen

    def catch_up(self, until: float) -> Changes:
        """Take in what fits the time until a moment of the monotonic clock; builds no index."""
        started = self._started()
        self._local.seen = None
        if not self.has_answers():
            return self._stale("there is no index yet", started)
        seen = self._noted(self._walk())
        if changes := self._clean_changes(seen):
            return changes
        try:
            with self._writing(READER_WAIT_MS):
                return self._caught_up(self._current(seen), until, started)
        except (LockedError, WriteError) as error:
            return self._stale(error.message, started)

    def _clean_changes(self, seen: Scan) -> Changes | None:
        """What a sync answers that has nothing to do; None where it may have."""
        clean = builds.clean_scan_of(self.cache_folder, self._build(), seen)
        self._local.clean_scan = clean
        if clean is None:
            return None
        from memwiki.answers.index import Changes

        return Changes(unchanged=clean.pages, ignored=clean.ignored, problems=clean.problems)

    def pending_now(self) -> int:
        """How many files differ from what the index holds, by a walk that threads share."""
        if self._local.is_guarding:
            return self.pending(self._walk())
        return self._shared.counts.join(lambda: self.pending(self._walk()))

    def sync_paths(self, hint: Sequence[str], *, wait_ms: int | None = None) -> Changes:
        """Sync where somebody says that files changed, without a walk.

        A hint may be false, doubled or not all there is: what it leaves out, the next sync finds.
        Counted is only what was looked at. Where a path does not tell enough, everything is synced.
        """
        started = self._started()
        step: SyncRun | None = None
        try:
            with self._writing(wait_ms):
                step = self._sync_paths_locked(tuple(dict.fromkeys(hint)))
        except DAMAGE as error:
            if not is_damage(error):
                raise
        except (LockedError, WriteError) as error:
            if wait_ms is None:
                raise
            return self._stale(error.message, started)
        if step is None:
            return self.sync(wait_ms=wait_ms)
        return step.changes()._replace(seconds=self._since(started))

    def clean_scan(self) -> CleanScan | None:
        """The walk by which the last sync of this thread proved that nothing is pending."""
        return self._local.clean_scan if self.is_synced else None

    def tidy(self) -> None:
        """Merge what many small commits left in the postings, unless somebody is writing."""
        with suppress(LockedError), self.amending(READER_WAIT_MS) as stores:
            stores.keyword.tidy()

    def reindex(self, progress: Progress | None = None) -> Changes:
        """Build a new index beside the old one and swap it in when it is whole."""
        from memwiki.sync.feed import why_kept

        started = self.context.clock()
        with self._writing(None):
            seen, request = self._walk(), self._request(progress)
            folder = self.cache_folder
            if folder:
                if reason := why_kept(seen, folder.last(), request):
                    return self._stale(reason, started)
                folder.begin(None)  # from nothing
            kept = builds.unreadable(self.source.root, seen, folder)
            step = self._build_anew(seen, request, kept)
            changes = self._sync_locked(seen, request._replace(progress=None), started)
            taken = tuple(path for path in seen.files if path not in {*kept, *step.failed})
            return changes._replace(added=taken, unchanged=0, seconds=self._since(started))

    def rebuild(self, why: str) -> None:
        """Build a damaged index anew, unless another process has done so meanwhile."""
        damaged = self._local.build
        with self._writing(None):
            if damaged and damaged == self._build():
                self.warnings.append(f"{why}; the index is rebuilt")
                self._build_anew(self._walk(), self._request())
        self.sync()

    def go_on_in_memory(self, why: str) -> bool:
        """Answer from an index in memory where the one on disk can be neither used nor made."""
        if self.cache_folder is None:
            return False
        self.warnings.append(f"{why}; the answer comes from an index in memory")
        self._close_stores()
        self.cache_folder = None
        self.sync()
        return True

    # --- under the lock ---

    @contextmanager
    def _writing(self, wait_ms: int | None) -> Iterator[None]:
        with self._guarded(), disk_errors_named():
            if self.cache_folder is None:
                yield
                return
            with hold_lock(self.cache_folder, wait_ms, self.has_answers):
                self._local.is_writing = self.is_writing = True
                try:
                    yield
                finally:
                    self._local.is_writing = self.is_writing = False
                    if self._local.stores:  # what is opened from now on is only read
                        self._local.stores.may_make = False

    def _sweep_leftovers(self) -> None:
        """Remove what a killed reindex left beside a live build that is whole, unless somebody is
        building there now."""
        folder = self.cache_folder
        if folder and folder.has_leftovers():
            with suppress(LockedError, WriteError), self._writing(0):
                folder.remove_leftovers()

    @contextmanager
    def _changing(self, build: Path | None) -> Iterator[None]:
        """While a build of ours is written its record is open; after that it says what is there."""
        if build:
            builds.open_to_write(build, self._close_stores)
        yield
        self.stores().note_intact()

    @contextmanager
    def amending(self, wait_ms: int | None = None) -> Iterator[Stores]:
        """The live build, to write what is kept beside the cards, or nothing new."""
        with self._writing(wait_ms), self._changing(self._build()):
            yield self.stores()

    def scrub(self) -> bool:
        """Leave nothing on disk of pages that were deleted, nor a build that was cut short; False
        while a reader keeps the old pages of a store. What is not private is indexed anew."""
        if self.cache_folder and self.cache_folder.has_part(PUBLIC):
            self.own_public().clear()
        with self._writing(None):
            build = self._build()
            if self.cache_folder:
                self.cache_folder.remove_leftovers()
            if build is None:
                return True
            with self._changing(build):
                return self.stores().scrub()

    def clear(self) -> None:
        """Remove the index from the disk; the next question builds it."""
        with self._writing(None):
            self._close_stores()
            if self.cache_folder:
                self.cache_folder.clear()

    def resolve_links(self) -> None:
        """Keep what every link means, for those who ask about many; when the index is busy or
        cannot be written, whoever asks resolves them for himself."""
        from memwiki.index.meanings.store import MeaningStore

        layers = self.context.layers
        with self.opened() as stores:
            if stores.build is None and self.cache_folder:
                return  # there is no index, and nobody asked for one
            if MeaningStore(stores.cards, layers).is_current():
                return
        amending = self.amending(READER_WAIT_MS)
        with suppress(LockedError, WriteError), amending as stores:
            MeaningStore(stores.cards, layers).update()

    def add_up_usage(self) -> None:
        """Keep the sum of the usage files, for those who ask about it; as above when busy."""
        from memwiki.index.usage import UsageTable

        root = self.source.root
        with self.opened() as stores:
            if stores.build is None or UsageTable(stores.cards.db, root).is_current():
                return
        with suppress(LockedError, WriteError), self.amending(READER_WAIT_MS) as stores:
            UsageTable(stores.cards.db, root).update()

    @contextmanager
    def unchanged_since(self, scan: CleanScan) -> Iterator[bool]:
        """Hold the writer lock; yields whether nothing was synced since `scan`."""
        with self._writing(READER_WAIT_MS):
            yield self.cache_folder is not None and self.cache_folder.clean_scan() == scan

    @contextmanager
    def looked_over(self, outlines: Outlines | None) -> Iterator[None]:
        """What this thread syncs meanwhile needs no second look at the texts of these outlines."""
        self._local.outlines = outlines
        try:
            yield
        finally:
            self._local.outlines = None

    def _request(self, progress: Progress | None = None) -> SyncRequest:
        from memwiki.files.checkout import git_head
        from memwiki.sync.request import SyncRequest  # what finds all as it was asks for nothing

        is_waited_for = self.sweep_seconds is not None
        workers = 1 if is_waited_for else self.context.config.indexing.workers
        head = git_head(self.source.root)
        outlines = self._local.outlines
        return SyncRequest(git_head=head, progress=progress, outlines=outlines, workers=workers)

    def _caught_up(self, seen: Scan, until: float, started: int) -> Changes:
        from memwiki.sync.feed import behind, take_in

        request = self._request()._replace(workers=1)
        lacking = behind(seen, self.stores().cards.signatures())

        def take(paths: Sequence[str]) -> None:
            if len(paths) < len(lacking.paths):  # else the last sync, which settles, takes them
                self._sync_locked(seen, request._replace(only=frozenset(paths)), started)

        left = take_in(lacking, until, take)
        if not (left or lacking.has_vanished):
            return self._sync_locked(seen, request, started)
        reason = "many pages vanished at once" if lacking.has_vanished else "the index is behind"
        return self._stale(reason, started)

    def _sync_locked(self, seen: Scan, request: SyncRequest, started: int) -> Changes:
        try:
            step = self._attempt(seen, request)
            if self.cache_folder and self._build():
                self.cache_folder.remove_leftovers()  # of a killed reindex
        except DAMAGE as error:
            if not is_damage(error):
                raise
            self.warnings.append(f"{error}; the index is rebuilt")
            step = self._build_anew(seen, request)
        from memwiki.sync.feed import is_settled

        problems, build = self.lookup().problem_count(), self._build()
        settled = is_settled(seen, started) and not (request.only or step.why_kept or step.failed)
        if self.cache_folder:
            found = (step.count, seen.ignored, problems)
            clean = CleanScan(seen.fingerprint, build.name, *found) if build and settled else None
            self.cache_folder.note_clean_scan(clean)
            self._local.clean_scan = clean
        seen.left = {
            **seen.left,
            self.settings.is_public: self._state_left(),
        }  # what was written is ours
        changed = len(step.added) + len(step.modified)
        self.taken_in += changed
        return step.changes()._replace(
            unchanged=step.count - changed,
            ignored=seen.ignored,
            problems=problems + len(step.failed),
            seconds=self._since(started),
            notes=() if self.settings.is_public else seen.misnamed(self.context.scope().reaches),
        )

    def _attempt(self, seen: Scan, request: SyncRequest) -> SyncRun:
        from memwiki.sync.feed import sync_stores, why_kept
        from memwiki.sync.request import SyncRun

        build = self._build()
        if self.cache_folder and build is None:
            last, is_any = self.cache_folder.last(), bool(seen.files)
            # The last one answers nothing under these settings, so what is there is taken in.
            if reason := why_kept(seen, last, request, may_shrink=is_any):
                return SyncRun(why_kept=reason)
            if self.cache_folder.has_traces():
                return self._build_anew(seen, request)
            # Live from the start, so that a first index cut short goes on where it was.
            build = self.cache_folder.new_build(self._settings_digest)
            if self.whole is not self:
                self.whole.lend(build)
            self.cache_folder.adopt(build)
        is_lost = build is not None and is_any_lost(build, KINDS)
        with self._changing(build):
            stores = self.stores()
            if is_lost:
                stores.clear_synced_tree()
            step = sync_stores(self.source.root, seen, stores, self.settings, request)
            if step.is_change:
                stores.require_same_units()
        return step

    def _sync_paths_locked(self, hint: Sequence[str]) -> SyncRun | None:
        from memwiki.sync.feed import can_be_probed, probe_paths, sync_probed

        build, root = self._build(), self.source.root
        if self.cache_folder and not (build and is_intact(build, KINDS)):
            return None
        stores = self.stores()
        if not can_be_probed(root, stores):
            return None
        step = probe_paths(root, hint, self.context.ignore(), stores)
        if step and step.is_change and self.cache_folder:
            self.cache_folder.note_clean_scan(None)  # first: a false hint must not stand beside one
        if step:
            with self._changing(build):
                sync_probed(root, step, stores, self.settings, self._local.outlines)
        return step

    def _build_anew(self, seen: Scan, request: SyncRequest, kept: Sequence[str] = ()) -> SyncRun:
        """Build an index beside the live one, which goes when the new one is whole."""
        from memwiki.sync.feed import sync_stores

        root, settings, folder = self.source.root, self.settings, self.cache_folder
        if folder is None:
            self._close_memory()
            return sync_stores(root, seen, self.stores(), settings, request)
        build = builds.begin_build(folder, self._settings_digest, self._build(), kept)
        with builds.abandoned_on_errors(folder), closing(Stores(build)) as fresh:
            step = sync_stores(root, seen, fresh, settings, request._replace(only=frozenset()))
            fresh.note_intact()
        self._close_stores()
        folder.note_clean_scan(None)
        folder.adopt(build)
        return step

    # --- reading ---

    def snapshot(self, stores: Stores, *, must_agree: bool = True) -> Snapshot:
        """The last committed generation of the postings, kept open until there is a newer one.

        Raises IndexDamagedError when it must belong to the cards, and does not.
        """
        return stores.snapshot(partial(self._reconcile, stores) if must_agree else lambda: None)

    def _reconcile(self, stores: Stores) -> None:
        """Make sure that cards and postings agree, when nobody is between the two of them."""
        try:
            stores.require_same_units()
        except IndexDamagedError:
            if self.is_replaced():
                raise
            with suppress(LockedError), self._writing(READER_WAIT_MS):
                self._sync_locked(self._walk(), self._request(), self.context.clock())
                if self.stores() is not stores:
                    raise ReplacedError("index: it was replaced meanwhile") from None
                stores.require_same_units()
