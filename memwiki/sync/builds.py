"""Builds of the index: one that shall take the place of the live one, and one that is to be read;
and the lock that lets one process write them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from memwiki.errors import IndexDamagedError, LockedError, MemwikiError, WriteError
from memwiki.files.read import read
from memwiki.index.cache_folder import CacheFolder, CleanScan
from memwiki.index.cards.lookup import Lookup
from memwiki.index.cards.store import last_known
from memwiki.index.integrity import is_intact, open_record, require_intact
from memwiki.index.raw_bytes import copy_of
from memwiki.index.storage_sqlite import DiskError
from memwiki.index.stores import KINDS, Stores

if TYPE_CHECKING:
    from memwiki.files.lock import Lock
    from memwiki.files.scan import Scan

READER_WAIT_MS = 200
_WRITER_WAIT_MS = 60_000


def begin_build(folder: CacheFolder, settings: str, live: Path | None, kept: Sequence[str]) -> Path:
    """A build to fill: one that was cut short, or a new one, with the pages in it that are to be
    kept."""
    build = folder.successor(settings)
    if build is None or not _holds_what_was_left(build):
        build = folder.new_build(settings)
        if kept and live and _holds_what_was_left(live):
            _carry_over(live, build, kept)
        folder.begin(build)
    open_record(build, KINDS)
    return build


@contextmanager
def abandoned_on_errors(folder: CacheFolder) -> Iterator[None]:
    """A build that fails gives its room on the disk back; one that is killed is gone on with."""
    try:
        yield
    except Exception:
        folder.remove_leftovers()
        raise


def _holds_what_was_left(build: Path) -> bool:
    try:
        require_intact(build, KINDS)
    except IndexDamagedError:
        return False
    return True


def lend(live: Path, build: Path) -> None:
    """Begin a build with the pages of another one in which nothing is private; call it under the
    lock of that one."""
    if not _holds_what_was_left(live):
        return
    with closing(Stores(live)) as stores:
        lookup = Lookup(stores.cards.db)
        kept = stores.cards.digests().keys() - lookup.private_pages().keys()
    open_record(build, KINDS)
    _carry_over(live, build, kept)
    with closing(Stores(build)) as stores:
        stores.scrub()  # else the words of pages that went still count in scores
        stores.note_intact()  # else it would be taken for a damaged one


def _carry_over(live: Path, build: Path, kept: Collection[str]) -> None:
    """Take what is known of these pages along: they cannot be read now, which is not to be gone."""
    for kind in KINDS:
        for name in kind.files(live):
            (build / name).parent.mkdir(mode=0o700, exist_ok=True)
            copy_of(live / name, build / name)
    with closing(Stores(build)) as stores:
        for each in stores.projections():
            each.apply([], [path for path in each.digests() if path not in kept])


def unreadable(root: Path, seen: Scan, folder: CacheFolder | None) -> list[str]:
    """The pages that cannot be read now and that the live index holds: they are not gone."""
    existing = last_known(folder.last()).digests if folder else {}
    return [path for path in seen.files if path in existing and not _is_readable(root, path)]


def _is_readable(root: Path, path: str) -> bool:
    try:
        read(root, path, 0)
    except MemwikiError:
        return False
    return True


def clean_scan_of(folder: CacheFolder | None, build: Path | None, seen: Scan) -> CleanScan | None:
    """The last walk that found nothing to do, if this one saw the same and the stores are those."""
    clean = folder.clean_scan() if folder else None
    if clean is None or (clean.fingerprint, clean.ignored) != (seen.fingerprint, seen.ignored):
        return None
    return clean if build and build.name == clean.build and is_intact(build, KINDS) else None


def open_to_write(build: Path, close: Callable[[], None]) -> None:
    """Open the record of a build before it is written; raises IndexDamagedError when it is not as
    memwiki left it."""
    if not is_intact(build, KINDS):
        close()  # what is open may know the files as they were
        require_intact(build, KINDS)
    open_record(build, KINDS)


def readable(folder: CacheFolder, live: Callable[[], Path | None]) -> Path | None:
    """The live build, looked at before it is read; None where there never was one.

    Raises IndexDamagedError when it is not as memwiki left it.
    """
    build = live()
    if build is None and folder.has_traces() and not is_being_written(folder):
        build = live()  # whoever wrote it may have just finished
        if build is None:
            raise IndexDamagedError("index: there is none of this version and these settings")
    if build is not None:
        _require_intact(folder, build)
    return build


def _require_intact(folder: CacheFolder, build: Path) -> None:
    lock = _lock_of(folder)
    if is_intact(build, KINDS) or not acquire_lock(lock, 0):
        return  # whoever is writing it has looked
    try:
        if not is_intact(build, KINDS):
            require_intact(build, KINDS, may_be_lost=False)
    finally:
        lock.release()


@contextmanager
def hold_lock(
    folder: CacheFolder, wait_ms: int | None, has_answers: Callable[[], bool]
) -> Iterator[None]:
    """Hold the lock of the index; LockedError when another process does not let go of it in
    time."""
    folder.make()
    lock = _lock_of(folder)
    # The very first index is waited for: there is nothing older to answer from.
    if not acquire_lock(lock, _WRITER_WAIT_MS if wait_ms is None else wait_ms) and (
        has_answers() or not acquire_lock(lock, _WRITER_WAIT_MS)
    ):
        what = "the index is being written by another process"
        raise LockedError(what, "try again when it is done")
    try:
        yield
    finally:
        lock.release()


def is_being_written(folder: CacheFolder) -> bool:
    """Whether somebody writes an index now; the first one is not live before its folder is
    there."""
    lock = _lock_of(folder)
    if not acquire_lock(lock, 0):
        return True
    lock.release()
    return False


def _lock_of(folder: CacheFolder) -> Lock:
    from memwiki.files.lock import Lock  # nobody locks what he only reads

    return Lock(folder.lock)


def acquire_lock(lock: Lock, wait_ms: int) -> bool:
    """Whether the lock could be taken; that it cannot even be tried is a matter of the disk."""
    try:
        return lock.acquire(wait_ms)
    except WriteError as error:
        raise DiskError(error.message, hint=error.hint) from error
