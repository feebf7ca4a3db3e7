"""Lists of records in `.memwiki/state/`: JSON lines, added at the end and taken from the end; and
the key by which what memwiki wrote is told from what others wrote.

One file a machine, so that a file-sync service never sees two writers. Called under the lock.

And the files of `.memwiki/proposals/`, one each: readable by their user alone, and not derived."""

from __future__ import annotations

import errno
import json
import os
import stat
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from heapq import nlargest
from pathlib import Path
from typing import Any

from memwiki.errors import LockedError, MemwikiError, UnreadableError, UnsafePathError, WriteError
from memwiki.files.lock import LOCK_NAME, Lock, state_folder, state_subfolder
from memwiki.files.read import NO_FOLLOW, READING, bytes_of, irregular
from memwiki.files.temporary import machine, sweep_temporaries, write_whole
from memwiki.names import STATE_FOLDER
from memwiki.records import NamedTuple

Fields = Mapping[str, Any]
_OPEN = os.O_RDWR | os.O_CREAT | NO_FOLLOW | getattr(os, "O_BINARY", 0)
MAX_RECORD_BYTES = 256_000_000  # of one record
_PIECE_BYTES = 65_536
MAX_LIST_BYTES = 1_000_000  # of a file of small records
ANY_SERVER = "*"  # in the place of a digest: any that starts memwiki
_KEY_NAME = "undo.key"
_LOCK_NAME = "undo.key.lock"
_KEY_BYTES = 32


class Record(NamedTuple):
    """One line, and where it begins in the file."""

    offset: int
    fields: Fields


class Records:
    """The records of one kind that a machine wrote, this one unless another is named."""

    def __init__(self, root: Path, name: str, *, max_bytes: int, of: str = "") -> None:
        self._root, self._name, self._max_bytes = root, name, max_bytes
        self._machine = of or machine()

    @property
    def location(self) -> Path:
        """The file, which need not exist."""
        return self._root / STATE_FOLDER / "state" / f"{self._name}-{self._machine}.jsonl"

    def add(self, fields: Fields) -> int:
        """Bring a record to the disk; give the offset at which it begins."""
        line = _line(fields)
        if len(line) > MAX_RECORD_BYTES:
            raise WriteError(
                "undo: the change is too large to be kept for undoing; nothing was changed",
                "make it outside of memwiki, or in several steps",
            )
        state_folder(self._root)
        self._require_own()
        with _naming_failures(self.location):
            self.location.parent.mkdir(exist_ok=True)
            descriptor = os.open(self.location, _OPEN, 0o600)
            try:
                _require_usual(descriptor, self.location)
                offset = _end_of_lines(descriptor)
                _write(descriptor, line, offset)
            finally:
                os.close(descriptor)
        return self._shorten() if offset + len(line) > self._max_bytes else offset

    def newest(self) -> Iterator[Record]:
        """The records, the last one first; lines that a crash cut short are passed over."""
        with suppress(FileNotFoundError), _naming_failures(self.location):
            self._require_own()
            descriptor = os.open(self.location, READING | NO_FOLLOW)
            try:
                yield from self._records(descriptor)
            finally:
                os.close(descriptor)

    def _records(self, descriptor: int) -> Iterator[Record]:
        _require_usual(descriptor, self.location)
        for start, line in _lines_from_below(descriptor):
            if len(line) > MAX_RECORD_BYTES:
                name = self.location.name
                raise UnreadableError(
                    f"{name}: holds a record that is too long", f"remove {self.location}"
                )
            with suppress(ValueError, RecursionError):
                fields = json.loads(line)
                if isinstance(fields, dict):
                    yield Record(start, fields)

    def cut(self, offset: int) -> None:
        """Drop the record at this offset and all after it."""
        with _naming_failures(self.location), suppress(FileNotFoundError):
            self._require_own()
            os.truncate(self.location, offset)

    def rewrite(self, changed: Callable[[Fields], Fields | None]) -> None:
        """Put another record, or none, in the place of each."""
        kept = [new for each in self.newest() if (new := changed(each.fields))]
        self._replace(kept[::-1])

    def _shorten(self) -> int:
        """Drop the oldest half, but never the newest record; give where that begins now."""
        kept: list[Record] = []
        size = 0
        for record in self.newest():
            kept.append(record)
            size = kept[0].offset - record.offset
            if size > self._max_bytes // 2:
                break
        self._replace([record.fields for record in reversed(kept)])
        return next(self.newest()).offset

    def _require_own(self) -> None:
        """Refuse what a workspace from elsewhere may hold in its place, to have us write
        elsewhere."""
        for location in (self._root / STATE_FOLDER, self.location.parent, self.location):
            if location.is_symlink():
                name = location.relative_to(self._root).as_posix()
                raise UnsafePathError.at(
                    name, "is a symlink", f"remove {name}, which memwiki makes"
                )

    def _replace(self, records: Iterable[Fields]) -> None:
        if not self.location.exists():
            return
        with _naming_failures(self.location):
            write_whole(self.location, b"".join(map(_line, records)))


