"""Reading one file of the workspace, whole or its head, as it was at one moment.

However large a file is, no more of it is held than a caller asks for: what is only compared is read
in pieces, and what has to be whole is refused past a bound."""

from __future__ import annotations

import errno
import os
import stat
from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, partial
from itertools import chain
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias, TypeVar

from memwiki.clock import now_ns
from memwiki.digest import (
    MAX_KNOWN_BYTES,
    MIN_KNOWN_BYTES,
    digest_of,
    digest_of_parts,
    known_of,
)
from memwiki.errors import MemwikiError, NotFoundError, UnreadableError, UnsafePathError
from memwiki.names import is_page_name
from memwiki.nouns import Signature
from memwiki.records import NamedTuple

# Windows lists folders without inodes, so there the size stands in: both sides must agree.
_INODE = "st_size" if os.name == "nt" else "st_ino"
_stated: Callable[[os.stat_result], Signature] = attrgetter(
    "st_size", "st_mtime_ns", "st_ctime_ns", _INODE
)
_RACY_NS = 2_000_000_000
_MAX_HELD = 2**63 - 1  # the largest number of a row of the index
_WINDOWS_LOOP = 1921  # ERROR_CANT_RESOLVE_FILENAME

MAX_WHOLE_BYTES = 256_000_000  # of a file that is read whole
_PIECE_BYTES = 1_000_000
_MAX_ATTEMPTS = 3
_FOLDER_BYTES = 4096  # what folders are told to take: how much it is depends on hidden files, too
T = TypeVar("T")
_Take: TypeAlias = Callable[[int, int], T]  # of an open file with its size
_MISSING = (errno.ENOENT, errno.ENOTDIR)
NO_FOLLOW = getattr(os, "O_NOFOLLOW", 0)
READING = (
    os.O_RDONLY
    | getattr(os, "O_NONBLOCK", 0)  # a FIFO in the place of a file must not hang us
    | getattr(os, "O_BINARY", 0)
)
_MAX_BYTES = 16_000_000
_UNAWAITED = (0, stat.S_IFREG, stat.S_IFDIR)
Mask: TypeAlias = Callable[[str, bytes], bytes | None]  # of a page's path and bytes
Places: TypeAlias = Callable[[str, bytes], Sequence[tuple[str, ...]]]  # likewise

if TYPE_CHECKING:
    _Path = Path
else:
    _Path = type(Path())  # what can be subclassed in Python 3.11


def signature_of(found: os.stat_result) -> Signature:
    """What is another when a file is."""
    signature = _stated(found)
    is_small = min(signature) >= -_MAX_HELD and max(signature) <= _MAX_HELD
    return signature if is_small else _bounded(*signature)


def signature_at(location: Path | str) -> Signature | None:
    """The same of what is at a place, None for nothing; of a symlink, its own."""
    try:
        return signature_of(os.lstat(location))
    except (FileNotFoundError, NotADirectoryError):
        return None


def is_proof(signature: Signature, checked_ns: int) -> bool:
    """Whether a file that was read at this time cannot change without its signature showing it.

    A file younger than two seconds may: its next change can fall into the same tick of the clock.
    """
    return is_proof_at(max(signature[1], signature[2]), checked_ns)


def is_proof_at(changed_ns: int, checked_ns: int) -> bool:
    """The same of a file that was last changed at this time."""
    return changed_ns + _RACY_NS < checked_ns


def signatures_of(found: Iterable[os.stat_result]) -> list[Signature]:
    """The same of many files. A time may be of any century, and file systems that make up the
    numbers of files take all 64 bits: what no index can hold is as near to it as can be."""
    signatures = list(map(_stated, found))
    try:
        array("q", chain.from_iterable(signatures))  # much faster than to look at each
    except OverflowError:
        return [_bounded(*each) for each in signatures]
    return signatures


def _bounded(size: int, *others: int) -> Signature:
    written, changed, inode = (max(-_MAX_HELD, min(each, _MAX_HELD)) for each in others)
    return size, written, changed, inode


class HiddenError(NotFoundError):
    """A private page where what is private is not seen: answered as if there were none."""

    def __init__(self, path: str, signature: Signature) -> None:
        message, hint = _missing(path)
        super().__init__(message, hint=hint, path=path)
        self.signature = signature


class FileContents(NamedTuple):
    """A file that is read for what it says: all of it, or the head of one that is too large."""

    data: bytes
    digest: str  # of the whole file
    size: int


