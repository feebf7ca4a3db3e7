"""A watcher over one workspace, what others see of it, and following one: which pages become
others, whoever changes them, and how fresh the index is."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from contextlib import ExitStack, suppress
from math import inf
from pathlib import Path
from time import monotonic
from typing import Protocol

from memwiki.answers.entries import UpkeepReport
from memwiki.answers.index import (
    Changes,
    Followed,
    FollowedState,
    WatcherState,
    WatchEvent,
    WatchEventKind,
)
from memwiki.clock import Clock, iso_of, now_ns
from memwiki.commit.catalogs import after_sync
from memwiki.config import FOLDERS_OF_OTHERS, SETTINGS_OF_OTHERS, SettingsSeen, settings_seen
from memwiki.errors import LockedError, MemwikiError, WriteError
from memwiki.files.checkout import git_at_work, git_folder
from memwiki.files.ignore import Ignore, is_conflict_copy, is_leftover, why_not_folder
from memwiki.files.scan import stepping
from memwiki.index.cache_files import Beat, Cookies, Heartbeat
from memwiki.index.cache_folder import CacheFolder
from memwiki.index.cards.lookup import Lookup
from memwiki.index.projection import Progress
from memwiki.index.storage_sqlite import DAMAGE
from memwiki.names import CONFIG_FILE, GIT_IGNORE_FILE, IGNORE_FILE, is_page_name
from memwiki.sync.builds import READER_WAIT_MS
from memwiki.sync.embedder import embed_when_idle
from memwiki.sync.live import LiveIndex
from memwiki.sync.open_index import PUBLIC
from memwiki.sync.reading import Reading, unswept_reading
from memwiki.sync.sweeps import watcher_of
from memwiki.watch.pending import ChangeKind
from memwiki.watch.watcher import SignOfLife, Watcher, WatcherTasks

Tell = Callable[[WatchEvent], None]


class Upkeep(Protocol):
    """What keeps memories when it is due."""

    def seconds_until_run(self) -> float:
        """How long until `run` is due; 0 when it is."""

    def run(self) -> UpkeepReport:
        """Do all of it."""


class Curation(Protocol):
    """What is asked of a model when it is due."""

    def seconds_until_run(self) -> float:
        """How long until it is due; 0 when it is, endless where nothing happens by itself."""

    def begin_run(self) -> bool:
        """Let another process do it; whether it could be begun."""

    def retry(self) -> object:
        """Let another process try again what failed by itself."""


_CURATING_S = 600.0  # until it is looked whether another process has done it
_SOON = 0.05  # seconds, in which what changed is looked at first
_RETRY_SECONDS = 60.0  # between looks at what failed by itself
_WAIT_MS = 1_000  # for another writer; then the watcher tries again
# Files that say what the pages are.
_RULES = (CONFIG_FILE, IGNORE_FILE, GIT_IGNORE_FILE, *SETTINGS_OF_OTHERS)
_RULES_BELOW = tuple(f"/{each}" for each in SETTINGS_OF_OTHERS)


class Watching:
    """A running watcher: `with` runs it in a thread of its own, `run` in this one.

    One that is only looking brings the index up to date, and writes nothing in the workspace.
    """

    def __init__(
        self,
        open_live: Callable[[], LiveIndex],
        upkeep_of: Callable[[LiveIndex], Upkeep],
        curation_of: Callable[[LiveIndex], Curation],
        *,
        tell: Tell | None = None,
        is_polling: bool = False,
        is_keeping: bool = False,
        is_only_looking: bool = False,
    ) -> None:
        self._open_live, self._upkeep_of = open_live, upkeep_of
        self._curation_of = curation_of
        self._live = open_live()
        self._clock: Clock = self._live.context.clock
        self._heartbeat = Heartbeat(_cache_folder(self._live).whole)
        self._since, self._last_scan, self._public_build = 0, 0, ""
        self._tell: Tell = tell or (lambda _: None)
        self._git = git_folder(self._live.context.root)
        self._rules, self._is_misled = self._settings_seen(), False
        self._ignore = self._loaded_ignore(Ignore())
        self._thread: threading.Thread | None = None
        self._is_alone = False
        self._is_keeping, self._is_only_looking = is_keeping, is_only_looking
        work = WatcherTasks(
            lambda paths: self._after(self._live.sync_paths(paths, wait_ms=_WAIT_MS)),
            self._sweep,
            lambda: self._live.tidy(),  # noqa: PLW0108 - a rebuilt index is another one
            self._classify,
            lambda: git_at_work(self._git, now_ns()) if self._git else "",
            self._beat,
            self._say,
            self._keep,
            Cookies(_cache_folder(self._live).whole),
        )
        self._watcher = Watcher(self._live.context.root, work, is_polling=is_polling)

    # --- running ---

    def run(self) -> None:
        """Watch until `stop`; LockedError when another process is watching."""
        self._take_lock()
        self._is_alone = True
        try:
            self._watch()
        finally:
            self._give_back()

    def stop(self) -> None:
        """Ask it to end; may be called from a signal handler or another thread."""
        self._watcher.stop()

    def __enter__(self) -> Watching:
        self._take_lock()
        self._thread = threading.Thread(target=self._watch, name="memwiki-watch", daemon=True)
        self._thread.start()
        self._watcher.is_ready.wait()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()
        if self._thread is not None:
            self._thread.join()
        self._give_back()

    def _take_lock(self) -> None:
        place = self._live.cache_folder
        if place is not None:
            place.make()
        if not self._heartbeat.lock.acquire(200):
            raise LockedError(
                f"{self._live.context.root}: already watched by {self._heartbeat.lock.owner()}",
                "memwiki status reports the running watcher",
            )
        self._heartbeat.end()  # what one that was killed knew is not known any more
        self._since = self._clock()

    def _give_back(self) -> None:
        self._heartbeat.end()
        self._heartbeat.lock.release()

    def _watch(self) -> None:
        try:
            self._watcher.run()
        finally:
            self._live.close()

    # --- what the watcher is handed ---

    def _sweep(self, progress: Progress) -> Changes:
        seen = self._settings_seen()
        if seen != self._rules:
            self._rules = seen
            self._reopen()
        self._ignore = self._loaded_ignore(self._ignore)
        self._git = git_folder(self._live.context.root)
        with stepping(lambda: progress(0, 0)):
            changes = self._live.sync(wait_ms=_WAIT_MS, progress=progress)
        if self._live.unread_folders():  # another program keeps a folder now
            self._reopen()
            changes = self._live.sync(wait_ms=_WAIT_MS, progress=progress)
        return self._after(changes)

    def _settings_seen(self) -> SettingsSeen:
        context = self._live.context
        return settings_seen(context.root, context.config.folders)

    def _reopen(self) -> None:
        """Take other settings; while they cannot be used, the last good ones hold, which is said
        once."""
        try:
            live = self._open_live()
            _cache_folder(live)
        except MemwikiError as error:
            self._is_misled = True
            reason = f"{error.message}; the last valid settings stay in use"
            self._say(WatchEventKind.FAILED, Changes(fresh=False, reason=reason))
            return
        self._live.close()
        self._live = live  # what was seen before it was opened stays: what changed since is another
        if self._is_misled:
            self._is_misled = False
            self._say(WatchEventKind.RESUMED, Changes())

    def _after(self, changes: Changes) -> Changes:
        """What is written now comes back as an event, and is found to be up to date already."""
        self._live.warnings.clear()
        if not changes.fresh:
            return changes
        if not self._is_only_looking:
            changes = after_sync(self._live, changes)
        self._public_build = _synced_public(self._live)
        return changes

    def _keep(self) -> float:
        """Embed what is new, a second's worth of it, then run upkeep and curate when due."""
        left = embed_when_idle(self._live)
        return _SOON if left > 0 else min(self._kept_up(), self._curated(), self._retried())

    def _curated(self) -> float:
        """Let another process curate when it is due: a model may take its time."""
        if self._is_only_looking:
            return inf
        curation = self._curation_of(self._live)
        if (left := curation.seconds_until_run()) > 0:
            return left
        if curation.begin_run():
            self._say(WatchEventKind.KEPT, Changes(reason="curation begins"))
        return _CURATING_S

    def _retried(self) -> float:
        """Try again what failed by itself."""
        if self._is_only_looking or not self._live.context.config.extract.on:
            return inf
        self._curation_of(self._live).retry()
        return _RETRY_SECONDS

    def _kept_up(self) -> float:
        """Run upkeep when it is due, where that was asked for or the preset says so."""
        is_wanted = self._is_keeping or self._live.context.config.memory.is_for_agents
        if self._is_only_looking or not is_wanted:
            return inf
        upkeep = self._upkeep_of(self._live)
        if (left := upkeep.seconds_until_run()) > 0:
            return left
        try:
            did = upkeep.run().edited.title
        except MemwikiError as error:
            did = f"upkeep failed: {error.message}"
        self._say(WatchEventKind.KEPT, Changes(reason=did))
        return upkeep.seconds_until_run()

    def _classify(self, path: str, is_folder: bool) -> ChangeKind | None:
        *folders, name = path.split("/")
        if path in _RULES or not path or path.endswith(_RULES_BELOW):
            return ChangeKind.WALK
        if any(map(why_not_folder, folders)):
            return None
        if is_folder and name in FOLDERS_OF_OTHERS:
            return ChangeKind.WALK
        if is_folder:
            is_foreign = why_not_folder(name) or self._ignore.why(f"{path}/")
            return None if is_foreign else ChangeKind.WALK
        if is_leftover(name) or is_conflict_copy(name) or self._ignore.why(path):
            return None
        return ChangeKind.PAGE if is_page_name(name) else ChangeKind.OTHER

    def _beat(self, sign: SignOfLife) -> None:
        now = self._clock()
        if sign.is_settled:
            self._last_scan = now
        if self._live.cache_folder:
            with suppress(
                MemwikiError, OSError
            ):  # a cache folder that is gone is made by the next sync
                self._live.cache_folder.make()
                self._heartbeat.renew()
        known = 0 if sign.known_s is None else now - round(sign.known_s * 1e9)
        found = (self._live.build_name, self._public_build)
        builds = tuple(filter(None, found)) if known else ()
        about = (os.getpid(), self._since, now, self._last_scan, sign.state, sign.reason)
        self._heartbeat.give(Beat(*about, known, builds, self._is_alone))

    def _say(self, kind: WatchEventKind, changes: Changes) -> None:
        paths = (changes.added, changes.modified, changes.removed, changes.failed)
        at, is_start = iso_of(self._clock()), kind is WatchEventKind.STARTED
        self._tell(
            WatchEvent(
                at,
                kind,
                *paths,
                changes.seconds,
                changes.fresh,
                changes.reason,
                changes.renamed,
                workspace=str(self._live.context.root) if is_start else "",
                pages=self._count_pages() if is_start else 0,
            )
        )

    def _count_pages(self) -> int:
        """How many pages the index has; 0 where there is none yet."""
        with suppress(MemwikiError, OSError), self._live.opened() as stores:
            return Lookup(stores.cards.db).counts().pages
        return 0

    def _loaded_ignore(self, old: Ignore) -> Ignore:
        with suppress(MemwikiError):  # the sync says that it cannot be read
            return self._live.context.ignore()
        return old