def _require_usual(descriptor: int, location: Path) -> None:
    """Refuse a pipe, device or folder in the place of a file."""
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        raise UnreadableError(
            f"{location.name}: is not a file that memwiki writes", f"remove {location}"
        )


def machines_of(root: Path, name: str) -> list[str]:
    """The machines of which there are records of a kind."""
    files = (root / STATE_FOLDER / "state").glob(f"{name}-*.jsonl")
    return [file.stem.removeprefix(f"{name}-") for file in sorted(files)]


def _line(fields: Fields) -> bytes:
    return (
        json.dumps(fields, ensure_ascii=False, separators=(",", ":")).encode(
            "utf-8", "surrogatepass"
        )
        + b"\n"
    )


def _end_of_lines(descriptor: int) -> int:
    """Where the next line begins: behind the last whole one, as a crash may have cut one short.
    OSError where that would be longer than any: to read terabytes of none takes hours."""
    end = os.lseek(descriptor, 0, os.SEEK_END)
    least = end - MAX_RECORD_BYTES
    while end:
        if end <= least:
            raise OSError(errno.EFBIG, os.strerror(errno.EFBIG))
        start = max(end - _PIECE_BYTES, 0)
        found = os.pread(descriptor, end - start, start).rfind(b"\n")
        if found >= 0:
            return start + found + 1
        end = start
    return 0


def _lines_from_below(descriptor: int) -> Iterator[tuple[int, bytes]]:
    """Whole lines with where they begin, the last first, read in pieces; what is cut short is
    none."""
    start, rest = _end_of_lines(descriptor), b""
    while start or rest:
        cut = rest.rfind(b"\n", 0, -1) + 1
        if not cut and start and len(rest) <= MAX_RECORD_BYTES:
            size = min(start, max(_PIECE_BYTES, len(rest)))
            start -= size
            rest = os.pread(descriptor, size, start) + rest
            continue
        yield start + cut, rest[cut:]
        rest = rest[:cut]


def _write(descriptor: int, line: bytes, offset: int) -> None:
    os.ftruncate(descriptor, offset)
    view, at = memoryview(line), offset
    try:
        while view:
            written = os.pwrite(descriptor, view, at)
            view, at = view[written:], at + written
        os.fsync(descriptor)
    except OSError:
        with suppress(OSError):  # a record is whole or is not there
            os.ftruncate(descriptor, offset)
        raise


@contextmanager
def _naming_failures(location: Path) -> Iterator[None]:
    try:
        yield
    except FileNotFoundError:
        raise
    except OSError as error:
        name = f"{STATE_FOLDER}/state/{location.name}"
        raise WriteError.at(
            name,
            "could not be written",
            "check that the workspace can be written and has space left",
            cause=error,
        ) from error


def is_imported(root: Path, digest: str) -> bool:
    """Whether these bytes were taken in."""
    return any(each.fields.get("digest") == digest for each in _imports(root).newest())


def note_imported(root: Path, digest: str) -> None:
    """Remember that these bytes were taken in."""
    with Lock(state_folder(root) / LOCK_NAME):
        _imports(root).add({"digest": digest})


def _imports(root: Path) -> Records:
    return Records(root, "imported", max_bytes=MAX_LIST_BYTES)


class InstallRecord(NamedTuple):
    """Of one file: whether it was new, the containers and folders made for it, and the digests of
    what is ours there: the whole file, or the server in it."""

    is_new: bool = False
    containers: tuple[tuple[str, ...], ...] = ()
    folders: tuple[str, ...] = ()
    ours: tuple[str, ...] = ()

    def owns(self, digest: str) -> bool:
        """Whether something of this digest was written by us."""
        return digest in self.ours

    def coming(self, later: InstallRecord) -> InstallRecord:
        """What may be there while an installation runs, or after one that was killed."""
        ours = dict.fromkeys((*self.ours, *later.ours))
        return self.plus(later)._replace(ours=tuple(ours))

    def plus(self, later: InstallRecord) -> InstallRecord:
        """What two installations made."""
        containers = dict.fromkeys((*self.containers, *later.containers))
        folders = dict.fromkeys((*self.folders, *later.folders))
        is_new = self.is_new or later.is_new
        return InstallRecord(is_new, tuple(containers), tuple(folders), later.ours or self.ours)


def install_records(root: Path) -> dict[str, InstallRecord]:
    """What was made, by file."""
    found: dict[str, InstallRecord] = {}
    for record in _records(root).newest():
        fields = record.fields
        if isinstance(file := fields.get("file"), str) and file not in found:
            found[file] = _install_record(fields)
    return found


def keep_record(root: Path, file: Path, made: InstallRecord) -> None:
    """Note what was made for a file from now on; call it under the lock."""
    _records(root).add({"file": str(file), **made._asdict()})


def _records(root: Path) -> Records:
    return Records(root, "agents", max_bytes=MAX_LIST_BYTES)


