"""What the keyword search asks of a store of postings; terms and weights are decided elsewhere."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol

from memwiki.index.projection import Projection

ON_DISK = "whoosh"  # the backend of a build


class Snapshot(Protocol):
    """One generation of the postings, read by one thread.

    Documents are numbered from 0; numbers mean nothing outside their snapshot.
    """

    generation: int
    unit_count: int

    def frequency(self, term: str) -> int:
        """In how many units the term stands."""
        ...

    def postings(self, term: str) -> Iterable[tuple[Sequence[int], Sequence[int]]]:
        """Runs of (documents, weights 1..255) of the living units that hold the term."""
        ...

    def expand(self, prefix: str, limit: int) -> list[str]:
        """At most `limit` terms that begin with the prefix, in order."""
        ...

    def keys(self, documents: Iterable[int]) -> list[bytes]:
        """The unit keys of these documents."""
        ...

    def dump(self) -> dict[bytes, dict[str, int]]:
        """Every living unit's terms and weights, by unit key: for comparing two indexes."""
        ...

    def close(self) -> None:
        """Let go of the files."""
        ...


class SearchBackend(Projection, Protocol):
    """A projection of the pages' units as postings."""

    backend: str  # what it is called

    def generation(self) -> int:
        """The number of the last commit; a snapshot of another number is out of date."""
        ...

    def unit_count(self) -> int:
        """How many units the last commit holds, known without opening them."""
        ...

    def snapshot(self) -> Snapshot:
        """The last committed generation."""
        ...

    def tidy(self) -> None:
        """Merge what many small commits left behind; called in idle time."""
        ...

    def close(self) -> None:
        """Let go of the files."""
        ...
