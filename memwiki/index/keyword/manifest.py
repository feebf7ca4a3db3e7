"""A private list of what the keyword index holds, written ahead of a commit."""

from __future__ import annotations

from collections.abc import Mapping

from memwiki.errors import IndexDamagedError
from memwiki.index.damage import decoding
from memwiki.index.projection import EMPTY_TREE, changed_tree
from memwiki.index.sql import STATE, SqlFile, SqlPages, SqlTable

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

    def _number(self, name: str, default: int) -> int:
        with decoding(self.what):
            return int(self.state(name, str(default)))