def _install_record(fields: Mapping[str, object]) -> InstallRecord:
    containers, folders = fields.get("containers"), fields.get("folders")
    # A record of memwiki 0.1 knew servers by their command alone.
    ours = fields.get("ours", [fields.get("digest") or ANY_SERVER])
    return InstallRecord(
        fields.get("is_new") is True,
        tuple(
            tuple(map(str, each))
            for each in (containers if isinstance(containers, list) else ())
            if isinstance(each, list)
        ),
        tuple(map(str, folders)) if isinstance(folders, list) else (),
        tuple(map(str, ours)) if isinstance(ours, list) else (),
    )


def key_in(cache: Path | None) -> bytes:
    """The key that is kept in the user's cache folder; b"" where there is none."""
    if cache is None:
        return b""
    with suppress(OSError):
        descriptor = os.open(cache / _KEY_NAME, READING | NO_FOLLOW)
        try:
            key = os.read(descriptor, _KEY_BYTES + 1) if _is_own(descriptor) else b""
        finally:
            os.close(descriptor)
        return key if len(key) == _KEY_BYTES else b""
    return b""


def _is_own(descriptor: int) -> bool:
    return not hasattr(os, "geteuid") or os.fstat(descriptor).st_uid == os.geteuid()


def made_key_in(cache: Path | None) -> bytes:
    """The same, made if need be; b"" where nothing can be written."""
    if cache is None or (key := key_in(cache)):
        return key if cache else b""
    with suppress(OSError):
        cache.mkdir(mode=0o700, parents=True, exist_ok=True)
    with suppress(OSError, WriteError, LockedError, UnsafePathError), Lock(cache / _LOCK_NAME):
        # Whoever was first decides, else what it sealed would be taken for foreign.
        if not key_in(cache):
            write_whole(cache / _KEY_NAME, os.urandom(_KEY_BYTES))  # what is no key gives way
    return key_in(cache)


_FOLDER = "proposals"
_SUFFIX = ".json"
_MAX_BYTES = 1_000_000


def names(root: Path) -> list[str]:
    """The names that there are, in no order."""
    with suppress(FileNotFoundError):
        return [file.stem for file in _folder(root).glob(f"*{_SUFFIX}")]
    return []


def newest(root: Path, most: int, is_one: Callable[[str], object]) -> list[str]:
    """The names of the files that changed last, those of ids first; none is read."""
    folder = _folder(root)

    def key(name: str) -> tuple[bool, int]:
        with suppress(OSError):
            return bool(is_one(name)), (folder / f"{name}{_SUFFIX}").lstat().st_mtime_ns
        return False, 0

    return nlargest(most, names(root), key)


def load(root: Path, name: str, max_bytes: int) -> bytes | None:
    """The bytes of one of them; None where there is none. Raises UnreadableError."""
    file = _file(root, name)
    try:
        if irregular(file):
            raise UnreadableError.at(_shown_name(name), "is no regular file", "remove it")
        return bytes_of(file, max_bytes)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise UnreadableError.at(
            _shown_name(name), "could not be read", "remove it", cause=error
        ) from error


def store(root: Path, name: str, data: bytes) -> None:
    """Keep these bytes, whole or not at all; call it under the lock."""
    file = _file(root, name, is_made=True)
    sweep_temporaries(root, [f"{STATE_FOLDER}/{_FOLDER}"], is_locked=True)  # of killed ones
    try:
        write_whole(file, data)
    except OSError as error:
        raise WriteError.at(
            _shown_name(name), "could not be written", "check the folder and the disk", cause=error
        ) from error


def remove(root: Path, gone: Iterable[str]) -> None:
    """Forget what has these names; call it under the lock."""
    for name in gone:
        with suppress(OSError):
            _file(root, name).unlink(missing_ok=True)


def forget_text(root: Path, paths: Collection[str], is_in: Callable[[str], bool]) -> None:
    """Drop what repeats a text, or rests on one of these files."""
    with suppress(OSError, MemwikiError):
        remove(root, [name for name in names(root) if _repeats(root, name, paths, is_in)])


def _repeats(root: Path, name: str, paths: Collection[str], is_in: Callable[[str], bool]) -> bool:
    try:
        texts = list(_texts(json.loads(load(root, name, _MAX_BYTES) or b"{}")))
    except (MemwikiError, ValueError, RecursionError):
        return True  # what cannot be read may hold it
    return any(each in paths or is_in(each) for each in texts)


def _texts(value: object) -> Iterator[str]:
    """All texts in a value of JSON."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for each in value.values() if isinstance(value, dict) else value:
            yield from _texts(each)


def _shown_name(name: str) -> str:
    """How one of them is named to people."""
    return f"{STATE_FOLDER}/{_FOLDER}/{name}{_SUFFIX}"


def _file(root: Path, name: str, *, is_made: bool = False) -> Path:
    return _folder(root, is_made=is_made) / f"{name}{_SUFFIX}"


def _folder(root: Path, *, is_made: bool = False) -> Path:
    return state_subfolder(root, _FOLDER, is_made=is_made)