def read(root: Path | str, path: str, max_bytes: int | None = None) -> bytes:
    """Give the bytes of a file, or its first `max_bytes`.

    Raises UnreadableError when all of a file is asked for that is too large to be held.
    """
    if isinstance(root, PublicRoot) and is_page_name(path):
        return _public_part(root, path)[0][:max_bytes]
    if max_bytes is None:
        return _whole(root, path)[0]
    return _take(root, path, lambda file, size: _bytes_of(file, min(size, max_bytes)))[0]


def _whole(root: Path | str, path: str) -> tuple[bytes, Signature]:
    """The bytes of a file and the signature they belong to."""

    def take(descriptor: int, size: int) -> bytes:
        if size > MAX_WHOLE_BYTES:
            raise UnreadableError.at(
                path,
                f"is too large to be read whole ({size} bytes)",
                f"split it into files of less than {MAX_WHOLE_BYTES // 1_000_000} MB",
            )
        return _bytes_of(descriptor, size)

    return _take(root, path, take)


def current_bytes(root: Path | str, path: str) -> bytes | None:
    """Give the bytes of a file as it is now; None when there is none."""
    return current_file(root, path)[0]


def current_file(root: Path | str, path: str) -> tuple[bytes | None, Signature | None]:
    """The same with its signature, where no later change can leave that as it is."""
    started = now_ns()
    try:
        if isinstance(root, PublicRoot):
            return read(root, path), None
        data, signature = _whole(root, path)
    except NotFoundError:
        return None, None
    return data, signature if is_proof(signature, started) else None


def contents(root: Path | str, path: str, max_bytes: int) -> tuple[FileContents, Signature]:
    """Read a file of at most so many bytes whole, of a larger one the first of them."""
    if isinstance(root, PublicRoot) and is_page_name(path):
        shown, signature = _public_part(root, path)
        return FileContents(shown[:max_bytes], digest_of(shown), len(shown)), signature
    return _take(root, path, partial(_contents_of, max_bytes))


def digest_in(root: Path | str, path: str) -> tuple[str, Signature]:
    """Give the digest of a file of any size."""
    if isinstance(root, PublicRoot) and is_page_name(path):
        shown, signature = _public_part(root, path)
        return digest_of(shown), signature
    return _take(root, path, _digest_of)


def exists(root: Path | str, path: str) -> bool:
    """Whether anything is at a path, as far as it is seen from this root."""
    if isinstance(root, SharedRoot):
        return root.holds(path)
    if not os.path.lexists(os.path.join(root, path)):  # noqa: PTH118 - too long a path is none
        return False
    return not (isinstance(root, PublicRoot) and is_hidden(root, path))


def is_folder(location: Path) -> bool:
    """Whether a folder is there; `Path.is_dir` raises for a name that no file can have, and where a
    folder above is closed to us."""
    return os.path.isdir(location)  # noqa: PTH112


def size_of(root: Path | str, path: str) -> int:
    """How many bytes of a file are seen from this root, or what its folder takes on the disk."""
    if isinstance(root, PublicRoot):
        if is_folder(root / path):
            return _FOLDER_BYTES
        if is_page_name(path):
            return len(_public_part(root, path)[0])
    return os.lstat(os.path.join(root, path)).st_size  # noqa: PTH118 - as above


def is_hidden(root: Path | str, path: str) -> bool:
    """Whether what is there is not seen from this root: a private page, or a folder in which there
    is nothing that is seen."""
    if not isinstance(root, PublicRoot):
        return False
    if is_folder(root / path):
        return _shows_nothing(root, path)
    if not is_page_name(path):
        return False
    try:
        _public_part(root, path)
    except HiddenError:
        return True
    except MemwikiError:
        return False
    return False


def _shows_nothing(root: PublicRoot, folder: str) -> bool:
    """Whether there is nothing below a folder that is seen: one that is empty looks no different
    from one with private pages alone, or what is left when others go would tell of them."""
    for above, _, names in os.walk(root / folder):
        paths = (os.path.relpath(os.path.join(above, name), root) for name in names)  # noqa: PTH118
        if not all(is_hidden(root, path) for path in paths):
            return False
    return True


def _public_part(root: PublicRoot, path: str) -> tuple[bytes, Signature]:
    """The part of a page that is not private."""
    if isinstance(root, SharedRoot):
        return _stored_text(root, path)
    data, signature = _whole(os.fspath(root), path)  # a `Path` of it takes a tenth of reading it
    shown = root.mask(path, data)
    if shown is None:
        raise HiddenError(path, signature)
    return shown, signature


