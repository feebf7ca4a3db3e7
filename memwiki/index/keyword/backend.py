"""What the keyword search asks of a store of postings; terms and weights are decided elsewhere."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol, TypeAlias

from memwiki.errors import IndexDamagedError
from memwiki.index.damage import decoding
from memwiki.index.projection import EMPTY_TREE, Projection, changed_tree
from memwiki.index.sql import STATE, SqlFile, SqlPages, SqlTable

ON_DISK = "whoosh"  # the backend of a build


Postings: TypeAlias = tuple[Sequence[int], Sequence[int]]  # documents, and beside each its weight
MANIFEST = "held.sqlite"  # as it has been called on disk from the start
_PAGE = SqlTable("page", "path text,digest text", "path")
_NEXT = SqlTable("next", "path text,digest text", "path")


class Snapshot(Protocol):
    """One generation of the postings, read by one thread.

    Documents are numbered from 0; numbers mean nothing outside their snapshot.
    """

    generation: int
    unit_count: int

    def frequency(self, term: str) -> int:
        """In how many units the term stands."""

    def highest(self, term: str) -> int:
        """A weight that the term has in no unit more than; 0 where it stands in none."""

    def postings(self, term: str) -> Iterable[Postings]:
        """Runs of (documents in order, weights 1..255) of the living units that hold the term."""

    def all_postings(self) -> Iterable[tuple[str, Postings]]:
        """Every term with runs of its postings, in any order."""

    def expand(self, prefix: str, limit: int) -> list[str]:
        """At most `limit` terms that begin with the prefix, in order."""

    def keys(self, documents: Iterable[int]) -> list[bytes]:
        """The unit keys of these documents."""

    def documents_of(self, pages: Iterable[int]) -> list[int]:
        """The units of these pages, with some perhaps that were deleted."""

    @property
    def has_messages(self) -> bool:
        """Whether any unit is a message."""

    def close(self) -> None:
        """Let go of the files."""


class SearchBackend(Projection, Protocol):
    """A projection of the pages' units as postings."""

    backend: str  # what it is called

    def generation(self) -> int:
        """The number of the last commit; a snapshot of another number is out of date."""

    def unit_count(self) -> int:
        """How many units the last commit holds, known without opening them."""

    def snapshot(self) -> Snapshot:
        """The last committed generation."""

    def tidy(self) -> None:
        """Merge what many small commits left behind; called in idle time."""

    def scrub(self) -> bool:
        """Leave nothing on disk of units that were deleted; False while a reader is in the way."""

    def close(self) -> None:
        """Let go of the files."""


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
