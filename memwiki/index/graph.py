"""The graph of pages: what links mean, neighbours, paths, ranks and tags."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from functools import cached_property
from typing import NamedTuple

from memwiki.index.cards.lookup import Lookup
from memwiki.index.cards.store import Cards
from memwiki.index.meanings.lookup import FOUND, Edge, Meanings, ResolvedLink, Which, anchor
from memwiki.index.meanings.store import MeaningStore
from memwiki.index.resolve import Resolver, reference_to
from memwiki.markdown.tags import with_parents
from memwiki.model import ONLY_IF_FOUND, Layers, Link, LinkRow, TagCount
from memwiki.names import fold

_DAMPING = 0.85  # PageRank's usual chance of following a link
_ROUNDS = 30
_FEW = 50  # pages whose links are counted one by one rather than all at once


class Reached(NamedTuple):
    """A page met on a walk: how far, and the product of the weights on the way."""

    target: str
    distance: int
    weight: float

    @property
    def score(self) -> float:
        """1 / (1 + distance) times the weight of the path."""
        return self.weight / (1 + self.distance)


class Graph:
    """The links between pages: of one page resolved when asked for, all others as they are kept.

    Where what is kept is not of these cards, because another process writes or nobody can, all
    links are resolved for this reader alone.
    """

    def __init__(self, cards: Cards, layers: Layers) -> None:
        self._cards, self._layers = cards, layers
        self._lookup = Lookup(cards.db)

    @contextmanager
    def meanings(self) -> Iterator[Meanings]:
        """What every link means; all that is asked of it belongs to one moment."""
        db = self._cards.db
        with nullcontext() if db.in_transaction else self._cards.one_moment():
            kept = MeaningStore(self._cards, self._layers)
            if not kept.is_current():
                kept = MeaningStore(self._cards, self._layers, "temp")
                kept.update()
            yield Meanings(db, kept.schema)

    def outgoing(self, path: str) -> list[LinkRow]:
        """The links that stand in a page, but for addresses elsewhere."""
        return self.resolved(path, self._lookup.links_of(path))

    def resolved(self, path: str, links: Iterable[Link]) -> list[LinkRow]:
        """These links of a page with what they mean."""
        found = (self._resolver.resolve(reference_to(link, path)) for link in links)
        return _rows(ResolvedLink(path, *each) for each in zip(links, found, strict=True))

    def candidates(self, meaning: ResolvedLink) -> tuple[str, ...]:
        """All that a link could mean at the step that decided."""
        reference = reference_to(meaning.link, meaning.source)
        return self._resolver.resolve(reference).candidates

    @cached_property
    def _resolver(self) -> Resolver:
        return Resolver(self._lookup, self._layers)

    def incoming(self, path: str) -> list[LinkRow]:
        """The links of other pages that mean this one."""
        with self.meanings() as meanings:
            return _rows(meanings.incoming(path))

    def everything(self, which: Which = Which.ALL) -> Iterator[LinkRow]:
        """Every link of every page, or some of them."""
        with self.meanings() as meanings:
            yield from _rows(meanings.every(which))

    def edges(self, relation: str = "") -> list[Edge]:
        """All edges between pages, and to wanted names."""
        with self.meanings() as meanings:
            return _joined(meanings.every_edge(), relation)

    def neighbourhood(
        self, start: str, depth: int, relation: str = ""
    ) -> tuple[list[Reached], list[Edge]]:
        """Pages reached from one within so many steps, either way along links, and the edges
        seen."""
        with self.meanings() as meanings:
            return self._walk(meanings, start, depth, relation)

    def _walk(
        self, meanings: Meanings, start: str, depth: int, relation: str
    ) -> tuple[list[Reached], list[Edge]]:
        reached = {start: Reached(start, 0, 1.0)}
        edges: dict[Edge, None] = {}
        frontier = [start]
        for distance in range(1, depth + 1):
            if not frontier:
                break
            following: dict[str, float] = {}
            for path in frontier:
                around = _joined(meanings.edges_of(path), relation)
                edges.update(dict.fromkeys(around))
                for other, weight in _others(path, around):
                    through = reached[path].weight * weight
                    following[other] = max(following.get(other, 0.0), through)
            new = {path: weight for path, weight in following.items() if path not in reached}
            reached |= {path: Reached(path, distance, weight) for path, weight in new.items()}
            frontier = list(new)
        order = sorted(reached.values(), key=lambda r: (r.distance, -r.score, r.target))
        return order, list(edges)

    def shortest_path(self, start: str, end: str, relation: str = "") -> list[Edge]:
        """The edges of a shortest way between two pages, either way along links; [] if none."""
        came: dict[str, Edge | None] = {start: None}
        frontier = [start]
        with self.meanings() as meanings:
            while frontier and end not in came:
                frontier = list(self._step(meanings, frontier, relation, came))
        return _way_back(came, end)

    def _step(
        self,
        meanings: Meanings,
        frontier: Iterable[str],
        relation: str,
        came: dict[str, Edge | None],
    ) -> Iterator[str]:
        """The pages one step away that were not met yet; how each was reached goes to `came`."""
        for path in frontier:
            for edge in _joined(meanings.edges_of(path), relation):
                other = edge.target if edge.source == path else edge.source
                if not edge.is_wanted and other not in came:
                    came[other] = edge
                    yield other

    def orphans(self) -> set[str]:
        """The pages about something that no link of another page means."""
        with self.meanings() as meanings:
            return set(self._lookup.subjects(self._layers)) - meanings.targets()

    def reference_counts(self, paths: Collection[str]) -> Mapping[str, int]:
        """How many links of other pages mean each of these."""
        with self.meanings() as meanings:
            if len(paths) > _FEW:
                return meanings.counts()
            return {path: meanings.count(path) for path in paths}


def _joined(edges: Iterable[Edge], relation: str) -> list[Edge]:
    """Links joined by source, target and type; the heaviest weight counts."""
    joined: dict[tuple[str, str, str, bool], Edge] = {}
    for edge in edges:
        key = (edge[0], edge[1], edge[2], edge[4])
        if joined.setdefault(key, edge)[3] < edge[3]:
            joined[key] = edge
    if not relation:
        return list(joined.values())
    return [edge for edge in joined.values() if fold(edge.type) == fold(relation)]


def _rows(meanings: Iterable[ResolvedLink]) -> list[LinkRow]:
    return [row for row in map(_row, meanings) if row is not None]


def _row(meaning: ResolvedLink) -> LinkRow | None:
    source, link, found = meaning
    if link.kind in ONLY_IF_FOUND and found.status not in FOUND:
        return None  # a source that names no page of ours is a fact, not a link
    return LinkRow(
        source,
        found.target,
        link.written + anchor(link.heading, link.block),
        link.text,
        link.line,
        link.kind,
        link.relation,
        found.status,
        found.by,
        link.weight,
    )


def _others(path: str, edges: Iterable[Edge]) -> Iterator[tuple[str, float]]:
    for edge in edges:
        if not edge.is_wanted:
            yield (edge.target if edge.source == path else edge.source), edge.weight


def _way_back(came: Mapping[str, Edge | None], end: str) -> list[Edge]:
    way: list[Edge] = []
    edge = came.get(end)
    while edge is not None:
        way.append(edge)
        end = edge.source if edge.target == end else edge.target
        edge = came.get(end)
    return way[::-1]


def page_rank(edges: Iterable[Edge], paths: Iterable[str]) -> dict[str, float]:
    """How likely a random reader is on each page; all ranks add up to 1.

    Source: Page, Brin, Motwani, Winograd, "The PageRank Citation Ranking", 1999.
    """
    pages = sorted(set(paths))
    if not pages:
        return {}
    number = {path: at for at, path in enumerate(pages)}
    leading, links = _numbered(edges, number)
    loose = [at for at, count in enumerate(links) if not count]
    rank = [1 / len(pages)] * len(pages)
    for _ in range(_ROUNDS):
        share = [_DAMPING * each / (count or 1) for each, count in zip(rank, links, strict=True)]
        lost = _DAMPING * sum(rank[at] for at in loose)
        least = (1 - _DAMPING + lost) / len(pages)
        # 30 rounds over 555,607 edges: no step of them in Python.
        rank = [sum(map(share.__getitem__, sources), least) for sources in leading]
    return dict(zip(pages, rank, strict=True))


def _numbered(
    edges: Iterable[Edge], number: Mapping[str, int]
) -> tuple[list[list[int]], list[int]]:
    """The sources of the edges to each page, and how many leave it."""
    leading: list[list[int]] = [[] for _ in number]
    links = [0] * len(number)
    for edge in edges:
        source, target = number.get(edge.source), number.get(edge.target)
        if source is not None and target is not None:
            leading[target].append(source)
            links[source] += 1
    return leading, links


def tag_counts(pairs: Iterable[tuple[str, str]], prefix: str = "") -> list[TagCount]:
    """Each tag, and each parent of a nested one, with the number of pages that it or a child marks;
    spelled as most pages spell it."""
    pages: dict[str, set[str]] = {}
    spellings: dict[str, Counter[str]] = {}
    for page, tag in pairs:
        for name in with_parents(tag):
            pages.setdefault(fold(name), set()).add(page)
            spellings.setdefault(fold(name), Counter())[name] += 1
    start = fold(prefix.lstrip("#"))
    rows = [
        TagCount(min(spellings[f].items(), key=lambda s: (-s[1], s[0]))[0], len(found))
        for f, found in pages.items()
        if f.startswith(start)
    ]
    return sorted(rows, key=lambda row: (-row.count, fold(row.tag)))
