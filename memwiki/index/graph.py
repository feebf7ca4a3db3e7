"""The graph of pages: what links mean, neighbours, paths, ranks and tags."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache, cached_property, partial
from heapq import nsmallest
from itertools import chain
from operator import itemgetter, mul, sub
from typing import TypeAlias

from memwiki.index.cards.entries import EntriesByLine
from memwiki.index.cards.lookup import Lookup
from memwiki.index.cards.store import Cards
from memwiki.index.meanings.lookup import (
    FOUND,
    Edge,
    Meanings,
    ResolvedLink,
    Surroundings,
    Which,
    anchor,
)
from memwiki.index.meanings.store import MeaningStore
from memwiki.index.names import entry_id
from memwiki.index.resolve import ReachedNames, Resolution, Resolver
from memwiki.markdown.tags import with_parents
from memwiki.names import fold
from memwiki.nouns import ONLY_IF_FOUND, PLAIN, Link, LinkKind, LinkRow, LinkStatus, TagCount
from memwiki.records import NamedTuple, grouped
from memwiki.scope import Scope

EdgesOf: TypeAlias = "Callable[[str], list[Edge]]"
Subgraph: TypeAlias = "tuple[list[Reached], list[Edge]]"
_DAMPING = 0.85  # PageRank's usual chance of following a link
_MAX_ROUNDS = 30
_STILL = 8e-8  # all ranks together, in a round: what is left changes no rank in its sixth digit
_FEW = 50  # pages whose links are counted one by one rather than all at once


class Reached(NamedTuple):
    """A page or entry met on a walk: how many steps away, and the product of the weights (above 0,
    at most 1) on the way."""

    target: str
    distance: int
    weight: float

    @property
    def score(self) -> float:
        """1 / (1 + distance) times the weight of the path: at most 1, of the start itself."""
        return self.weight / (1 + self.distance)


Walk = Callable[[str, int, str, int | None], tuple[list[Reached], list[Edge]]]


class LinkGraph:
    """The links between pages: of one page resolved when asked for, all others as they are kept.

    Where what is kept is not of these cards, because another process writes or nobody can, all
    links are resolved for this reader alone.
    """

    def __init__(self, cards: Cards, scope: Scope) -> None:
        self._cards, self._scope, self._layers = cards, scope, scope.layers
        self._lookup = Lookup(cards.db)

    @contextmanager
    def meanings(self) -> Iterator[Meanings]:
        """What every link means; all that is asked of it belongs to one moment."""
        db = self._cards.db
        with self._cards.one_moment():
            kept = MeaningStore(self._cards, self._layers)
            if not kept.is_current():
                kept = MeaningStore(self._cards, self._layers, db.temporary)
                kept.update()
            yield Meanings(db, kept.schema)

    def outgoing(self, path: str) -> list[LinkRow]:
        """The links that stand in a page, but for addresses elsewhere."""
        return self.resolved(path, self._lookup.links_of(path))

    def resolved(self, path: str, links: Iterable[Link]) -> list[LinkRow]:
        """These links of a page with what they mean."""
        found = (self._resolver.resolve(link, path) for link in links)
        return self._rows(ResolvedLink(path, *each) for each in zip(links, found, strict=True))

    def candidates(self, meaning: ResolvedLink) -> tuple[str, ...]:
        """All that a link could mean at the step that decided."""
        return self._resolver.resolve(meaning.link, meaning.source).candidates

    @cached_property
    def _resolver(self) -> Resolver:
        names = ReachedNames(self._lookup, self._scope) if self._scope.base else self._lookup
        return Resolver(names, self._layers)

    def entry(self, name: str) -> Resolution:
        """The page of the entry that an id names, with all pages where it may be."""
        return self._resolver.named(f"^{name}", self._scope, LinkKind.ENTRY)

    def incoming(self, path: str) -> list[LinkRow]:
        """The links of other pages that mean this one."""
        with self.meanings() as meanings:
            return self._rows(meanings.incoming(path))

    def everything(self, which: Which = Which.ALL) -> Iterator[LinkRow]:
        """Every link of every page, or some of them."""
        with self.meanings() as meanings:
            yield from self._rows(meanings.every(which))

    def _rows(self, meanings: Iterable[ResolvedLink]) -> list[LinkRow]:
        entries = EntriesByLine(self._cards.db)
        rows = []
        for row in filter(None, map(_row, self._reached(meanings))):
            entry = entries.at(row.source, row.line)
            rows.append(row._replace(source_id=entry.id) if entry else row)
        return rows

    def _reached(self, meanings: Iterable[ResolvedLink]) -> Iterator[ResolvedLink]:
        """Links as they are where no other namespace is."""
        reaches = self._scope.reaches
        for each in meanings:
            if not self._scope.base or reaches(each.found.target):
                yield each
            elif reaches(each.source):
                found = self._resolver.resolve(each.link, each.source)
                yield each._replace(found=found)

    def neighbourhood(self, start: str, depth: int, relation: str = "") -> Subgraph:
        """Pages and entries reached from one within so many steps, either way along links, and the
        edges seen."""
        with self.walking() as walk:
            return walk(start, depth, relation, None)

    def nearest(self, start: str, depth: int, relation: str, most: int) -> Subgraph:
        """The same, but at most so many: the nearest, of these the heaviest, of these the ones that
        most links mean; and all edges among them."""
        with self.walking() as walk, self.meanings() as meanings:
            reached, edges = walk(start, depth, relation, most)
            if len(reached) > most:
                counts = self.reference_counts([each.target for each in reached])
                reached.sort(key=lambda r: (r.distance, -r.weight, -counts.get(r.target, 0)))
                reached = reached[:most]
            targets = [each.target for each in reached]
            shown = set(targets)
            known = [e for e in edges if e.source in shown and (e.is_wanted or e.target in shown)]
            return reached, join_edges([*known, *meanings.edges_among(targets)], relation)

    @contextmanager
    def walking(self) -> Iterator[Walk]:
        """Several of these walks, each going on from at most so many of each distance, the nearest
        by weight; what is linked with a page is looked up once."""
        with self.meanings() as meanings:
            edges_of = cache(Surroundings(meanings).edges_of)

            def walk(start: str, depth: int, relation: str, most: int | None) -> Subgraph:
                return _walked(self._around(edges_of, start, relation), start, depth, most)

            yield walk

    def _around(self, edges_of: EdgesOf, start: str, relation: str) -> EdgesOf:
        """The edges of a page or entry, joined; those that lead to what is not seen left out."""
        meets = cache(partial(self._scope.meets, start=start))
        is_bounded = bool(self._scope.layers.namespaces)

        def edges(path: str) -> list[Edge]:
            found = edges_of(path)
            if self._scope.base and not all(map(self._scope.reaches, (e.target for e in found))):
                found = [*found, *self._wanted_edges(path)]
            found = join_edges(found, relation)
            if not is_bounded:
                return found
            return [e for e in found if meets(e.source) and (e.is_wanted or meets(e.target))]

        return edges

    def _wanted_edges(self, path: str) -> Iterator[Edge]:
        """The edges from a page to what is no page where no other namespace is."""
        for row in self.outgoing(path):
            if row.status in (LinkStatus.WANTED, LinkStatus.BROKEN):
                yield Edge(path, row.written, row.relation or PLAIN, row.weight, is_wanted=True)

    def shortest_path(self, start: str, end: str, relation: str = "") -> list[Edge]:
        """The edges of a shortest way between two pages or entries, either way along links; [] if
        none."""
        came: dict[str, Edge | None] = {start: None}
        frontier = [start]
        with self.meanings() as meanings:
            around = self._around(Surroundings(meanings).edges_of, start, relation)
            while frontier and end not in came:
                frontier = list(_step(around, frontier, came))
        return _way_back(came, end)

    def orphans(self) -> set[str]:
        """The pages about something that no link of another page means."""
        with self.meanings() as meanings:
            return set(self._lookup.subjects(self._layers)) - meanings.counts().keys()

    def reference_counts(self, paths: Collection[str]) -> Mapping[str, int]:
        """How many links of other pages mean each of these."""
        with self.meanings() as meanings:
            if len(paths) > _FEW:
                return meanings.counts()
            return {path: meanings.count(path) for path in paths}


def _walked(edges_of: EdgesOf, start: str, depth: int, most: int | None) -> Subgraph:
    """What is reached within so many steps, and the edges seen; from at most so many of each
    distance, the nearest by weight, it goes on."""
    reached = {start: Reached(start, 0, 1.0)}
    edges: dict[Edge, None] = {}
    frontier = [start]
    for distance in range(1, depth + 1):
        if not frontier:
            break
        new: dict[str, float] = {}
        for path in frontier:
            around = edges_of(path)
            edges.update(dict.fromkeys(around))
            for edge in around:
                other = edge.beyond(path)
                if not edge.is_wanted and other not in reached:
                    new[other] = max(new.get(other, 0.0), reached[path].weight * edge.weight)
        reached |= {path: Reached(path, distance, weight) for path, weight in new.items()}
        if most is None:
            frontier = list(new)
        else:
            nearest = nsmallest(most, ((-weight, path) for path, weight in new.items()))
            frontier = [path for _, path in nearest]
    order = sorted(reached.values(), key=lambda r: (r.distance, -r.score, r.target))
    return order, list(edges)


def _step(
    edges_of: EdgesOf, frontier: Iterable[str], came: dict[str, Edge | None]
) -> Iterator[str]:
    """What is one step away and was not met yet; how it was reached goes to `came`."""
    for path in frontier:
        for edge in edges_of(path):
            other = edge.beyond(path)
            if not edge.is_wanted and other not in came:
                came[other] = edge
                yield other


def join_edges(edges: Iterable[Edge], relation: str) -> list[Edge]:
    """Links joined by source, target and type; the heaviest weight counts."""
    joined: dict[tuple[str, str, str, bool], Edge] = {}
    for edge in edges:
        key = (edge[0], edge[1], edge[2], edge[4])
        if joined.setdefault(key, edge)[3] < edge[3]:
            joined[key] = edge
    if not relation:
        return list(joined.values())
    return [edge for edge in joined.values() if fold(edge.type) == fold(relation)]


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
        target_id=entry_id(link),
    )


def _way_back(came: Mapping[str, Edge | None], end: str) -> list[Edge]:
    way: list[Edge] = []
    edge = came.get(end)
    while edge is not None:
        way.append(edge)
        end = edge.beyond(end)
        edge = came.get(end)
    return way[::-1]


def page_rank(sources: Sequence[Sequence[int]]) -> list[float]:
    """How likely a random reader is on each page, given for each the pages that link to it; all
    ranks add up to 1.

    Source: Page, Brin, Motwani, Winograd, "The PageRank Citation Ranking", 1999.
    """
    if not sources:
        return []
    size = len(sources)
    counted = Counter(chain.from_iterable(sources))
    loose = [page for page in range(size) if page not in counted]
    passed_on = [_DAMPING / (counted[page] or 1) for page in range(size)]
    # 30 rounds over 555,607 edges: no step of them in Python. The getter of less than two items
    # gives no tuple; behind the last page stands a share of nothing.
    shares_of = [itemgetter(*each, *[size] * (2 - len(each))) for each in sources]
    rank = [1 / size] * size
    for _ in range(_MAX_ROUNDS):
        share = [*map(mul, rank, passed_on), 0.0]
        least = (1 - _DAMPING + _DAMPING * sum(rank[page] for page in loose)) / size
        before, rank = rank, [sum(shares(share), least) for shares in shares_of]
        if sum(map(abs, map(sub, rank, before))) < _STILL:
            break
    return rank


def tag_counts(pairs: Iterable[tuple[str, str]], prefix: str = "") -> list[TagCount]:
    """Each tag, and each parent of a nested one, with the number of pages that it or a child marks;
    spelled as most pages spell it."""
    pages: dict[str, set[str]] = {}
    spellings: dict[str, Counter[str]] = {}
    for tag, marked in grouped((tag, page) for page, tag in pairs).items():
        for name in with_parents(tag):
            pages.setdefault(fold(name), set()).update(marked)
            spellings.setdefault(fold(name), Counter())[name] += len(marked)
    start = fold(prefix.lstrip("#"))
    rows = [
        TagCount(min(spellings[f].items(), key=lambda s: (-s[1], s[0]))[0], len(found))
        for f, found in pages.items()
        if f.startswith(start)
    ]
    return sorted(rows, key=lambda row: (-row.count, fold(row.tag)))
