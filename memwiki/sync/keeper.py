"""Keeps one workspace's index: finds it, brings it in step, opens it for reading, builds it anew."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from memwiki.answers.index import Changes
from memwiki.clock import Clock
from memwiki.config import Config
from memwiki.errors import IndexDamagedError, LockedError, MemwikiError, WriteError
from memwiki.files.checkout import git_head
from memwiki.files.ignore import Ignore, load_ignore
from memwiki.files.lock import Lock
from memwiki.files.scan import Scan, scan
from memwiki.index.cache_folder import Place, Swept
from memwiki.index.cards.lookup import Lookup
from memwiki.index.cards.store import last_known
from memwiki.index.damage import DAMAGE, SqlError, disk_errors_named, is_damage
from memwiki.index.integrity import is_any_lost, vouches
from memwiki.index.keyword.backend import Snapshot
from memwiki.index.stores import KINDS, Stores
from memwiki.names import is_within
from memwiki.sync import building
from memwiki.sync.feed import (
    Progress,
    Recipe,
    Request,
    Step,
    bring_in_step,
    give,
    is_followed,
    is_settled,
    look_at,
    told,
    would_lose,
)
from memwiki.sync.snapshots import Snapshots

_READER_WAIT_MS = 200
_WRITER_WAIT_MS = 60_000


class Keeper:
    """The index of one workspace, shared by the threads of a process."""

    def __init__(self, root: Path, config: Config, cache: Path | None, clock: Clock) -> None:
        self.root, self.config, self.clock = root, config, clock
        self._place = Place(cache, root) if cache else None
        self.is_synced = True  # whether a question first brings the index in step
        self._memory: Stores | None = None  # answers where no cache folder can be written
        self._guard = threading.RLock()
        self._local = threading.local()
        self._snapshots = Snapshots()
        self.recipe = Recipe(config.layers, config.files.max_bytes)
        self._recipe_digest = self.recipe.digest()
        self.warnings: list[str] = []
        if cache is None:
            self.warnings.append("no cache folder can be written: the index lives in memory")

    @property
    def place(self) -> Place | None:
        """Where the index lies; None when it lives in memory."""
        return self._place

    def _live(self) -> Path | None:
        return self._place.current(self._recipe_digest) if self._place else None

    def walk(self) -> Scan:
        """What the workspace holds now."""
        return scan(self.root, ignore=self.ignore())

    def ignore(self) -> Ignore:
        """What is left out."""
        return load_ignore(self.root, gitignore=self.config.files.gitignore)

    def lookup(self) -> Lookup:
        """The cards of the live build."""
        return Lookup(self.stores().cards.db)

    # --- in step ---

    def sync(
        self,
        *,
        only: Sequence[str] = (),
        full: bool = False,
        force: bool = False,
        progress: Progress | None = None,
        wait_ms: int | None = None,
    ) -> Changes:
        """Bring the index in step. A reader passes `wait_ms`; when the lock is not free by then, the
        changes say `fresh=False` and nothing was done; so it is when the index cannot be written."""
        started = self.clock()
        self._local.proved = None
        seen = self.walk()
        is_plain = not (only or full or force)
        swept = self._in_step(seen) if is_plain else None
        if swept:
            self._local.proved = swept
            return Changes(
                unchanged=swept.pages, ignored=swept.ignored, problems=swept.problems,
                seconds=self._since(started),
            )  # fmt: skip
        request = Request(tuple(only), full, force, git_head(self.root), progress)
        try:
            with self._writing(wait_ms):
                return self._sync_locked(seen, request, started)
        except (LockedError, WriteError) as error:
            if wait_ms is None or not self._has_answers():
                raise
            return Changes(fresh=False, reason=error.message, seconds=self._since(started))

    @property
    def proved(self) -> Swept | None:
        """The walk with which the last sync of this thread proved that all is in step, if it did."""
        proved: Swept | None = getattr(self._local, "proved", None) if self.is_synced else None
        return proved

    @contextmanager
    def standing(self, swept: Swept) -> Iterator[bool]:
        """While nobody writes the index: whether it is still the one of this walk."""
        with self._writing(_READER_WAIT_MS):
            yield self._place is not None and self._place.swept() == swept

    def follow(self, hint: Sequence[str], *, wait_ms: int | None = None) -> Changes:
        """Bring the index in step where somebody says that files changed, without a walk.

        A hint may be false, doubled or not all there is: what it leaves out, the next sync finds.
        Counted is only what was looked at. Where a path does not tell enough, everything is synced.
        """
        started = self.clock()
        self._local.proved = None
        step: Step | None = None
        try:
            with self._writing(wait_ms):
                step = self._follow_locked(tuple(dict.fromkeys(hint)))
        except DAMAGE as error:
            if not is_damage(error):
                raise
        except (LockedError, WriteError) as error:
            if wait_ms is None:
                raise
            return Changes(fresh=False, reason=error.message, seconds=self._since(started))
        if step is None:
            return self.sync(wait_ms=wait_ms)
        return told(step)._replace(seconds=self._since(started))

    def _follow_locked(self, hint: Sequence[str]) -> Step | None:
        build = self._live()
        if self._place and not (build and vouches(build, KINDS)):
            return None
        stores = self.stores()
        if not is_followed(self.root, stores):
            return None
        step = look_at(self.root, hint, self.ignore(), stores)
        if step and step.is_change and self._place:
            self._place.remember(None)  # first: a false hint must not stand beside a sweep
        if step:
            with self._changing(build):
                give(self.root, step, stores, self.recipe)
        return step

    def _in_step(self, seen: Scan) -> Swept | None:
        return building.swept_as(self._place, self._live(), seen) if self._place else None

    @contextmanager
    def _writing(self, wait_ms: int | None) -> Iterator[None]:
        with self._guard, disk_errors_named():
            if self._place is None:
                yield
                return
            self._place.make()
            lock = Lock(self._place.lock)
            patience = _WRITER_WAIT_MS if wait_ms is None else wait_ms
            # The very first index is waited for: there is nothing older to answer from.
            if not building.taken(lock, patience) and (
                self._has_answers() or not building.taken(lock, _WRITER_WAIT_MS)
            ):
                what = "the index is being written by another process"
                raise LockedError(what, hint="try again when it is done")
            self._local.is_writing = True
            try:
                yield
            finally:
                self._local.is_writing = False
                lock.release()

    def _has_answers(self) -> bool:
        """Whether a sync of everything was ever finished here, and what it left can be read."""
        try:
            return bool(self.stores().cards.state("mounts"))
        except (MemwikiError, OSError, SqlError):
            return False

    @contextmanager
    def _changing(self, build: Path | None) -> Iterator[None]:
        """While a build of ours is written its record is open; after that it says what is there."""
        if build:
            building.open_ours(build, self._forget)
        yield
        self.stores().vouch()

    @contextmanager
    def amending(self, wait_ms: int | None = None) -> Iterator[Stores]:
        """The live build, to write what is kept beside the cards, or nothing new."""
        with self._writing(wait_ms), self._changing(self._live()):
            yield self.stores()

    def _sync_locked(self, seen: Scan, request: Request, started: int) -> Changes:
        if self._place:
            self._place.sweep()  # what a killed reindex left
        try:
            step = self._attempt(seen, request)
        except DAMAGE as error:
            if not is_damage(error):
                raise
            self.warnings.append(f"{error}; the index is built anew")
            step = self._build_anew(seen, request)
        problems = self.stores().cards.problem_count()
        settled = is_settled(seen, started) and not (request.only or step.held or step.failed)
        build = self._live()
        if self._place:
            found = (len(step.wanted), seen.ignored, problems)
            swept = Swept(seen.fingerprint, build.name, *found) if build and settled else None
            self._local.proved = swept
            self._place.remember(swept)
        changed = len(step.added) + len(step.modified)
        return told(step)._replace(
            unchanged=len(step.wanted) - changed, ignored=seen.ignored,
            problems=problems + len(step.failed), seconds=self._since(started),
        )  # fmt: skip

    def _attempt(self, seen: Scan, request: Request) -> Step:
        build = self._live()
        if self._place and build is None:
            lost = would_lose(seen, last_known(self._place.last()), request)
            if lost:
                return Step(held=lost)
            if self._place.has_traces():
                return self._build_anew(seen, request)
            # Live from the start, so that a first index cut short goes on where it was.
            build = self._place.new_build(self._recipe_digest)
            self._place.adopt(build)
        is_lost = build is not None and is_any_lost(build, KINDS)
        with self._changing(build):
            stores = self.stores()
            if is_lost:
                stores.disagree()
            step = bring_in_step(self.root, seen, stores, self.recipe, request)
            if step.is_change:
                stores.require_agreement()
        return step

    def _build_anew(self, seen: Scan, request: Request, kept: Sequence[str] = ()) -> Step:
        """Build an index beside the live one, which goes when the new one is whole."""
        if self._place is None:
            self._forget_memory()
            return bring_in_step(self.root, seen, self.stores(), self.recipe, request)
        live = self._live()
        build = building.begun(self._place, self._recipe_digest, live, kept)
        with building.abandoned_on_errors(self._place), closing(Stores(build)) as fresh:
            step = bring_in_step(self.root, seen, fresh, self.recipe, request._replace(only=()))
            fresh.vouch()
        self._forget()
        self._place.remember(None)
        self._place.adopt(build)
        return step

    def tidy(self) -> None:
        """Merge what many small commits left in the postings, unless somebody is writing."""
        with suppress(LockedError), self.amending(_READER_WAIT_MS) as stores:
            stores.keyword.tidy()

    def reindex(self, progress: Progress | None = None) -> Changes:
        """Build a new index beside the old one and swap it in when it is whole."""
        started = self.clock()
        seen = self.walk()
        with self._writing(None):
            request = Request(git_head=git_head(self.root), progress=progress)
            if self._place:
                lost = would_lose(seen, last_known(self._place.last()), request)
                if lost:
                    return Changes(fresh=False, reason=lost, seconds=self._since(started))
                self._place.begin(None)  # from nothing
            kept = building.unreadable(self.root, seen, self._place)
            step = self._build_anew(seen, request, kept)
            changes = self._sync_locked(seen, Request(git_head=request.git_head), started)
            taken = tuple(path for path in seen.files if path not in {*kept, *step.failed})
            return changes._replace(added=taken, unchanged=0, seconds=self._since(started))

    # --- reading ---

    def stores(self) -> Stores:
        """The live build, opened for this thread."""
        if self._place is None:
            self._memory = self._memory or Stores(None)
            return self._memory
        build = self._live()
        held: Stores | None = getattr(self._local, "stores", None)
        if held is None or held.build != build or not held.is_live():
            self._forget()
            self._local.build = build  # noted before it is opened, which may fail
            if not getattr(self._local, "is_writing", False):
                build = self._local.build = building.readable(self._place, self._live)
            # Where there never was a build there is nothing to show: empty stores stand in.
            held = self._local.stores = Stores(build)
        return held

    @contextmanager
    def opened(self) -> Iterator[Stores]:
        """The live build for one answer; in memory one answer at a time."""
        if self._place is not None:
            yield self.stores()
            return
        with self._guard:
            yield self.stores()

    def snapshot(self, stores: Stores, *, must_agree: bool = True) -> Snapshot:
        """The last committed generation of the postings, kept open until there is a newer one.

        Raises IndexDamagedError when it must belong to the cards, and does not.
        """
        held = self._snapshots.held(stores)
        if held is None and must_agree:
            self._reconcile(stores)
        return held or self._snapshots.open(stores)

    def _reconcile(self, stores: Stores) -> None:
        """Make sure that cards and postings agree, when nobody is between the two of them."""
        try:
            stores.require_agreement()
        except IndexDamagedError:
            with suppress(LockedError), self._writing(_READER_WAIT_MS):
                request = Request(git_head=git_head(self.root))
                self._sync_locked(self.walk(), request, self.clock())
                stores.require_agreement()

    def mend(self, why: str) -> None:
        """Build a damaged index anew, unless another process has done so meanwhile."""
        damaged = getattr(self._local, "build", None)
        with self._writing(None):
            if damaged and damaged == self._live():
                self.warnings.append(f"{why}; the index is built anew")
                self._build_anew(self.walk(), Request(git_head=git_head(self.root)))
        self.sync()

    def go_on_in_memory(self, why: str) -> bool:
        """Answer from an index in memory where the one on disk can be neither used nor made."""
        if self._place is None:
            return False
        self.warnings.append(f"{why}; the answer comes from an index in memory")
        self._forget()
        self._place = None
        self.sync()
        return True

    def _forget(self) -> None:
        self._snapshots.close()
        stores = getattr(self._local, "stores", None)
        if stores is not None:
            stores.close()
        self._local.stores = None

    def _forget_memory(self) -> None:
        if self._memory is not None:
            self._memory.close()
        self._memory = None

    def holds(self, path: str) -> bool:
        """Whether a page, or any page below a folder, is in the index, as far as that can be read."""
        try:
            return any(is_within(each, path) for each in self.stores().cards.digests())
        except IndexDamagedError:
            return True

    def pending(self, seen: Scan) -> int:
        """How many files differ from what the index holds, by their signatures."""
        if self._in_step(seen):
            return 0
        build = self._live()
        if build and not vouches(build, KINDS):
            self._forget()  # what is opened anew is looked at
        known = self.stores().cards.signatures()
        changed = sum(known.get(path) != signature for path, signature in seen.files.items())
        return changed + sum(path not in seen.files for path in known)

    def totals(self) -> tuple[int, int]:
        """Pages and problems that the index holds."""
        cards = self.stores().cards
        return cards.page_count(), cards.problem_count()

    def close(self) -> None:
        """Let go of the files that this thread opened, and of an index in memory."""
        self._forget()
        self._forget_memory()

    def reader_sync(self, progress: Progress | None = None) -> Changes:
        """What a reading command does first: bring in step, without waiting long for others."""
        return self.sync(wait_ms=_READER_WAIT_MS, progress=progress)

    def _since(self, started: int) -> float:
        return round((self.clock() - started) / 1e9, 3)
