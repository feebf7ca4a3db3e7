"""A watcher over one workspace, and what others see of it."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from contextlib import suppress
from math import inf
from typing import Protocol

from memwiki.answers.entries import UpkeepReport
from memwiki.answers.index import Changes, WatchEvent, WatchEventKind
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
from memwiki.names import CONFIG_FILE, GIT_IGNORE_FILE, IGNORE_FILE, is_page_name
from memwiki.sync.builds import READER_WAIT_MS
from memwiki.sync.idle import embed_when_idle
from memwiki.sync.live import LiveIndex
from memwiki.sync.open_index import PUBLIC
from memwiki.watch.pending import ChangeKind, WatchTiming
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
        timing: WatchTiming | None = None,
    ) -> None:
        self._open_live, self._upkeep_of = open_live, upkeep_of
        self._curation_of = curation_of
        self._live = open_live()
        self._clock: Clock = self._live.context.clock
        self._heartbeat = Heartbeat(_cache_folder(self._live).whole)
        self._since, self._last_scan, self._public_build = 0, 0, ""
        self._tell: Tell = tell or (lambda _: None)
        self._git = git_folder(self._live.context.root)
        self._rules, self._is_misled = self._seen(), False
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
        self._watcher = Watcher(self._live.context.root, work, timing, is_polling=is_polling)

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
        seen = self._seen()
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

    def _seen(self) -> SettingsSeen:
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
