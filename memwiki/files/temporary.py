"""The files that a write goes through: their names, what hangs on them beside their bytes, and
clearing away those nobody is writing."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from itertools import chain
from pathlib import Path
from typing import IO, TypeVar

from memwiki.clock import now_ns
from memwiki.digest import digest_of
from memwiki.errors import AlreadyExistsError, WriteError
from memwiki.files.ignore import TEMPORARY_PREFIX, why_not_folder
from memwiki.files.read import NO_FOLLOW
from memwiki.records import NamedTuple
from memwiki.text import pattern

CREATE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | NO_FOLLOW | getattr(os, "O_BINARY", 0)
_STALE_NS = 3600 * 10**9
_NAME = pattern(re.escape(TEMPORARY_PREFIX) + r"([0-9a-f]{8})-(\d+)-[0-9a-f]{8}\.tmp")
T = TypeVar("T")


def temporary_name() -> str:
    """Make up a name that says who writes: this machine, this process."""
    return f"{TEMPORARY_PREFIX}{machine()}-{os.getpid()}-{os.urandom(4).hex()}.tmp"


def sweep_temporaries(
    root: Path, folders: Iterable[str] | None = None, *, is_locked: bool = False
) -> None:
    """Remove what dead writers left, in these folders or everywhere. With `is_locked` whoever
    writes there holds a lock that is the caller's now, so that none of this machine is alive, even
    where another process has the id of one by now."""
    if folders is None:
        locations = folders_below(root, lambda name: not why_not_folder(name))
    else:
        locations = (root / folder for folder in folders)
    for temporary in chain.from_iterable(map(_temporaries_in, locations)):
        if _is_stale(temporary, is_locked=is_locked):
            with suppress(OSError):
                temporary.unlink()


def _temporaries_in(folder: Path) -> list[Path]:
    with suppress(OSError), os.scandir(folder) as listing:
        # Of all files that there are: a `Path` of each takes 2.6 times as long (2026-11-24).
        return [folder / each.name for each in listing if _NAME.fullmatch(each.name)]
    return []


def folders_below(location: Path, enters: Callable[[str], bool] = bool) -> Iterator[Path]:
    """A folder and all below it, each before those in it; not by recursion, as they may lie
    deep."""
    waiting = [str(location)]
    while waiting:
        folder = waiting.pop()
        yield Path(folder)
        with suppress(OSError), os.scandir(folder) as listing:
            below = [each for each in listing if each.is_dir(follow_symlinks=False)]
            waiting += [each.path for each in below if enters(each.name)]


def _is_stale(temporary: Path, *, is_locked: bool) -> bool:
    """Whether nobody writes it: its process is gone, or it is older than an hour."""
    found = _NAME.fullmatch(temporary.name)
    if found and found[1] == machine() and (is_locked or _is_dead(int(found[2]))):
        return True
    with suppress(OSError):
        return now_ns() - temporary.lstat().st_mtime_ns > _STALE_NS
    return False


def machine() -> str:
    """Tell this machine from others that share the folder, by a few hex digits."""
    return digest_of(os.uname().nodename.encode() if hasattr(os, "uname") else b"")[:8]


def _is_dead(process: int) -> bool:
    if os.name == "nt":  # pragma: no cover - signal 0 is not a question on Windows
        return False
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return True
    except (PermissionError, OverflowError):
        return False
    return False


def write_whole(location: Path, data: bytes, *, mode: int = 0o600) -> None:
    """Give a file these bytes, whole or not at all; OSError when it cannot have them."""
    temporary = location.parent / temporary_name()
    try:
        descriptor = os.open(temporary, CREATE, mode)
        try:
            write_all(descriptor, data, os.fsync)
        finally:
            os.close(descriptor)
        temporary.replace(location)
    finally:
        temporary.unlink(missing_ok=True)


def write_all(descriptor: int, data: bytes, flush: Callable[[int], None]) -> None:
    """Write all bytes, and bring them to the disk as `flush` does."""
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]
    flush(descriptor)


def write_new(location: Path, fill: Callable[[IO[bytes]], T]) -> T:
    """Make a file that is not there yet, and give what filling it gave."""
    if os.path.lexists(location):
        raise _already_exists(location)
    temporary = location.parent / temporary_name()
    with _failures_named(location):
        try:
            with temporary.open("xb") as file:
                filled = fill(file)
                file.flush()
                os.fsync(file.fileno())
            _name(temporary, location)
        finally:
            with suppress(OSError):
                temporary.unlink(missing_ok=True)
    return filled


def _name(temporary: Path, location: Path) -> None:
    """Give the file its name, unless somebody else has it by now."""
    try:
        os.link(temporary, location)
    except FileExistsError as error:
        raise _already_exists(location) from error
    except OSError:  # a file system without hard links
        if os.path.lexists(location):
            raise _already_exists(location) from None
        temporary.rename(location)


def _already_exists(location: Path) -> AlreadyExistsError:
    return AlreadyExistsError.at(location, "already exists", "give another file")


@contextmanager
def _failures_named(location: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise WriteError.at(
            location, "could not be written", "check the folder and the disk", cause=error
        ) from error


_LISTS_ACCESS = "system.posix_acl_access"  # the only one of `system.` that is a file's own
_MAX_BYTES = 65_536  # of one attribute: what Linux takes


class Attributes(NamedTuple):
    """The permissions of a file, its owner and group, and its extended attributes."""

    mode: int
    owner: tuple[int, int] | None = None
    extended: Mapping[str, bytes] = {}


def attributes_of(location: Path) -> Attributes | None:
    """What a file has; None when there is none."""
    try:
        found = location.stat()
    except OSError:
        return None
    owner = found.st_uid, found.st_gid
    return Attributes(stat.S_IMODE(found.st_mode), owner, dict(_extended(location)))


def _extended(location: Path) -> Iterator[tuple[str, bytes]]:
    names = list[str]()
    if hasattr(os, "listxattr"):
        with suppress(OSError):  # a disk that knows of none
            names = os.listxattr(location)
    for name in names:
        with suppress(OSError):
            yield name, os.getxattr(location, name)


def give(descriptor: int, attributes: Attributes) -> None:
    """Let a new file have them, as far as the system and its disk allow."""
    if not hasattr(os, "fchmod"):  # pragma: no cover - Windows
        return
    new = os.fstat(descriptor)
    if attributes.owner and attributes.owner != (new.st_uid, new.st_gid):
        with suppress(OSError):  # only root may give files away
            os.fchown(descriptor, *attributes.owner)
    if _LISTS_ACCESS not in attributes.extended and hasattr(os, "removexattr"):
        with suppress(OSError):  # the folder may have given it one that lets others in
            os.removexattr(descriptor, _LISTS_ACCESS)
    missing = [
        name for name, value in attributes.extended.items() if not _set(descriptor, name, value)
    ]
    # The group's part of the mode is the most that a list of access allows, not what the group may.
    mode = attributes.mode & (0o7707 if _LISTS_ACCESS in missing else 0o7777)
    os.fchmod(descriptor, mode)


def other_names(location: str) -> int:
    """Under how many other names the file can be found (hard links)."""
    try:
        found = os.stat(location)  # noqa: PTH116 - a `Path` of each file takes longer
    except OSError:
        return 0
    return found.st_nlink - 1 if stat.S_ISREG(found.st_mode) else 0


def can_be_kept(name: str) -> bool:
    """Whether an attribute says something of the file, and is not the system's to give."""
    return name.startswith("user.") or name == _LISTS_ACCESS


def _set(descriptor: int, name: str, value: bytes) -> bool:
    # What the system gives itself (security labels) already exists, or not ours to set.
    try:
        if os.getxattr(descriptor, name) == value:
            return True
    except (OSError, ValueError):
        pass
    with suppress(OSError, ValueError):
        os.setxattr(descriptor, name, value[:_MAX_BYTES])
        return True
    return False
