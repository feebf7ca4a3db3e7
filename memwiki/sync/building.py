"""Builds of the index: one that shall take the place of the live one, and one that is to be read."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

from memwiki.errors import IndexDamagedError, MemwikiError, WriteError
from memwiki.files.lock import Lock
from memwiki.files.read import read
from memwiki.files.scan import Scan
from memwiki.index.cache_folder import Place, Swept
from memwiki.index.cards.store import last_known
from memwiki.index.damage import DiskError
from memwiki.index.integrity import open_record, require_ours, vouches
from memwiki.index.stores import KINDS, Stores


def begun(place: Place, recipe: str, live: Path | None, kept: Sequence[str]) -> Path:
    """A build to fill: one that was cut short, or a new one, with the pages in it that are to be kept."""
    build = place.successor(recipe)
    if build is None or not _is_ours(build):
        build = place.new_build(recipe)
        if kept and live and _is_ours(live):
            _carry_over(live, build, kept)
        place.begin(build)
    open_record(build, KINDS)
    return build


@contextmanager
def abandoned_on_errors(place: Place) -> Iterator[None]:
    """A build that fails gives its room on the disk back; one that is killed is gone on with."""
    try:
        yield
    except Exception:
        place.begin(None)
        place.sweep()
        raise


def _is_ours(build: Path) -> bool:
    try:
        require_ours(build, KINDS)
    except IndexDamagedError:
        return False
    return True


def _carry_over(live: Path, build: Path, kept: Sequence[str]) -> None:
    """Take what is known of these pages along: they cannot be read now, which is not to be gone."""
    import shutil  # 10 ms that no other sync needs

    for kind in KINDS:
        for name in kind.files(live):
            (build / name).parent.mkdir(mode=0o700, exist_ok=True)
            shutil.copyfile(live / name, build / name)
    with closing(Stores(build)) as stores:
        for each in stores.projections():
            each.apply([], [path for path in each.digests() if path not in kept])


def unreadable(root: Path, seen: Scan, place: Place | None) -> list[str]:
    """The pages that cannot be read now and that the live index holds: they are not gone."""
    held = last_known(place.last()).digests if place else {}
    return [path for path in seen.files if path in held and not _is_readable(root, path)]


def _is_readable(root: Path, path: str) -> bool:
    try:
        read(root, path, 0)
    except MemwikiError:
        return False
    return True


def swept_as(place: Place, build: Path | None, seen: Scan) -> Swept | None:
    """The last walk that found everything in step, if this one saw the same and the stores are those."""
    swept = place.swept()
    if swept is None or (swept.fingerprint, swept.ignored) != (seen.fingerprint, seen.ignored):
        return None
    return swept if build and build.name == swept.build and vouches(build, KINDS) else None


def open_ours(build: Path, let_go: Callable[[], None]) -> None:
    """Open the record of a build before it is written; raises IndexDamagedError when it is not as
    memwiki left it."""
    if not vouches(build, KINDS):
        let_go()  # what is open may know the files as they were
        require_ours(build, KINDS)
    open_record(build, KINDS)


def readable(place: Place, live: Callable[[], Path | None]) -> Path | None:
    """The live build, looked at before it is read; None where there never was one.

    Raises IndexDamagedError when it is not as memwiki left it.
    """
    build = live()
    if build is None and place.has_traces() and not _is_being_written(place):
        build = live()  # whoever wrote it may have just finished
        if build is None:
            raise IndexDamagedError("index: there is none of this version and these settings")
    if build is not None:
        _require_ours(place, build)
    return build


def _require_ours(place: Place, build: Path) -> None:
    lock = Lock(place.lock)
    if vouches(build, KINDS) or not taken(lock, 0):
        return  # whoever is writing it has looked
    try:
        if not vouches(build, KINDS):
            require_ours(build, KINDS, may_be_lost=False)
    finally:
        lock.release()


def _is_being_written(place: Place) -> bool:
    """Whether somebody writes an index now; the first one is not live before its folder is there."""
    lock = Lock(place.lock)
    if not taken(lock, 0):
        return True
    lock.release()
    return False


def taken(lock: Lock, wait_ms: int) -> bool:
    """Whether the lock could be taken; that it cannot even be tried is a matter of the disk."""
    try:
        return lock.acquire(wait_ms)
    except WriteError as error:
        raise DiskError(error.message, hint=error.hint) from error
