"""Reading what is to be imported, none of it trusted: a folder, a zip archive or one file.

A hostile archive is refused whole, with the reason, before anything of it is used: what is read is
counted while it is read, and no size that a header names is believed.
"""

from __future__ import annotations

import os
import stat
import zlib
from collections.abc import Callable, Iterator, Sequence, Sized
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, Protocol, cast

from memwiki.carry.contents import DOCUMENT_MARK, MANIFEST_NAME, USAGE_NAME
from memwiki.codes import code_of_names
from memwiki.errors import (
    MemwikiError,
    NotFoundError,
    UnreadableError,
    UnsafePathError,
    UsageError,
    reason_of,
)
from memwiki.files.ignore import DOT_FILES, is_leftover, why_not_folder
from memwiki.files.paths import why_unsafe
from memwiki.files.read import read
from memwiki.importing import (
    Importer,
    ImportSource,
    ImportTarget,
    Incoming,
    IncomingFile,
    adapter,
    importer_kinds,
)
from memwiki.names import STATE_FOLDER, fold, is_page_name
from memwiki.numbers import counted

if TYPE_CHECKING:
    from zipfile import ZipFile, ZipInfo


HEAD_BYTES = 4096
MAX_FILES = 200_000
MAX_FILE_BYTES = 256_000_000
MAX_BYTES = 2_000_000_000  # of all files together; what is imported is held in memory
# Text packs to a twentieth, a list of equal lines to a two hundredth; zeros to a thousandth.
MAX_TIMES = 200
_FREE_BYTES = 50_000_000  # what a small archive may unpack to, however well it is packed
_PIECE_BYTES = 1_000_000
_PASSED_OVER = frozenset({".git", STATE_FOLDER, "node_modules"})


class OpenedSource(ImportSource, Protocol):
    """A source, and what of it is passed over."""

    @property
    def notes(self) -> Sequence[str]:
        """What of it is not read, and why."""


def importer_of(source: ImportSource, kind: str = "") -> Importer:
    """The importer for a source; for a `kind` that is named, that of the kind."""
    kinds = importer_kinds()
    if kind and kind not in kinds:
        raise UsageError(f"{kind}: no such kind", f"one of {', '.join(kinds)}")
    asked = (cast(Importer, adapter(f"importers/{each}")) for each in kinds if kind in ("", each))
    found = next((each for each in asked if kind or each.is_kind(source)), None)
    if found is None:
        raise UsageError(
            f"{source.name}: not recognised as anything that can be imported",
            f"name what it is: {{kind}} with one of {', '.join(kinds)}",
            arguments={"kind": "markdown"},
        )
    return found


@contextmanager
def opened_source(location: Path) -> Iterator[OpenedSource]:
    """Open what is to be imported; UnsafePathError or UnreadableError for what is refused."""
    from zipfile import ZipFile, is_zipfile

    with _failures_named(location.name):
        if not location.exists():
            raise NotFoundError(f"{location}: no such file or folder", "memwiki import --help")
        if not (location.is_dir() or location.is_file()):
            raise UnreadableError(f"{location}: is not a regular file", "give a file")
        is_zip = location.is_file() and is_zipfile(location)
        if location.suffix.lower() == ".zip" and location.is_file() and not is_zip:
            raise _damaged(location.name, "is no zip archive, or is cut short")
        archive = ZipFile(location) if is_zip else None
    if archive is None:
        yield FolderSource(location) if location.is_dir() else FileSource(location)
        return
    with archive:
        yield ZipSource(location.name, archive, location.stat().st_size)


@contextmanager
def _failures_named(name: str) -> Iterator[None]:
    """What cannot be read is an error that names the source."""
    from zipfile import BadZipFile

    try:
        yield
    except OSError as error:
        raise UnreadableError(
            f"{name}: cannot be read ({reason_of(error)})", "check the file and the disk"
        ) from error
    except (BadZipFile, zlib.error, EOFError, NotImplementedError) as error:
        raise _damaged(name, str(error) or "is cut short") from error


def _damaged(name: str, what: str) -> UnreadableError:
    return UnreadableError(f"{name}: {what}; nothing was imported", "get the archive anew")


_UNPACK = "unpack it and import the folder"
_DISTRUST = f"do not trust this archive, or {_UNPACK}"


def refusal_of(name: str, reason: str, hint: str = _DISTRUST) -> UnsafePathError:
    """A source that is refused whole."""
    return UnsafePathError.at(name, f"{reason}; nothing was imported", hint)


