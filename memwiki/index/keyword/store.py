"""What the keyword index keeps on disk, known without loading a backend: Whoosh takes 40 ms."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from memwiki.config.tables import SQLITE
from memwiki.errors import IndexDamagedError
from memwiki.files.read import irregular
from memwiki.index.cache_folder import backend_of
from memwiki.index.integrity import StoreKind
from memwiki.index.keyword.backend import MANIFEST, POSTINGS, SearchBackend
from memwiki.index.storage_sqlite import MEMORY, files_of, require_sound

FOLDER = "keyword"
_DATABASES = (MANIFEST, POSTINGS)
_LOCKS = ("MAIN_WRITELOCK", "create.lock")


def _files(build: Path) -> Iterator[str]:
    folder = build / FOLDER
    if folder.is_symlink() or not folder.is_dir():
        if os.path.lexists(folder):
            yield FOLDER
        return
    beside = [f"{one}{end}" for one in _DATABASES for end in ("", "-wal", "-shm", "-journal")]
    for database in _DATABASES:
        yield from (f"{FOLDER}/{name}" for name in files_of(folder, database))
    for name in _names(folder):
        lock = folder / name if name in _LOCKS else None
        if name not in beside and not (lock and lock.is_file() and not lock.is_symlink()):
            yield f"{FOLDER}/{name}"


def _names(folder: Path) -> list[str]:
    try:
        return os.listdir(folder)  # noqa: PTH208 - at each command
    except FileNotFoundError:  # another build took the place of this one
        return []


def _require_sound(build: Path) -> None:
    backend = _open(build, may_make=False)
    try:
        require_sound(build / FOLDER / (POSTINGS if backend.backend == SQLITE else MANIFEST))
        backend.tree()
        backend.unit_count()
    finally:
        backend.close()


def _open(build: Path | None, *, may_make: bool = True) -> SearchBackend:
    if build is None:
        from memwiki.index.keyword.segments import MemorySegments

        return MemorySegments(MEMORY)
    if (build / FOLDER).is_symlink():
        raise IndexDamagedError("keyword index: a symlink is in its place")
    if name := irregular(build / FOLDER):  # Whoosh would wait for a FIFO
        raise IndexDamagedError(f"keyword index: {name} is not a regular file")
    if backend_of(build) == SQLITE:
        return _sqlite(build / FOLDER, may_make=may_make)
    from memwiki.index.keyword.whoosh_backend import WhooshBackend

    return WhooshBackend(build / FOLDER, may_make=may_make)


def _sqlite(folder: Path, *, may_make: bool) -> SearchBackend:
    from memwiki.index.keyword.segments import SqliteSegments

    if may_make:
        folder.mkdir(mode=0o700, exist_ok=True)
    return SqliteSegments(os.fspath(folder / POSTINGS), may_make=may_make)


KEYWORD = StoreKind("keyword", "3", FOLDER, _files, _require_sound, _open)