def _synced_public(live: LiveIndex) -> str:
    """Bring the index of what is not private up to date, where somebody has asked it and it is
    another one; gives its build."""
    folder = live.cache_folder
    if not (folder and folder.has_part(PUBLIC) and live.has_private()):
        return ""
    public = live.own_public()
    return public.build_name if public.sync(wait_ms=READER_WAIT_MS).fresh else ""


def _cache_folder(live: LiveIndex) -> CacheFolder:
    """Where a watched index lies: in memory nobody else would see it."""
    if live.cache_folder is None:
        raise WriteError(
            "no cache folder can be written: there is no index to keep up to date",
            "set MEMWIKI_CACHE_DIR to a folder that can be written",
        )
    return live.cache_folder


LOOK_S = 0.1  # between looks at whether anybody has written the index, 20 microseconds each
_WATCH_S = 2.0  # between attempts to take the place of a watcher that ended
_STATE_S = 1.0  # between looks at how fresh it is
_COUNT_S = 5.0  # between walks that count what is out of date
_COUNT_REST = 20  # times as long as such a walk took: the watcher walks, too
_TELL_S = 5.0  # between two that are told the same state
_REST = 3  # times as long as a look took, so that a large index leaves room for others


class Following:
    """Tells of every page that is written anew in the index, and watches where nobody does.

    `with` runs it in a thread of its own. What is told comes from the index and not from a watcher:
    commands bring it up to date too, and one that did so leaves a watcher nothing to tell.
    """

    def __init__(
        self,
        view: Callable[[], LiveIndex],
        watching: Callable[[Callable[[WatchEvent], None]], Watching],
        tell: Callable[[Followed], None],
    ) -> None:
        self._view, self._watching, self._tell = view, watching, tell
        self._wake = threading.Event()
        self._is_stopped = False
        self._thread: threading.Thread | None = None
        self._own = ExitStack()  # the watcher, where it is ours
        self._is_watching = False
        self._version: object = None
        self._build: tuple[Path | None] | None = None  # that was looked at last
        self._written = 0
        self._state = FollowedState(WatcherState.NONE, fresh=False)
        self._pending: int | None = None
        self._watch_at = self._state_at = self._count_at = self._tell_at = self._look_at = 0.0

    def __enter__(self) -> Following:
        self._count_at = monotonic() + _COUNT_S  # what starts has other things to do first
        self._thread = threading.Thread(target=self._run, name="memwiki-follow", daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._is_stopped = True
        self._wake.set()
        if self._thread is not None:
            self._thread.join()

    def _run(self) -> None:
        try:
            while not self._is_stopped:
                self._turn()
                self._wake.wait(LOOK_S)
                self._wake.clear()
        finally:
            self._own.close()
            with suppress(MemwikiError, OSError, *DAMAGE):
                self._view().leave()

    def _turn(self) -> None:
        now = monotonic()
        with suppress(MemwikiError, OSError, *DAMAGE):  # the next turn finds it mended, or watched
            live = self._view()
            if now >= self._watch_at:
                self._watch_at = now + _WATCH_S
                self._watch(live)
            if now >= self._look_at:
                self._look(live, now)

    def _watch(self, live: LiveIndex) -> None:
        """Be the watcher where there is none; that there can be none is seen by the state."""
        folder = live.cache_folder
        if self._is_watching or folder is None or Heartbeat(folder.whole).has_watcher():
            return
        with suppress(MemwikiError, OSError):
            self._own.enter_context(self._watching(lambda _: self._wake.set()))
            self._is_watching = True

    def _look(self, live: LiveIndex, now: float) -> None:
        """Tell what is another since the last look."""
        version = live.version()
        is_written = version != self._version
        if not (is_written or now >= self._state_at):
            return
        self._state_at = now + (_STATE_S if self._state.fresh else 2 * LOOK_S)
        with unswept_reading(live) as view:
            told = self._follow_changes(view) if is_written else Followed(self._state)
        self._version = version  # one that could not be read is looked at again
        self._look_at = monotonic() + _REST * (monotonic() - now)
        self._say(told._replace(state=self._state_of(live, now)), now)

    def _follow_changes(self, view: Reading) -> Followed:
        cards, build = view.stores.cards, (view.stores.build,)
        if build != self._build:  # its numbers are its own
            self._written, is_first = cards.last_written(), self._build is None
            self._build = build
            return Followed(self._state, complete=is_first)
        found = cards.written_after(self._written)
        paths = [path for path in found.paths if not view.scope.is_outside(path)]
        held = cards.existing(paths)
        self._written = found.last
        changed = tuple(path for path in paths if path in held)
        removed = tuple(path for path in paths if path not in held)
        return Followed(self._state, changed, removed, found.is_complete)

    def _state_of(self, live: LiveIndex, now: float) -> FollowedState:
        watcher = watcher_of(live)
        with unswept_reading(live) as view:
            freshness = view.freshness
        if freshness.fresh:
            self._pending, self._count_at = 0, now + _STATE_S
        elif now >= self._count_at:  # most are up to date again before that
            began, self._pending = monotonic(), live.pending_now()
            self._count_at = monotonic() + max(_COUNT_S, _COUNT_REST * (monotonic() - began))
        return FollowedState(
            watcher.state, freshness.fresh, self._pending, freshness.as_of, watcher.reason
        )

    def _say(self, told: Followed, now: float) -> None:
        is_news = told.state._replace(as_of="") != self._state._replace(as_of="")
        self._state = told.state
        if is_news or told.has_changes or now >= self._tell_at:
            self._tell_at = now + _TELL_S
            self._tell(told)
