"""What the keyword index keeps on disk, known without loading Whoosh, which takes 40 ms."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from memwiki.errors import IndexDamagedError
from memwiki.files.read import irregular
from memwiki.index.integrity import StoreKind
from memwiki.index.keyword.backend import MANIFEST, SearchBackend
from memwiki.index.storage_sqlite import files_of, require_sound

FOLDER = "keyword"
_LOCKS = ("MAIN_WRITELOCK", "create.lock")


def _files(build: Path) -> Iterator[str]:
    folder = build / FOLDER
    if folder.is_symlink() or not folder.is_dir():
        if os.path.lexists(folder):
            yield FOLDER
        return
    beside = tuple(f"{MANIFEST}{ending}" for ending in ("", "-wal", "-shm", "-journal"))
    yield from (f"{FOLDER}/{name}" for name in files_of(folder, MANIFEST))
    for name in _names(folder):
        path = folder / name  # what is no file is in the way of a lock
        is_lock = name in _LOCKS and path.is_file() and not path.is_symlink()
        if not is_lock and name not in beside:
            yield f"{FOLDER}/{name}"


def _names(folder: Path) -> list[str]:
    try:
        return os.listdir(folder)  # noqa: PTH208 - at each command
    except FileNotFoundError:  # another build took the place of this one
        return []


def _require_sound(build: Path) -> None:
    backend = _open(build, may_make=False)
    try:
        require_sound(build / FOLDER / MANIFEST)
        backend.tree()
        backend.unit_count()
    finally:
        backend.close()


def _open(build: Path | None, *, may_make: bool = True) -> SearchBackend:
    if build is None:
        from memwiki.index.keyword.memory_backend import MemoryBackend

        return MemoryBackend()
    if (build / FOLDER).is_symlink():
        raise IndexDamagedError("keyword index: a symlink is in its place")
    if name := irregular(build / FOLDER):  # Whoosh would wait for a FIFO
        raise IndexDamagedError(f"keyword index: {name} is not a regular file")
    from memwiki.index.keyword.whoosh_backend import WhooshBackend

    return WhooshBackend(build / FOLDER, may_make=may_make)


KEYWORD = StoreKind("keyword", "2", FOLDER, _files, _require_sound, _open)
