"""Writing and deleting one file: whole or not at all, and only over what the writer has seen.

A text is staged beside its file, flushed, and then given the name of the file; of many files all
may be staged before they are flushed at once: each flush of its own waits for the disk, `syncfs`
of Linux waits once. It says whether the disk took everything since Linux 5.8, if it was opened
before the first write.
"""

from __future__ import annotations

import errno
import os
import re
import stat
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from memwiki.digest import digest_of
from memwiki.errors import ConflictError, MemwikiError, NotFoundError, WriteError
from memwiki.files.read import digest_in, resolve_link, signature_at
from memwiki.files.temporary import (
    CREATE,
    Attributes,
    attributes_of,
    folders_below,
    give,
    temporary_name,
    write_all,
)
from memwiki.nouns import Signature
from memwiki.records import NamedTuple

_APPEND = CREATE & ~os.O_EXCL | os.O_APPEND
# What file systems answer that cannot flush a folder, and Windows, which cannot open one.
_ANY_WRITE = stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH
_NO_FLUSH = (errno.EINVAL, errno.ENOTSUP, errno.ENOSYS, errno.EACCES, errno.EPERM, errno.EBADF)
_HINTS = {
    errno.ENOSPC: "free some space and try again",
    errno.EROFS: "the disk is read-only",
    errno.EACCES: "check the permissions of the folder",
    errno.EPERM: "check the permissions of the folder",
    errno.ENAMETOOLONG: "choose a shorter name",
}


def write(
    root: Path,
    path: str,
    data: bytes,
    *,
    expect: str,
    like: str = "",
    attributes: Attributes | None = None,
    unflushed: set[Path] | None = None,
) -> str:
    """Replace the file whose bytes have the digest `expect` ("": no file); give the new digest.

    It gets these `attributes`, else those of the old file. A new file gets those of the file
    `like`, with no more permissions than are given. With `unflushed`, the caller flushes the
    folders that are added to it.
    """
    staged = stage(
        root, path, data, expect=expect, flush=os.fsync, like=like, attributes=attributes
    )
    place(staged, unflushed)
    return digest_of(data)


def require_writable(root: Path, paths: Iterable[str]) -> None:
    """Refuse what would change a file that is read-only, before anything is written."""
    for path in paths:
        with suppress(OSError):
            _require_writable(path, os.stat(f"{root}/{path}").st_mode)  # noqa: PTH116 - of each


def _require_writable(path: str, mode: int) -> None:
    if not mode & _ANY_WRITE:  # a new one in its place would need no permission
        raise WriteError.at(
            path, "is read-only", "make it writable first (chmod u+w), if it is to change"
        )


class StagedFile(NamedTuple):
    """The new text of a file beside it, and what the file was when it was staged."""

    path: str
    expect: str
    location: Path
    temporary: Path
    seen: Signature | None
    made: list[Path]  # folders for it


def stage(
    root: Path,
    path: str,
    data: bytes,
    *,
    expect: str,
    flush: Callable[[int], None],
    like: str = "",
    attributes: Attributes | None = None,
    resolve: Callable[[str], Path] | None = None,
    seen: Signature | None = None,
) -> StagedFile:
    """Write the new text of a file beside it, as `write` does; `flush` is given its descriptor.
    Who stages many files may `resolve` their paths together; one that was `seen` as it is to be is
    not read again."""
    location = resolve(path) if resolve else resolve_link(root, path)
    if not (seen and signature_at(location) == seen):
        seen = _checked(root, path, expect)
    found = attributes_of(location)
    if found:
        _require_writable(path, found.mode)
    staged = StagedFile(path, expect, location, location.with_name(temporary_name()), seen, [])
    try:
        if not found:
            _make_folders(location.parent, staged.made)
        made_from = attributes_of(root / like) if like and not found else None
        if made_from and attributes:
            attributes = made_from._replace(mode=made_from.mode & attributes.mode)
        _write_new(staged.temporary, data, attributes or found or made_from, flush)
    except BaseException as error:
        discard(staged)
        if isinstance(error, OSError):
            raise _write_error(path, "written", error) from error
        raise
    return staged