def require_few(name: str, files: Sized) -> None:
    """Refuse a source of too many files. Raises UnsafePathError."""
    if len(files) > MAX_FILES:
        raise refusal_of(name, f"holds more than {MAX_FILES} files")


class ReadBudget:
    """How many bytes of a source may still be read."""

    def __init__(self, name: str) -> None:
        self._name, self._left = name, MAX_BYTES

    def spend(self, data: bytes) -> bytes:
        """The data, counted. Raises UnsafePathError when all that was read is too much."""
        self._left -= len(data)
        if self._left < 0:
            raise refusal_of(self._name, f"holds more than {MAX_BYTES // 10**9} GB")
        return data


class FileSource:
    """A single file."""

    notes: Sequence[str] = ()

    def __init__(self, location: Path) -> None:
        self.name = location.name
        self._location = location

    def names(self) -> Sequence[str]:
        """Its own name."""
        return (self.name,)

    def read(self, name: str) -> bytes:
        """All of it."""
        with _failures_named(name), self._location.open("rb") as file:
            return _bounded(name, file, MAX_BYTES)

    def head(self, name: str) -> bytes:
        """Its first 4 KB."""
        with _failures_named(name), self._location.open("rb") as file:
            return file.read(HEAD_BYTES)


class FolderSource:
    """A folder and all below it; links in it are not followed."""

    def __init__(self, location: Path) -> None:
        self.name = location.resolve().name
        self.notes: Sequence[str] = ()
        self._root = location
        with _failures_named(self.name):
            self._names = self._walked()
        self._budget = ReadBudget(self.name)

    def _walked(self) -> Sequence[str]:
        found: list[str] = []
        links: list[str] = []
        for folder, folders, files in os.walk(self._root, onerror=_raise):
            folders[:] = [each for each in folders if fold(each) not in _PASSED_OVER]
            for each in [*folders, *files]:
                path = Path(folder, each)
                mode, name = path.lstat().st_mode, path.relative_to(self._root).as_posix()
                if stat.S_ISLNK(mode):
                    links.append(name)
                elif stat.S_ISREG(mode):
                    found.append(name)
            require_few(self.name, found)
        self.notes = tuple(f"{link}: is a link, not followed" for link in sorted(links))
        return sorted(found)

    def names(self) -> Sequence[str]:
        """The files in it."""
        return self._names

    def read(self, name: str) -> bytes:
        """All of one file."""
        return self._budget.spend(read(self._root, name))

    def head(self, name: str) -> bytes:
        """Its first 4 KB."""
        return read(self._root, name, HEAD_BYTES)


def _raise(error: OSError) -> None:
    raise error


class ZipSource:
    """A zip archive: all its names are looked at before the first byte of a file is read."""

    notes: Sequence[str] = ()

    def __init__(self, name: str, archive: ZipFile, size: int) -> None:
        self.name = name
        self._archive = archive
        self._most = min(MAX_BYTES, _FREE_BYTES + MAX_TIMES * size)
        self._left = self._most
        self._sizes: dict[str, int] = {}  # of what was read
        require_few(self.name, archive.infolist())
        everything = list(self._with_names(archive.infolist()))
        members = [each for each in everything if not each[0].endswith("/")]
        self._require_safe(everything, [path for path, _ in members])
        self._members = dict(members)
        if sum(each.file_size for each in self._members.values()) > self._most:
            raise self._too_large()

    def _with_names(self, members: Sequence[ZipInfo]) -> Iterator[tuple[str, ZipInfo]]:
        """All with their names as they are written: zipfile cuts them at a NUL, on Windows turns
        backslashes, and takes all that are not said to be UTF-8 for those of DOS."""
        old = {id(each): each.orig_filename.encode("cp437") for each in members if _is_old(each)}
        code = code_of_names(b"\n".join(old.values()))
        if not code:
            raise refusal_of(self.name, "the code of its names is not certain", _UNPACK)
        for each in members:
            yield old[id(each)].decode(code) if id(each) in old else each.orig_filename, each

    def _require_safe(
        self, everything: Sequence[tuple[str, ZipInfo]], names: Sequence[str]
    ) -> None:
        for path, member in everything:
            if reason := _why_refused(path, member):
                raise refusal_of(self.name, f"{path!r} {reason}")
        if reason := why_colliding(names):
            raise refusal_of(self.name, reason, "rename one where it comes from, and pack it anew")

    def names(self) -> Sequence[str]:
        """The files in it."""
        return sorted(self._members)

    def read(self, name: str) -> bytes:
        """All of one file; its size is counted, and its checksum compared."""
        self._left += self._sizes.pop(name, 0)  # read again, it does not count twice
        with _failures_named(self.name), self._archive.open(self._members[name]) as file:
            data = _bounded(name, file, min(self._left, MAX_FILE_BYTES), self._too_large)
        self._sizes[name] = len(data)
        self._left -= len(data)
        return data

    def head(self, name: str) -> bytes:
        """Its first 4 KB."""
        with _failures_named(self.name), self._archive.open(self._members[name]) as file:
            return file.read(HEAD_BYTES)

    def _too_large(self) -> UnsafePathError:
        return refusal_of(
            self.name,
            f"unpacks to more than {self._most // 10**6} MB, or to a file of more than"
            f" {MAX_FILE_BYTES // 10**6} MB",
        )


