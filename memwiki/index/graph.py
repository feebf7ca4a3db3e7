"""The graph of pages: links resolved as they are read, neighbours, paths, ranks and tags."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from memwiki.index.cards.lookup import Lookup, NamesInMemory
from memwiki.index.names import named_by_label
from memwiki.index.resolve import Names, Resolution, Resolver, reference_to, resolve
from memwiki.markdown.tags import with_parents
from memwiki.model import ONLY_IF_FOUND, Layers, Link, LinkRow, LinkStatus, TagCount
from memwiki.names import fold

_DAMPING = 0.85  # PageRank's usual chance of following a link
_ROUNDS = 30
FOUND = frozenset({LinkStatus.RESOLVED, LinkStatus.AMBIGUOUS})


class Edge(NamedTuple):
    """All links of one type from one page to another, or to a wanted name."""

    source: str
    target: str
    type: str  # relation type, "link" for plain links
    weight: float
    is_wanted: bool = False


class ResolvedLink(NamedTuple):
    """A link, the page it stands in, and what it means there."""

    source: str
    link: Link
    found: Resolution


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
    """The links between pages, resolved when asked for."""

    def __init__(self, lookup: Lookup, layers: Layers) -> None:
        self._lookup, self._layers = lookup, layers
        self._resolver: Resolver | None = None

    def outgoing(self, path: str, names: Names | None = None) -> list[LinkRow]:
        """The links that stand in a page, but for addresses elsewhere."""
        return self.resolved(path, self._lookup.links_of(path), names)

    def resolved(
        self, path: str, links: Iterable[Link], names: Names | None = None
    ) -> list[LinkRow]:
        """These links of a page with what they mean."""
        rows = (_row(ResolvedLink(path, link, self._meaning(path, link, names))) for link in links)
        return [row for row in rows if row is not None]

    def incoming(self, path: str) -> list[LinkRow]:
        """The links of other pages that mean this one."""
        sources = self._lookup.linking(self._lookup.target_numbers(path))
        rows = (row for source in sources if source != path for row in self.outgoing(source))
        return [row for row in rows if row.target == path]

    def everything(self) -> Iterator[LinkRow]:
        """Every link of every page."""
        rows = (_row(meaning) for meaning in self.meanings())
        return (row for row in rows if row is not None)

    def meanings(self) -> Iterator[ResolvedLink]:
        """Every link of every page with what it means; equal ones from one folder are resolved
        once."""
        resolver = self._resolver = self._resolver or Resolver(
            NamesInMemory(self._lookup), self._layers
        )
        for source, link in self._lookup.all_links():
            written, text, _, kind, heading, *_ = link
            if written.strip():
                folder, label = source.rpartition("/")[0], named_by_label(link) if text else ""
                found = resolver.meaning(written, folder, kind, heading, label)
            else:
                found = Resolution(LinkStatus.RESOLVED, source, "same page")
            yield ResolvedLink(source, link, found)

    def edges(self, rows: Iterable[LinkRow], relation: str = "") -> list[Edge]:
        """Links joined by source, target and type; the heaviest weight counts."""
        joined: dict[tuple[str, str, str, bool], float] = {}
        for row in rows:
            is_found = row.status in FOUND
            if row.status is LinkStatus.EXTERNAL or (is_found and row.target == row.source):
                continue
            target = row.target if is_found else row.written
            key = (row.source, target, row.relation or "link", not is_found)
            joined[key] = max(joined.get(key, 0.0), row.weight)
        return [
            Edge(source, target, kind, weight, is_wanted)
            for (source, target, kind, is_wanted), weight in joined.items()
            if not relation or fold(kind) == fold(relation)
        ]

    def neighbourhood(
        self, start: str, depth: int, relation: str = ""
    ) -> tuple[list[Reached], list[Edge]]:
        """Pages reached from one within so many steps, either way along links, and the edges
        seen."""
        reached = {start: Reached(start, 0, 1.0)}
        edges: dict[Edge, None] = {}
        frontier = [start]
        for distance in range(1, depth + 1):
            if not frontier:
                break
            following: dict[str, float] = {}
            for path in frontier:
                around = self.edges([*self.outgoing(path), *self.incoming(path)], relation)
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
        while frontier and end not in came:
            following: list[str] = []
            for path in frontier:
                for edge in self.edges([*self.outgoing(path), *self.incoming(path)], relation):
                    other = edge.target if edge.source == path else edge.source
                    if not edge.is_wanted and other not in came:
                        came[other] = edge
                        following.append(other)
            frontier = following
        return _way_back(came, end)

    def orphans(self) -> set[str]:
        """The pages about something that no link of another page means."""
        return set(self._lookup.subjects(self._layers)) - reference_counts(self.everything()).keys()

    def _meaning(self, source: str, link: Link, names: Names | None) -> Resolution:
        return resolve(reference_to(link, source), names or self._lookup, self._layers)


def _row(meaning: ResolvedLink) -> LinkRow | None:
    source, link, found = meaning
    if link.kind in ONLY_IF_FOUND and found.status not in FOUND:
        return None  # a source that names no page of ours is a fact, not a link
    return LinkRow(
        source,
        found.target,
        link.written + _anchor(link),
        link.text,
        link.line,
        link.kind,
        link.relation,
        found.status,
        found.by,
        link.weight,
    )


def _anchor(link: Link) -> str:
    if link.block:
        return f"#^{link.block}"
    return f"#{link.heading}" if link.heading else ""


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
    known = set(pages)
    following: dict[str, list[str]] = {}
    for edge in edges:
        if edge.source in known and edge.target in known:
            following.setdefault(edge.source, []).append(edge.target)
    rank = dict.fromkeys(pages, 1 / len(pages))
    for _ in range(_ROUNDS):
        loose = sum(rank[path] for path in pages if path not in following)
        fresh = dict.fromkeys(pages, (1 - _DAMPING + _DAMPING * loose) / len(pages))
        for source, targets in following.items():
            share = _DAMPING * rank[source] / len(targets)
            for target in targets:
                fresh[target] += share
        rank = fresh
    return rank


def reference_counts(rows: Iterable[LinkRow]) -> Counter[str]:
    """How many links mean each page, from other pages."""
    return Counter(r.target for r in rows if r.status in FOUND and r.target != r.source)


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