def place(staged: StagedFile, unflushed: set[Path] | None = None) -> None:
    """Give a staged file, which is on the disk, its name, where the old one is as it was."""
    location = staged.location
    try:
        if signature_at(location) != staged.seen:  # what is left is from this look to the rename
            raise _conflict(staged.path, staged.expect, "?")
        os.replace(staged.temporary, location)  # noqa: PTH105 - makes a `Path` of each
        _flush_now_or_later(unflushed, location.parent, *(each.parent for each in staged.made))
    except BaseException as error:
        discard(staged)
        if isinstance(error, OSError):
            raise _write_error(staged.path, "written", error) from error
        raise


def discard(staged: StagedFile) -> None:
    """Leave nothing of a staged file; of one that was placed, there is nothing to leave."""
    with suppress(OSError):
        staged.temporary.unlink()
    for folder in reversed(staged.made):
        with suppress(OSError):  # holds the page by now, or what somebody else put there
            folder.rmdir()


def delete(root: Path, path: str, *, expect: str, unflushed: set[Path] | None = None) -> None:
    """Remove the file whose bytes have the digest `expect`; of a symlink, the link alone."""
    location = _own_place(root, path)
    _checked(root, path, expect)
    try:
        location.unlink()
        _flush_now_or_later(unflushed, location.parent)
    except OSError as error:
        raise _write_error(path, "deleted", error) from error


def flush_folders(root: Path, folders: Iterable[Path]) -> None:
    """Make the names in these folders survive a power cut; WriteError where the disk fails."""
    for folder in sorted(folders):
        try:
            _flush_folders(folder)
        except FileNotFoundError:  # taken away by somebody else, with what was in it
            continue
        except OSError as error:
            raise _write_error(_shown_folder(root, folder), "flushed", error) from error


def _shown_folder(root: Path, folder: Path) -> str:
    """A folder as messages name it."""
    inside = folder.relative_to(root.resolve()).as_posix()
    return "the workspace" if inside == "." else f"{inside}/"


def remove_empty(root: Path, folder: str) -> None:
    """Remove a folder and those below it, as far as nothing is left in them."""
    for each in reversed(list(folders_below(root / folder))):
        with suppress(OSError):
            each.rmdir()


def remove_if_empty(root: Path, folders: Iterable[str]) -> None:
    """Remove those of these folders in which nothing is left, and which lie in the workspace."""
    own = dict[str, None]()
    for folder in sorted(folders, key=len):
        above = folder.rpartition("/")[0]
        with suppress(OSError, MemwikiError):
            if above not in own:  # to resolve each would be a look at every folder above it
                resolve_link(root, f"{above}/" if above else "")
            if not (root / folder).is_symlink():
                own[folder] = None
    for folder in reversed(own):
        with suppress(OSError):
            (root / folder).rmdir()


def rename(root: Path, path: str, new: str) -> None:
    """Give a file another name, which no other file has yet; call it under the lock."""
    location, target = _own_place(root, path), _own_place(root, new)
    try:
        _make_folders(target.parent, [])
        location.rename(target)
        _flush_folders(location.parent, target.parent)
    except OSError as error:
        raise _write_error(path, "renamed", error) from error


def append(root: Path, path: str, data: bytes) -> None:
    """Add to the end of a file with one write, as others may be adding too; it is made if need be.

    When that fails, nothing of it stays.
    """
    location = resolve_link(root, path)
    try:
        _make_folders(location.parent, [])
        is_new = not location.exists()
        descriptor = os.open(location, _APPEND, 0o666)
        try:
            _append(descriptor, data)
        except OSError:
            if is_new and not os.fstat(descriptor).st_size:
                location.unlink(missing_ok=True)
            raise
        finally:
            os.close(descriptor)
    except OSError as error:
        raise _write_error(path, "written", error) from error


def _append(descriptor: int, data: bytes) -> None:
    written = 0
    try:
        written = os.write(descriptor, data)
        if written != len(data):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        os.fsync(descriptor)
    except OSError:
        with suppress(OSError):
            end = os.lseek(descriptor, 0, os.SEEK_CUR)  # behind what was written, wherever that was
            if written and os.fstat(descriptor).st_size == end:  # else others added something
                os.ftruncate(descriptor, end - written)
        raise


def _own_place(root: Path, path: str) -> Path:
    """The place of a name itself, link or not, in a folder that lies in the workspace."""
    # Only the folder is resolved: Windows would give the name back as it is spelled now.
    folder, slash, name = path.rpartition("/")
    return resolve_link(root, folder + slash) / name


