"""Reading one file of the workspace, whole or its head, as it was at one moment."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Callable
from operator import attrgetter
from pathlib import Path

from memwiki.errors import MemwikiError, NotFoundError, UnreadableError, UnsafePathError
from memwiki.model import Signature

# Windows lists folders without inodes, so there the size stands in: both sides must agree.
_INODE = "st_size" if os.name == "nt" else "st_ino"
signature_of: Callable[[os.stat_result], Signature] = attrgetter(
    "st_size", "st_mtime_ns", "st_ctime_ns", _INODE
)

_FLAGS = (
    os.O_RDONLY
    | getattr(os, "O_NOFOLLOW", 0)
    | getattr(os, "O_NONBLOCK", 0)  # a FIFO named like a page must not hang us
    | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_BINARY", 0)
)
_ATTEMPTS = 3
_MISSING = (errno.ENOENT, errno.ENOTDIR)


def read(root: Path | str, path: str, max_bytes: int | None = None) -> tuple[bytes, Signature]:
    """Give the bytes of a file (its first `max_bytes`) and the signature they belong to."""
    if not hasattr(os, "O_NOFOLLOW"):  # pragma: no cover - Windows
        return _read_link(root, path, max_bytes)
    try:
        return _read(os.path.join(root, path), path, max_bytes)  # noqa: PTH118 - 9,751 times
    except OSError as error:
        if error.errno == errno.ELOOP:
            return _read_link(root, path, max_bytes)
        raise _as_error(error, path) from error


def _read_link(root: Path | str, path: str, max_bytes: int | None) -> tuple[bytes, Signature]:
    """Read what a symlink leads to, if that lies in the workspace."""
    try:
        return _read(str(resolve_link(root, path)), path, max_bytes)
    except OSError as error:
        raise _as_error(error, path) from error


def resolve_link(root: Path | str, path: str) -> Path:
    """Give the real place of a path; UnsafePathError when it lies outside the workspace."""
    real_root = Path(root).resolve()
    try:
        target = (real_root / path).resolve()
    except RuntimeError as error:  # Python 3.11 and 3.12 say so of a loop
        raise UnreadableError(
            f"{path}: is a symlink that leads to itself", hint="remove the link", path=path
        ) from error
    if not target.is_relative_to(real_root):
        raise UnsafePathError(
            f"{path}: is a symlink that leads out of the workspace",
            hint="copy the file into the workspace, or make its folder the workspace",
            path=path,
        )
    return target


def _read(place: str, path: str, max_bytes: int | None) -> tuple[bytes, Signature]:
    descriptor = os.open(place, _FLAGS)
    try:
        return _read_steady(descriptor, path, max_bytes)
    finally:
        os.close(descriptor)


def _read_steady(descriptor: int, path: str, max_bytes: int | None) -> tuple[bytes, Signature]:
    """Read until the file is the same before and after."""
    before = os.fstat(descriptor)
    if not stat.S_ISREG(before.st_mode):
        raise UnreadableError(
            f"{path}: is not a regular file", hint="give the path of a markdown file", path=path
        )
    for _ in range(_ATTEMPTS):
        size = before.st_size if max_bytes is None else min(before.st_size, max_bytes)
        data = _bytes_of(descriptor, size)
        after = os.fstat(descriptor)
        if signature_of(before) == signature_of(after):
            return data, signature_of(after)
        os.lseek(descriptor, 0, os.SEEK_SET)
        before = after
    raise UnreadableError(
        f"{path}: keeps changing while it is read",
        hint="try again when the other program is done with it",
        path=path,
    )


def _bytes_of(descriptor: int, size: int) -> bytes:
    """Read up to `size` bytes; one call for nearly every file."""
    parts: list[bytes] = []
    while size > 0 and (part := os.read(descriptor, size)):
        parts.append(part)
        size -= len(part)
    return b"".join(parts)


def _as_error(error: OSError, path: str) -> MemwikiError:
    if error.errno in _MISSING:
        return NotFoundError(
            f"{path}: there is no such file", hint="`memwiki list` names the pages", path=path
        )
    return UnreadableError(
        f"{path}: cannot be read ({error.strerror or error})",
        hint="check the permissions of the file and the folders above it",
        path=path,
    )
