"""All pages of a workspace by their rank, with every link between them."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from operator import itemgetter

from memwiki.answers.graph import GraphAnswer, GraphEdge, GraphEdges, GraphNode
from memwiki.index.cards.lookup import Card
from memwiki.index.graph import joined, page_rank
from memwiki.index.meanings.lookup import Edge
from memwiki.names import fold, require_text
from memwiki.nouns import PLAIN
from memwiki.sync.live import LiveIndex
from memwiki.sync.reading import Reading, linked_reading


def ranked(live: LiveIndex, relation: str) -> GraphAnswer:
    """Every page by its rank, and every link."""
    require_text("graph", relation)
    with linked_reading(live) as view:
        shown = (card for card in view.lookup.cards() if view.scope.sees(card.path))
        cards = sorted(shown, key=lambda card: card.path)
        with view.graph.meanings() as meanings:
            pairs = meanings.plain_edges() if fold(relation) in ("", PLAIN) else ()
            sources = _sources(pairs, cards)
            others = joined(meanings.other_edges(), relation)
        return _answer(view, cards, sources, others)


def _sources(pairs: Iterable[tuple[int, int]], cards: Sequence[Card]) -> list[list[int]]:
    """For each card the places of those with a plain link to it, sorted."""
    place = {card.id: at for at, card in enumerate(cards)}
    sources: list[list[int]] = [[] for _ in cards]
    for target, group in groupby(pairs, itemgetter(1)):
        if target in place:
            found = (place[page] for page, _ in group if page in place)
            sources[place[target]] = sorted(found)
    return sources


def _answer(
    view: Reading, cards: Sequence[Card], sources: Sequence[list[int]], edges: Sequence[Edge]
) -> GraphAnswer:
    place = {card.path: at for at, card in enumerate(cards)}
    others = [edge for edge in _shown(edges, place) if not _is_plain(edge, place, sources)]
    further: dict[int, list[int]] = {}
    for edge in others:
        if edge.target in place:
            further.setdefault(place[edge.target], []).append(place[edge.source])
    every = [[*each, *further.get(at, ())] for at, each in enumerate(sources)]
    nodes = [*_ranked(view, cards, every)]
    wanted = sorted({edge.target for edge in others} - place.keys())
    nodes += [GraphNode(name, "", "wanted", (), 1, 0.0) for name in wanted]
    rows = (GraphEdge(*edge[:4]) for edge in others)
    return GraphAnswer(tuple(nodes), GraphEdges(list(place), sources, rows), view.freshness.fresh)


def _shown(edges: Iterable[Edge], place: Mapping[str, int]) -> Iterator[Edge]:
    for edge in edges:
        if edge.source in place and (edge.is_wanted or edge.target in place):
            yield edge


def _is_plain(edge: Edge, place: Mapping[str, int], sources: Sequence[list[int]]) -> bool:
    """Whether a plain link, which weighs 1, says as much."""
    if edge.type != PLAIN or edge.target not in place:
        return False
    pages = sources[place[edge.target]]
    at = bisect_left(pages, place[edge.source])
    return pages[at : at + 1] == [place[edge.source]]


def _ranked(
    view: Reading, cards: Sequence[Card], sources: Sequence[Sequence[int]]
) -> Iterable[GraphNode]:
    tags, ranks = view.lookup.all_tags_by_page(), page_rank(sources)
    for at in sorted(range(len(cards)), key=lambda at: (-ranks[at], at)):
        card, own = cards[at], tuple(tags.get(cards[at].id, ()))
        yield GraphNode(card.title, card.path, card.type, own, 0, round(ranks[at], 6))