def _checked(root: Path, path: str, expect: str) -> Signature | None:
    """Give the signature of a file that is as expected, None when there is none."""
    try:
        found, signature = digest_in(root, path)
    except NotFoundError:
        found, signature = "", None
    if found != expect:
        raise _conflict(path, expect, found)
    return signature


def _conflict(path: str, expect: str, found: str) -> ConflictError:
    if not expect:
        what, hint = "already exists", "choose another name, or edit the file that is there"
    elif not found:
        what, hint = "was deleted since it was read", "create it again, if it is still needed"
    else:
        what, hint = "changed since it was read", "read it again and repeat the edit"
    return ConflictError.at(path, what, hint)


def _make_folders(folder: Path, made: list[Path]) -> None:
    """Create a folder and those above it, noting each."""
    missing = []
    while not folder.exists():
        missing.append(folder)
        folder = folder.parent
    for each in reversed(missing):
        each.mkdir(exist_ok=True)
        made.append(each)


def _write_new(
    temporary: Path, data: bytes, attributes: Attributes | None, flush: Callable[[int], None]
) -> None:
    """Write the bytes into a file of their own, as open to others as it is to be."""
    descriptor = os.open(temporary, CREATE, 0o600 if attributes else 0o666)
    try:
        if attributes:
            give(descriptor, attributes)
        write_all(descriptor, data, flush)
    finally:
        os.close(descriptor)


def _flush_now_or_later(unflushed: set[Path] | None, *folders: Path) -> None:
    if unflushed is None:
        _flush_folders(*folders)
    else:
        unflushed.update(folders)


def _flush_folders(*folders: Path) -> None:
    """Make the names in these folders survive a power cut, where the system can."""
    for folder in folders:
        try:
            descriptor = os.open(folder, os.O_RDONLY)
        except OSError as error:
            if error.errno in _NO_FLUSH:
                continue
            raise
        try:
            os.fsync(descriptor)
        except OSError as error:
            if error.errno not in _NO_FLUSH:
                raise
        finally:
            os.close(descriptor)


def _write_error(path: str, verb: str, error: OSError) -> WriteError:
    hint = _HINTS.get(error.errno or 0, "check the disk, then try again")
    return WriteError.at(path, f"could not be {verb}", hint, cause=error)


# --- a file system at once ---

_MOUNTS = Path("/proc/self/mountinfo")
# Those of which the kernel itself writes all there is to the disk: FUSE, 9p and shares ask others.
_KNOWN = {"bcachefs", "btrfs", "ext2", "ext3", "ext4", "f2fs", "tmpfs", "xfs", "zfs"}
_TELLS_OF_FAILURES = (5, 8)


class FileSystem(NamedTuple):
    """An open file system, on which files are written that are flushed together."""

    device: int
    descriptor: int

    def defer(self, descriptor: int) -> None:
        """In the place of flushing a file of it; one of another is flushed."""
        if os.fstat(descriptor).st_dev != self.device:
            os.fsync(descriptor)

    def flush(self) -> None:
        """Bring all that was written to the disk; OSError when it did not take it."""
        import ctypes

        if ctypes.CDLL(None, use_errno=True).syncfs(self.descriptor):
            code = ctypes.get_errno()
            raise OSError(code, os.strerror(code))


@contextmanager
def file_system_of(folder: Path) -> Iterator[FileSystem | None]:
    """Open the file system of a folder; None where it cannot be flushed at once."""
    if not _is_flushed_at_once(folder):
        yield None
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        yield FileSystem(os.fstat(descriptor).st_dev, descriptor)
    finally:
        os.close(descriptor)


def _is_flushed_at_once(folder: Path) -> bool:
    if (
        sys.platform != "linux"
        or tuple(map(int, re.findall(r"\d+", os.uname().release)[:2])) < _TELLS_OF_FAILURES
    ):
        return False
    device = folder.stat().st_dev
    number = f"{os.major(device)}:{os.minor(device)}"
    kinds = {
        line.rpartition(" - ")[2].partition(" ")[0]
        for line in _MOUNTS.read_text().splitlines()
        if number in line.split()[:3]
    }
    return bool(kinds) and kinds <= _KNOWN
