"""Links, tags and the graph of a workspace, as answers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from memwiki.answers.graph import GraphAnswer, GraphEdge, GraphNode, LinkList, TagList
from memwiki.browse.pages import page_now
from memwiki.errors import NotFoundError, UsageError
from memwiki.index.cards.lookup import Card, Lookup
from memwiki.index.graph import Reached, tag_counts
from memwiki.index.meanings.lookup import Edge, Which
from memwiki.markdown.describe import is_put_away
from memwiki.model import LinkStatus
from memwiki.names import require_text
from memwiki.sync.live import LiveIndex
from memwiki.sync.reading import Reading, linked_reading, reading

_MANY = 500  # pages from which all cards are read at once


def links(live: LiveIndex, name: str, direction: str) -> LinkList:
    """The links of a page in one direction or both."""
    if direction not in ("in", "out", "both"):
        raise UsageError(
            "{direction}: not a direction",
            hint="use in, out or both",
            arguments={"direction": direction},
        )
    with linked_reading(live) as view:
        path = view.find(name)
        outgoing = (
            view.graph.resolved(path, page_now(live.context, path).links)
            if direction != "in"
            else []
        )
        incoming = view.graph.incoming(path) if direction != "out" else []
    return LinkList((*outgoing, *(r for r in incoming if r not in outgoing)), view.freshness.fresh)


def unresolved(live: LiveIndex, name: str) -> LinkList:
    """Links that are wanted, broken or ambiguous."""
    bad = (LinkStatus.WANTED, LinkStatus.BROKEN, LinkStatus.AMBIGUOUS)
    with linked_reading(live) as view:
        graph = view.graph
        every = graph.outgoing(view.find(name)) if name else graph.everything(Which.UNCLEAR)
        rows = tuple(row for row in every if row.status in bad)
    return LinkList(tuple(sorted(rows, key=lambda r: (r.source, r.line))), view.freshness.fresh)


def tags(live: LiveIndex, prefix: str) -> TagList:
    """Tags with the number of pages that carry each or one below it."""
    require_text("tags", prefix)
    with reading(live) as view:
        layers = live.context.layers
        shown = (row for row in view.lookup.all_tags() if not is_put_away(row[0], layers))
        rows = tuple(tag_counts(shown, prefix))
    return TagList(rows, view.freshness.fresh)


def around(live: LiveIndex, name: str, depth: int, relation: str) -> GraphAnswer:
    """The neighbourhood of a page."""
    require_text("graph", relation)
    with linked_reading(live) as view:
        reached, edges = view.graph.neighbourhood(view.find(name), depth, relation)
        return _answer(view, reached, edges)


def path(live: LiveIndex, start: str, end: str, relation: str) -> GraphAnswer:
    """The shortest path between two pages, in either direction of each link."""
    require_text("graph", relation)
    with linked_reading(live) as view:
        reached, edges = _path(view, start, end, relation)
        return _answer(view, reached, edges)


def _answer(view: Reading, reached: Iterable[Reached], edges: Iterable[Edge]) -> GraphAnswer:
    nodes = tuple(_nodes(view.lookup, reached, edges))
    shown = {node.path or node.name for node in nodes}
    rows = tuple(
        GraphEdge(edge.source, edge.target, edge.type, edge.weight)
        for edge in sorted(edges, key=lambda e: (e.source, e.target, e.type))
        if edge.source in shown and edge.target in shown
    )
    return GraphAnswer(nodes, rows, view.freshness.fresh)


def _path(view: Reading, name: str, to: str, relation: str) -> tuple[list[Reached], list[Edge]]:
    start, end = view.find(name), view.find(to)
    edges = view.graph.shortest_path(start, end, relation)
    if not edges and start != end:
        raise NotFoundError(
            f"{name}: no path of links to {to}", hint="memwiki graph NAME --depth 2"
        )
    reached = [Reached(start, 0, 1.0)]
    for edge in edges:
        last = reached[-1]
        other = edge.target if edge.source == last.target else edge.source
        reached.append(Reached(other, last.distance + 1, last.weight * edge.weight))
    return reached, edges


def _nodes(lookup: Lookup, reached: Iterable[Reached], edges: Iterable[Edge]) -> list[GraphNode]:
    steps = list(reached)
    cards = _cards(lookup, [step.target for step in steps])
    nodes = []
    for step in steps:
        if step.target not in cards:  # an attachment
            nodes.append(GraphNode(step.target, step.target, "file", (), step.distance, step.score))
            continue
        card, tags = cards[step.target]
        score = round(step.score, 6)
        nodes.append(GraphNode(card.title, card.path, card.type, tags, step.distance, score))
    far = 1 + max((node.distance for node in nodes), default=0)
    known = {step.target for step in steps}
    wanted = {e.target for e in edges if e.is_wanted and e.source in known}
    return nodes + [GraphNode(name, "", "wanted", (), far, 0.0) for name in sorted(wanted)]


def _cards(lookup: Lookup, paths: Sequence[str]) -> Mapping[str, tuple[Card, tuple[str, ...]]]:
    """The cards of these pages, with their tags."""
    if len(paths) > _MANY:
        tags = lookup.all_tags_by_page()
        return {card.path: (card, tuple(tags.get(card.id, ()))) for card in lookup.cards()}
    found = (lookup.card(path) for path in paths)
    return {card.path: (card, lookup.tags_of(card)) for card in found if card}