def _stored_text(root: SharedRoot, path: str) -> tuple[bytes, Signature]:
    data = root.text_of(path)
    if data is not None:
        return data, (len(data), 0, 0, 0)
    if not root.holds(path):
        message, hint = _missing(path)
        raise NotFoundError(message, hint, path=path)
    raise UnreadableError.at(
        path,
        "its text is not in the shared index",
        "read it where the files are; memwiki share feed --texts shares the texts, too",
    )


def _contents_of(max_bytes: int, descriptor: int, size: int) -> FileContents:
    data = _bytes_of(descriptor, min(size, max_bytes))
    if len(data) == size:
        return FileContents(data, digest_of(data), size)
    rest = _pieces(descriptor, size - len(data))
    return FileContents(data, digest_of_parts(chain([data], rest)), size)


def _digest_of(descriptor: int, size: int) -> str:
    if size < MIN_KNOWN_BYTES:
        return digest_of(_bytes_of(descriptor, size))
    known = _known_next(descriptor, size)
    if known is not None:
        return digest_of(known)
    pieces = _pieces(descriptor, size)
    return digest_of_parts(pieces) if size > MAX_KNOWN_BYTES else digest_of(b"".join(pieces))


def _take(root: Path | str, path: str, take: _Take[T]) -> tuple[T, Signature]:
    if not hasattr(os, "O_NOFOLLOW"):  # pragma: no cover - Windows
        return _taken_through_link(root, path, take)
    try:
        return _taken_at(os.path.join(root, path), path, take)  # noqa: PTH118 - 9,751 times
    except OSError as error:
        if error.errno == errno.ELOOP:
            return _taken_through_link(root, path, take)
        raise _as_error(error, path) from error


def _taken_through_link(root: Path | str, path: str, take: _Take[T]) -> tuple[T, Signature]:
    """Read what a symlink leads to, if that lies in the workspace."""
    try:
        return _taken_at(str(resolve_link(root, path)), path, take)
    except OSError as error:
        raise _as_error(error, path) from error


def resolve_link(root: Path | str, path: str) -> Path:
    """Give the real place of a path; UnsafePathError when it lies outside the workspace."""
    real_root = os.path.realpath(root)  # a `Path` of each step takes as long as to read the file
    location = os.path.realpath(os.path.join(real_root, path))  # noqa: PTH118 - as above
    try:
        os.stat(location)  # noqa: PTH116 - as above
    except OSError as error:
        if error.errno == errno.ELOOP or getattr(error, "winerror", 0) == _WINDOWS_LOOP:
            raise UnreadableError.at(
                path, "is a symlink that leads to itself", "remove the link"
            ) from error
    if location != real_root and not location.startswith(os.path.join(real_root, "")):  # noqa: PTH118
        raise UnsafePathError.at(
            path,
            "is a symlink that leads out of the workspace",
            "copy the file into the workspace, or make its folder the workspace",
        )
    return Path(location)


def resolver(root: Path) -> Callable[[str], Path]:
    """`resolve_link` of many paths, among which each folder is looked at once."""

    @cache
    def folder_at(folder: str) -> Path:
        return resolve_link(root, folder)

    def resolved(path: str) -> Path:
        folder, slash, name = path.rpartition("/")
        location = folder_at(folder + slash) / name
        return resolve_link(root, path) if location.is_symlink() else location

    return resolved


def _taken_at(location: str, path: str, take: _Take[T]) -> tuple[T, Signature]:
    descriptor = os.open(location, READING | NO_FOLLOW)
    try:
        before = os.fstat(descriptor)
        if not stat.S_ISREG(before.st_mode):
            raise UnreadableError.at(
                path, "is not a regular file", "give the path of a markdown file"
            )
        for _ in range(_MAX_ATTEMPTS):
            taken = take(descriptor, before.st_size)
            after = os.fstat(descriptor)
            if _stated(before) == _stated(after):
                return taken, signature_of(after)
            os.lseek(descriptor, 0, os.SEEK_SET)
            before = after
        raise UnreadableError.at(
            path,
            "keeps changing while it is read",
            "try again when the other program is done with it",
        )
    finally:
        os.close(descriptor)


