"""The postings in plain dictionaries: the reference that backends are tested against."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from memwiki.index.keyword.backend import Postings, term_of
from memwiki.index.keyword.tokens import weights_of
from memwiki.index.projection import Put, Terms
from memwiki.index.units import are_of, has_message
from tests.third import tree_digest


class MemoryBackend:
    """Postings of all units in this process."""

    name, backend = "keyword", "memory"

    def __init__(self) -> None:
        self._digests: dict[str, str] = {}
        self._units: dict[str, dict[bytes, dict[str, int]]] = {}
        self._generation = 0

    def digests(self) -> Mapping[str, str]:
        """`{path: digest}` of the pages whose units are here."""
        return dict(self._digests)

    def tree(self) -> str:
        """The tree digest of the pages whose units are here."""
        return tree_digest(self._digests)

    def apply(self, puts: Sequence[Put], removes: Sequence[str]) -> None:
        """Take these pages in and drop those."""
        for path in removes:
            self._digests.pop(path, None)
            self._units.pop(path, None)
        for put in puts:
            existing = self._units.get(put.page.path, {})
            terms = put.terms.items()
            self._units[put.page.path] = {
                **(
                    {} if put.gone is None else {k: existing[k] for k in existing.keys() - put.gone}
                ),
                **{key: existing[key] if key in existing else _read(each) for key, each in terms},
            }
            self._digests[put.page.path] = put.page.digest
        self._generation += 1

    def generation(self) -> int:
        """The number of the last change."""
        return self._generation

    def unit_count(self) -> int:
        """How many units are held."""
        return sum(map(len, self._units.values()))

    def snapshot(self) -> MemorySnapshot:
        """What is held now, copied."""
        units = {key: terms for page in self._units.values() for key, terms in page.items()}
        return MemorySnapshot(units, self._generation)

    def tidy(self) -> None:
        """Nothing is ever left behind."""

    def scrub(self) -> bool:
        """Nothing is on disk."""
        return True

    def close(self) -> None:
        """Nothing is held open."""


def _read(terms: Terms | None) -> dict[str, int]:
    return {term_of(name): weight for name, weight in weights_of(terms)}


class MemorySnapshot:
    """One state of the postings."""

    def __init__(self, units: Mapping[bytes, Mapping[str, int]], generation: int) -> None:
        self.generation = generation
        self.unit_count = len(units)
        self.parts: Sequence[int] = [0]
        self._units = units
        self._order = list(units)
        self._postings: dict[str, list[tuple[int, int]]] = {}
        for document, terms in enumerate(units.values()):
            for term, weight in terms.items():
                self._postings.setdefault(term, []).append((document, weight))

    def prefetch(self, terms: Iterable[str]) -> None:
        """All is there."""

    def frequency(self, term: str) -> int:
        """In how many units the term stands."""
        return len(self._postings.get(term, ()))

    def highest(self, term: str) -> int:
        """The highest weight that the term has in a unit."""
        return max((weight for _, weight in self._postings.get(term, ())), default=0)

    def postings(self, term: str, among: Collection[int] | None = None) -> Iterator[Postings]:
        """One run of (documents, weights), as all units are one part; none among no units."""
        rows = self._postings.get(term)
        if rows and (among is None or among):
            yield [d for d, _ in rows], [w for _, w in rows]

    def all_postings(self) -> Iterator[tuple[str, Postings]]:
        """Each term with a run of it."""
        return ((term, run) for term in self._postings for run in self.postings(term))

    def expand(self, prefix: str, limit: int) -> list[str]:
        """At most `limit` terms that begin with the prefix, in order."""
        return sorted(term for term in self._postings if term.startswith(prefix))[:limit]

    def keys(self, documents: Iterable[int]) -> list[bytes]:
        """The unit keys of these documents."""
        return [self._order[document] for document in documents]

    def documents_of(self, pages: Iterable[int]) -> list[int]:
        """The units of these pages."""
        return [n for n, is_wanted in enumerate(are_of(self._order, pages)) if is_wanted]

    @property
    def has_messages(self) -> bool:
        """Whether any unit is a message."""
        return has_message(b"".join(self._order))

    def close(self) -> None:
        """Nothing is held open."""
