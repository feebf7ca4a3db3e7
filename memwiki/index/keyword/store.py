"""What the keyword index keeps on disk: a private list of what it holds, written ahead of a commit,
and its files, known without loading Whoosh, which takes 40 ms."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from memwiki.errors import IndexDamagedError
from memwiki.files.regular_files import irregular
from memwiki.index.damage import decoding
from memwiki.index.integrity import StoreKind
from memwiki.index.keyword.backend import SearchBackend
from memwiki.index.projection import EMPTY_TREE, changed_tree
from memwiki.index.sql import STATE, SqlFile, SqlPages, SqlTable
from memwiki.index.storage_sqlite import files_of, require_sound

MANIFEST = "held.sqlite"  # as it has been called on disk from the start
_PAGE = SqlTable("page", "path text,digest text", "path")
_NEXT = SqlTable("next", "path text,digest text", "path")


class Manifest(SqlPages, SqlFile):
    """What a store without transactions of its own holds, by page, and for which generation."""

    what = "keyword index: its list"
    tables = (_PAGE, _NEXT, STATE)

    def commit(self, generation: int) -> None:
        """Make the list that of this generation; raises IndexDamagedError where it cannot be."""
        if self._number("generation", 0) == generation:
            return
        if self._number("announced", -1) != generation:
            raise IndexDamagedError("keyword index: its list belongs to another generation")
        with self.transaction():
            self.db.execute("delete from page where path in (select path from next)")
            self.db.execute("insert into page select * from next where digest is not null")
            self.note("tree", self.state("announced_tree", EMPTY_TREE))
            self.note("generation", str(generation))
            self.db.execute("delete from next")
        self.checkpoint()

    def prepare_commit(
        self, generation: int, before: Mapping[str, str], after: Mapping[str, str]
    ) -> None:
        """Write down what the coming generation will hold instead of `before` (path -> digest)."""
        rows = [(path, after.get(path)) for path in {**before, **after}]
        with self.transaction():
            self.db.execute("delete from next")
            self.upsert(_NEXT, rows)
            tree = changed_tree(self.tree(), before.items(), after.items())
            self.note("announced_tree", tree)
            self.note("announced", str(generation))

    def digests_of_pages(self, paths: Iterable[str]) -> dict[str, str]:
        """The digests of these pages, as far as they are held."""
        return {path: str(row[0]) for path, row in self.existing({*paths}).items()}

    def _number(self, name: str, default: int) -> int:
        with decoding(self.what):
            return int(self.state(name, str(default)))


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
