"""The private list of what the keyword index holds: written ahead of a commit, folded in after
it."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping
from pathlib import Path

from memwiki.errors import IndexDamagedError
from memwiki.index.damage import decoding
from memwiki.index.projection import EMPTY_TREE, changed_tree
from memwiki.index.remarks import remark, set_remark
from memwiki.index.write_ahead import checkpoint, require_files, scrub, transaction, write_ahead

MANIFEST = "held.sqlite"  # as it has been called on disk from the start
_SCHEMA = """
create table if not exists page (path text primary key, digest text) without rowid;
create table if not exists next (path text primary key, digest text) without rowid;
create table if not exists state (name text primary key, value text) without rowid;
"""


class Manifest:
    """What a store without transactions of its own holds, by page, and for which generation."""

    def __init__(self, path: Path) -> None:
        require_files(path)
        self._db = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=30)
        try:
            with decoding("keyword index: its list"):
                write_ahead(self._db)
                self._db.executescript(_SCHEMA)
        except BaseException:
            self._db.close()
            raise

    def commit(self, generation: int) -> None:
        """Make the list that of this generation, or say that it cannot be."""
        if self._number("generation", 0) == generation:
            return
        if self._number("announced", -1) != generation:
            raise IndexDamagedError("keyword index: its list belongs to another generation")
        with transaction(self._db):
            self._db.execute("delete from page where path in (select path from next)")
            self._db.execute("insert into page select * from next where digest is not null")
            set_remark(self._db, "tree", remark(self._db, "announced_tree", EMPTY_TREE))
            set_remark(self._db, "generation", str(generation))
            self._db.execute("delete from next")
        checkpoint(self._db)

    def prepare(self, generation: int, before: Mapping[str, str], after: Mapping[str, str]) -> None:
        """Write down what the coming generation will hold instead of `before` (path -> digest)."""
        rows = [(path, after.get(path)) for path in {**before, **after}]
        with transaction(self._db):
            self._db.execute("delete from next")
            self._db.executemany("insert into next values (?, ?)", rows)
            tree = changed_tree(self.tree(), before.items(), after.items())
            set_remark(self._db, "announced_tree", tree)
            set_remark(self._db, "announced", str(generation))

    def digests(self) -> dict[str, str]:
        """`{path: digest}` of what is held."""
        return dict(self._db.execute("select path, digest from page"))

    def tree(self) -> str:
        """The tree digest of what is held."""
        return remark(self._db, "tree", EMPTY_TREE)

    def digests_of(self, paths: Iterable[str]) -> dict[str, str]:
        """The digests of these pages, as far as they are held."""
        found = {}
        for path in paths:
            row = self._db.execute("select digest from page where path = ?", (path,)).fetchone()
            if row:
                found[path] = str(row[0])
        return found

    def checkpoint(self) -> None:
        """Leave nothing in the log."""
        checkpoint(self._db)

    def scrub(self) -> bool:
        """Leave nothing on disk of what was deleted; False while a reader is in the way."""
        return scrub(self._db)

    def close(self) -> None:
        """Let go of the file."""
        self._db.close()

    def _number(self, name: str, default: int) -> int:
        with decoding("keyword index: its list"):
            return int(remark(self._db, name, str(default)))