def _is_old(member: ZipInfo) -> bool:
    """Whether its name is not said to be UTF-8."""
    return not member.flag_bits & 0x800


def _why_refused(path: str, member: ZipInfo) -> str:
    """Why an archive with this member is refused; "" when nothing speaks against it."""
    mode = stat.S_IFMT(member.external_attr >> 16)
    if mode not in (0, stat.S_IFREG, stat.S_IFDIR):
        return "is a link" if stat.S_ISLNK(mode) else "is no file"
    if member.flag_bits & 0x1:
        return "is encrypted"
    return why_unsafe(path.removesuffix("/"))


_Tree = dict[str, tuple[str, "_Tree | None"]]  # folded name -> as spelled, and what is in it


def why_colliding(names: Sequence[str]) -> str:
    """Why these files cannot lie in one folder on every system; "" when they can."""
    tree: _Tree = {}
    return next(filter(None, (_why_in_the_way(tree, name) for name in names)), "")


def _why_in_the_way(tree: _Tree, name: str) -> str:
    """Put a file into the tree, or say what stands in its way."""
    *folders, last = name.split("/")
    for folder in folders:
        spelled, below = tree.setdefault(fold(folder), (folder, {}))
        if below is None:
            return f"{spelled!r} is a file and a folder"
        if spelled != folder:
            return f"{spelled!r} and {folder!r} are one folder on some systems"
        tree = below
    if fold(last) not in tree:
        tree[fold(last)] = (last, None)
        return ""
    spelled, below = tree[fold(last)]
    if below is not None:
        return f"{last!r} is a file and a folder"
    return (
        f"{name!r} is in it twice"
        if spelled == last
        else f"{spelled!r} and {last!r} are one name on some systems"
    )


def _bounded(
    name: str,
    file: IO[bytes],
    most: int,
    too_large: Callable[[], MemwikiError] | None = None,
) -> bytes:
    """All of a file, read in pieces and refused as soon as it is more than so many bytes."""
    parts, size = list[bytes](), 0
    while part := file.read(_PIECE_BYTES):
        size += len(part)
        if size > most:
            raise too_large() if too_large else refusal_of(name, f"is over {most // 10**6} MB")
        parts.append(part)
    return b"".join(parts)


KIND = "markdown"
_OF_SYSTEMS = "__MACOSX"  # what macOS adds to archives


def is_kind(source: ImportSource) -> bool:
    """Whether there is a page in it."""
    return any(_is_wanted(name) and is_page_name(name) for name in source.names())


def incoming(source: ImportSource, target: ImportTarget) -> Incoming:
    """All files but hidden and left-over ones."""
    del target
    names = [name for name in source.names() if _is_wanted(name)]
    if len(names) == 1 and source.head(names[0]).startswith(DOCUMENT_MARK.encode()):
        raise UsageError(
            f"{source.name}: is a document made to be read, which cannot be imported",
            "export as zip or jsonl",
        )
    files = tuple(IncomingFile(name, source.read(name), name) for name in names)
    passed = len(source.names()) - len(names)
    notes = (f"{counted(passed, 'hidden or left-over file')} not imported",) if passed else ()
    return Incoming(KIND, files, notes=notes)


def _is_wanted(path: str) -> bool:
    *folders, name = path.split("/")
    if any(why_not_folder(each) or each == _OF_SYSTEMS for each in folders) or is_leftover(name):
        return False
    if path in (MANIFEST_NAME, USAGE_NAME):
        return False
    return not name.startswith(".") or is_page_name(name) or name in DOT_FILES