def _bytes_of(descriptor: int, size: int) -> bytes:
    """Read up to `size` bytes; one call for nearly every file."""
    known = _known_next(descriptor, size) if size >= MIN_KNOWN_BYTES else None
    if known is not None:
        return known
    parts: list[bytes] = []
    while size > 0 and (part := os.read(descriptor, size)):
        parts.append(part)
        size -= len(part)
    return b"".join(parts)


def _known_next(descriptor: int, size: int) -> bytes | None:
    """The large bytes that are known, where a file begins with them: they are compared as they
    come, and are not in memory twice."""
    for known in known_of(size):
        at = 0
        for piece in _pieces(descriptor, size):
            if not known.startswith(piece, at):
                break
            at += len(piece)
        if at == size:
            return known
        os.lseek(descriptor, 0, os.SEEK_SET)
    return None


def _pieces(descriptor: int, size: int) -> Iterator[bytes]:
    while size > 0 and (piece := os.read(descriptor, min(size, _PIECE_BYTES))):
        yield piece
        size -= len(piece)


def _as_error(error: OSError, path: str) -> MemwikiError:
    if error.errno in _MISSING:
        message, hint = _missing(path)
        return NotFoundError(message, hint, path=path)
    return UnreadableError.at(
        path,
        "cannot be read",
        "check the permissions of the file and the folders above it",
        cause=error,
    )


def _missing(path: str) -> tuple[str, str]:
    """What is said of a file that is not there, and what to do next."""
    return f"{path}: no such file", "memwiki list names the pages"


def bytes_of(location: Path, max_bytes: int = _MAX_BYTES) -> bytes:
    """All of a file; OSError when it is a link or no regular one, or too large to be ours."""
    descriptor = os.open(location, READING | NO_FOLLOW)
    with os.fdopen(descriptor, "rb") as file:
        found = os.fstat(descriptor)
        if not stat.S_ISREG(found.st_mode):
            raise OSError(errno.EINVAL, "not a regular file", os.fspath(location))
        if found.st_size > max_bytes:
            raise OSError(errno.EFBIG, os.strerror(errno.EFBIG), os.fspath(location))
        return file.read(max_bytes)


def irregular(location: Path) -> str:
    """The name of what an open would wait for, a place itself or what lies in the folder; "" for
    nothing.

    A folder in the folder is nobody's wait: Whoosh makes one while it writes.
    """
    mode = _mode(location)
    inside = location.iterdir() if stat.S_ISDIR(mode) else [location]
    return next((each.name for each in inside if _mode(each) not in _UNAWAITED), "")


def _mode(location: Path) -> int:
    """What kind of file stands there, 0 when none does; asked once, as it may go meanwhile."""
    try:
        return stat.S_IFMT(location.stat().st_mode)
    except FileNotFoundError:
        return 0


class PublicRoot(_Path):
    """The root of a workspace from which pages are read without what is private.

    It is a path like any other; only `files/read.py` asks for the `mask`, which gives the bytes
    that are shown of a page, None where none are. So whoever reads by it cannot forget to leave
    something out, and whoever has to change the file as it is says `Path(root)`. `places` say under
    which headings private lines are, which no change may alter unseen.
    """

    mask: Mask
    places: Places
    is_masked = True

    @classmethod
    def of(cls, root: Path, mask: Mask, places: Places) -> PublicRoot:
        """The same folder, read through a mask."""
        made = cls(root)
        made.mask, made.places = mask, places
        return made

    def __truediv__(self, below: str | os.PathLike[str]) -> Path:  # type: ignore[override] # not Self
        """What is below it is an ordinary path, where `Path` promises one of its own kind."""
        return Path(self) / below

    def with_segments(self, *segments: str) -> Path:
        """So it is of all that is made of it (Python 3.12 and later)."""
        return Path(*segments)


class SharedRoot(PublicRoot):
    """The stand-in for the root of a workspace that is read from a server: a folder without pages,
    whose texts come from there, where they are kept. What is private is fed apart, unmasked."""

    holds: Callable[[str], bool]
    text_of: Callable[[str], bytes | None]
    has_texts: bool

    @classmethod
    def at(
        cls,
        root: Path,
        holds: Callable[[str], bool],
        text_of: Callable[[str], bytes | None],
        *,
        has_texts: bool,
        is_masked: bool,
    ) -> SharedRoot:
        """The stand-in, and who is asked for a page."""
        made = cls(root)
        made.holds, made.text_of = holds, text_of
        made.has_texts, made.is_masked = has_texts, is_masked
        return made
