"""What the keyword search asks of a store of postings; terms and weights are decided elsewhere."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol, TypeAlias

from memwiki.index.projection import Projection

ON_DISK = "whoosh"  # the backend of a build


Postings: TypeAlias = tuple[Sequence[int], Sequence[int]]  # documents, and beside each its weight


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
