"""`Workspace.graph`: links, tags and what is around a page, as answers, and all of it as a map in
little space."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cache
from itertools import accumulate, chain, groupby
from operator import itemgetter
from typing import TypeAlias, TypeVar

from memwiki.answers.graph import (
    BacklinkList,
    GraphAnswer,
    GraphEdge,
    GraphEdges,
    GraphMap,
    GraphNode,
    GraphNodeKind,
    LikeList,
    LinkList,
    MapMark,
    MentionList,
    TagList,
)
from memwiki.errors import AmbiguousError, ArgumentError, NoSuchPageError, NotFoundError
from memwiki.index.cards.entries import EntriesByLine, EntryLocation
from memwiki.index.cards.lookup import Card, Lookup
from memwiki.index.graph import Reached, Subgraph, join_edges, page_rank, tag_counts
from memwiki.index.meanings.lookup import Edge, Meanings, Which
from memwiki.markdown.describe import is_journal
from memwiki.markdown.entries import text_of_entry
from memwiki.names import fold, require_text, stem_of
from memwiki.nouns import PLAIN, Layers, LinkRow, LinkStatus
from memwiki.numbers import count_of, limit_of
from memwiki.pages.page import page_now, text_now
from memwiki.records import grouped
from memwiki.sync.live import LiveIndex
from memwiki.sync.reading import Facing, Reading, linked_reading, reading, rebuilding_verbs

Adjacency: TypeAlias = list[list[int]]
T = TypeVar("T")
KeptMaps: TypeAlias = "dict[tuple[bool, str], GraphMap]"

_MAX_MAPS = 4  # of views and namespaces that are kept
_MARKS = list(MapMark)
_JOURNALS = ("daily", "log")  # types


@rebuilding_verbs
class GraphFacet(Facing):
    """Questions about links; `relation` narrows them to the links of one type."""

    def __init__(self, live: LiveIndex, maps: KeptMaps) -> None:
        super().__init__(live)
        self._maps = maps

    def links(self, name: str, direction: str = "both") -> LinkList:
        """The links of a page: `in`, `out` or `both`; of another file or a name without a page
        those to it."""
        if direction not in ("in", "out", "both"):
            raise ArgumentError("direction", direction, "not a direction", "use in, out or both")
        with linked_reading(self.live) as view:
            try:
                path = view.find(name, or_file=True)
            except NoSuchPageError as missing:
                from memwiki.browse.neighbours import wanted_links  # most names are of pages

                if direction == "out":
                    raise
                return wanted_links(view, name, missing)
            has_links = direction != "in" and view.lookup.card(path) is not None
            outgoing = _outgoing(self.live, view, path) if has_links else []
            incoming = view.graph.incoming(path) if direction != "out" else []
            met = [row for row in incoming if view.scope.meets(row.source, path)]
            incoming = sorted(met, key=lambda row: (row.source, row.line))
        rows = (*outgoing, *(row for row in incoming if row not in outgoing))
        return LinkList(rows, view.freshness.fresh)

    def backlinks(self, name: str, *, limit: int | None = None) -> BacklinkList:
        """The pages that link to a page, those first that do it most, each with the lines on which
        it does."""
        from memwiki.browse.neighbours import backlinks

        return backlinks(self.live, name, limit_of(limit))

    def unlinked(self, name: str, *, limit: int | None = None) -> MentionList:
        """Where other pages name a page by title, file name or alias and do not link to it."""
        from memwiki.browse.neighbours import find_mentions

        return find_mentions(self.live, name, limit_of(limit))

    def like(self, name: str, *, limit: int = 10) -> LikeList:
        """Pages that are like one, by meaning where a model is set, else by their words."""
        from memwiki.browse.neighbours import like

        return like(self.live, name, count_of("limit", limit))

    def unresolved(self, name: str = "") -> LinkList:
        """Links that are wanted, broken or ambiguous, of one page or of all."""
        bad = (LinkStatus.WANTED, LinkStatus.BROKEN, LinkStatus.AMBIGUOUS)
        with linked_reading(self.live) as view:
            graph = view.graph
            every = graph.outgoing(view.find(name)) if name else graph.everything(Which.UNCLEAR)
            rows = tuple(
                row for row in every if row.status in bad and (name or view.scope.owns(row.source))
            )
        return LinkList(tuple(sorted(rows, key=lambda r: (r.source, r.line))), view.freshness.fresh)

    def tags(self, prefix: str = "") -> TagList:
        """Tags with the number of pages that carry each or one below it."""
        return tags(self.live, prefix)

    def around(
        self, name: str, depth: int = 1, *, relation: str = "", limit: int | None = None
    ) -> GraphAnswer:
        """A page or entry, and the pages and entries at most so many links away from it; with
        `limit` the nearest, those first that much links to, and the links among them too."""
        steps, most = count_of("depth", depth, least=0), limit_of(limit)
        require_text("graph", relation)
        with linked_reading(self.live) as view:
            start = _start(view, name)
            if most is None:
                return _answer(view, *view.graph.neighbourhood(start, steps, relation))
            return _answer(view, *view.graph.nearest(start, steps, relation, most), most)

    def path(self, start: str, end: str, *, relation: str = "") -> GraphAnswer:
        """The shortest way from a page or entry to another; NotFoundError when none leads there."""
        require_text("graph", relation)
        with linked_reading(self.live) as view:
            reached, edges = _path(view, start, end, relation)
            return _answer(view, reached, edges)

    def ranked(self, *, relation: str = "") -> GraphAnswer:
        """All pages, those first that much links to."""
        require_text("graph", relation)
        with linked_reading(self.live) as view:
            shown = (card for card in view.lookup.cards() if view.scope.sees(card.path))
            cards = sorted(shown, key=lambda card: card.path)
            with view.graph.meanings() as meanings:
                pairs = meanings.plain_edges() if fold(relation) in ("", PLAIN) else ()
                sources = _sources(pairs, cards)
                others = join_edges(meanings.other_edges(), relation)
            return _ranked_answer(view, cards, sources, others)

    def map(self) -> GraphMap:
        """All pages with what a picture of them shows, catalogs and journal too, and all links as
        arrays of numbers; kept until a page changes."""
        with linked_reading(self.live) as view:
            key, tree = (view.context.is_public, view.scope.name), str(view.stores.cards.tree())
            found = self._maps.pop(key, None)
            if found is None or found.tree != tree:
                found = _map(view, tree)
            self._maps[key] = found
            for oldest in list(self._maps)[:-_MAX_MAPS]:
                self._maps.pop(oldest, None)
            fresh = view.freshness.fresh
            return found if found.fresh == fresh else found._replace(fresh=fresh)


def _map(view: Reading, tree: str) -> GraphMap:
    sees, layers = view.scope.sees, view.context.layers
    every = [each for each in view.lookup.cards_and_generated() if sees(each[0].path)]
    cards = [card for card, _ in every]
    with view.graph.meanings() as meanings:
        targets, sources = _links(meanings, {card.id: at for at, card in enumerate(cards)})
    marks = [_mark(card, layers, is_generated=made) for card, made in every]
    starts, ends = _pack(targets)
    types, type_names = _numbered([(card.type,) for card in cards])
    tags_of = view.lookup.all_tags_by_page()
    own_tags = [tuple(dict.fromkeys(tags_of.get(card.id, ()))) for card in cards]
    tags, tag_names = _numbered(own_tags)
    tag_starts, tag_places = _pack(tags)
    return GraphMap(
        paths=tuple(card.path for card in cards),
        titles=tuple(card.title or stem_of(card.path) for card in cards),
        types=array("I", chain.from_iterable(types)),
        type_names=type_names,
        marks=array("B", map(_MARKS.index, marks)),
        ranks=_ranks(sources, [not made for _, made in every]),
        starts=starts,
        targets=ends,
        tag_starts=tag_starts,
        tags=tag_places,
        tag_names=tag_names,
        tree=tree,
        fresh=view.freshness.fresh,
    )


def _links(meanings: Meanings, place: Mapping[int, int]) -> tuple[list[Sequence[int]], Adjacency]:
    """For each page the places of those that it links to, each once; and of those that link to it,
    once for each type of a link, as ranks count them."""
    plain = {pair for pair in meanings.plain_edges() if pair[0] in place and pair[1] in place}
    typed = [each for each in meanings.typed_edges() if each[0] in place and each[1] in place]
    counted = [*plain, *(each[:2] for each in typed if each[2] != PLAIN or each[:2] not in plain)]
    targets: list[set[int]] = [set() for _ in place]
    sources: Adjacency = [[] for _ in place]
    for page, target in counted:
        targets[place[page]].add(place[target])
        sources[place[target]].append(place[page])
    return [sorted(each) for each in targets], sources


def _ranks(sources: Sequence[Sequence[int]], is_page: Sequence[bool]) -> array[float]:
    """The rank of each page, to which what is generated adds nothing."""
    pages = [at for at, is_one in enumerate(is_page) if is_one]
    place = {at: number for number, at in enumerate(pages)}
    ranks = page_rank([[place[each] for each in sources[at] if is_page[each]] for at in pages])
    found = array("d", bytes(8 * len(is_page)))
    for at, rank in zip(pages, ranks, strict=True):
        found[at] = round(rank, 6)
    return found


def _mark(card: Card, layers: Layers, *, is_generated: bool) -> MapMark:
    """What pages list others, or a day or a log by itself: hubs that say little of their links."""
    kind = fold(card.type)
    if kind in _JOURNALS or (is_generated and is_journal(card.path, layers)):
        return MapMark.JOURNAL
    return MapMark.CATALOG if is_generated or kind == "index" else MapMark.NONE


def _numbered(rows: Iterable[Collection[str]]) -> tuple[Adjacency, tuple[str, ...]]:
    """Names as places in the list of all of them, in which each is once."""
    kept = list(rows)
    names = tuple(sorted(set(chain.from_iterable(kept))))
    place = {name: at for at, name in enumerate(names)}
    return [[place[name] for name in row] for row in kept], names


def _pack(rows: Sequence[Sequence[int]]) -> tuple[array[int], array[int]]:
    """Where each row begins in the one after the other, and these."""
    starts = array("I", accumulate(map(len, rows), initial=0))
    return starts, array("I", chain.from_iterable(rows))


_TITLE_LENGTH = 60  # of an entry
_MIN_WHOLE = 500  # pages from which all cards are read at once


def _outgoing(live: LiveIndex, view: Reading, path: str) -> list[LinkRow]:
    """The links of a page as its file is now, or as they were fed."""
    if live.fed():
        return view.graph.outgoing(path)
    return view.graph.resolved(path, page_now(live.context, path).links)


def tags(live: LiveIndex, prefix: str) -> TagList:
    """Tags with the number of pages that carry each or one below it."""
    require_text("tags", prefix)
    with reading(live) as view:
        sees = view.scope.sees
        rows = tuple(tag_counts((row for row in view.lookup.all_tags() if sees(row[0])), prefix))
    return TagList(rows, view.freshness.fresh)


def _answer(
    view: Reading, reached: Iterable[Reached], edges: Iterable[Edge], limit: int | None = None
) -> GraphAnswer:
    nodes = tuple(_nodes(view, reached, edges)[:limit])
    shown = {node.end for node in nodes}
    rows = tuple(
        GraphEdge(edge.source, edge.target, edge.type, edge.weight)
        for edge in sorted(edges, key=lambda e: (e.source, e.target, e.type))
        if edge.source in shown and edge.target in shown
    )
    return GraphAnswer(nodes, rows, view.freshness.fresh)


def _path(view: Reading, name: str, to: str, relation: str) -> Subgraph:
    start, end = _start(view, name), _start(view, to)
    edges = view.graph.shortest_path(start, end, relation)
    if not edges and start != end:
        raise NotFoundError(f"{name}: no path of links to {to}", "memwiki graph NAME --depth 2")
    reached = [Reached(start, 0, 1.0)]
    for edge in edges:
        last = reached[-1]
        other = edge.target if edge.source == last.target else edge.source
        reached.append(Reached(other, last.distance + 1, last.weight * edge.weight))
    return reached, edges


def _start(view: Reading, name: str) -> str:
    """The page that is meant, else the entry, as edges call it."""
    try:
        return view.find(name)
    except NotFoundError:
        entry = _entry(view, name)
        if entry is None:
            raise
        return entry.address


def _entry(view: Reading, name: str) -> EntryLocation | None:
    """The entry that is meant: `id`, `^id`, `page#^id` or `path:line`."""
    entries = EntriesByLine(view.stores.cards.db)
    page, _, id_ = name.rpartition("#^")
    if page:
        return entries.with_id(view.find(page), id_)
    id_ = name.removeprefix("^")
    found = view.graph.entry(id_)
    if found.status is LinkStatus.AMBIGUOUS:
        raise AmbiguousError(
            f"{name}: {len(found.candidates)} pages hold an entry with this id",
            "memwiki graph {}",
            f"{found.target}#^{id_}",
            candidates=found.candidates,
        )
    entry = entries.with_id(found.target, id_) or entries.named(name)
    return None if entry and view.scope.hides(entry.path) else entry


def _nodes(view: Reading, reached: Iterable[Reached], edges: Iterable[Edge]) -> list[GraphNode]:
    steps = list(reached)
    cards = _cards(view.lookup, [step.target for step in steps])
    entries = EntriesByLine(view.stores.cards.db)
    lines_of = cache(lambda path: text_now(view.context, path).split("\n"))
    nodes = []
    for step in steps:
        name, distance, score = step.target, step.distance, round(step.score, 6)
        if name in cards:
            card, tags = cards[name]
            nodes.append(GraphNode(card.title, card.path, card.type, tags, distance, score))
        elif entry := entries.named(name):
            title, kind = _title(entry, lines_of(entry.path)), GraphNodeKind.ENTRY
            node = (title, entry.path, entry.type, entry.tags)
            nodes.append(GraphNode(*node, distance, score, kind, entry.id, entry.line_start))
        else:
            nodes.append(GraphNode(name, name, "file", (), distance, score, GraphNodeKind.FILE))
    return nodes + _wanted_nodes(steps, edges)


def _wanted_nodes(steps: Iterable[Reached], edges: Iterable[Edge]) -> list[GraphNode]:
    """The names of no page yet, one step behind the nearest that wants them."""
    known = {step.target: step.distance for step in steps}
    distances: dict[str, int] = {}
    for edge in edges:
        if edge.is_wanted and edge.source in known:
            distance = 1 + known[edge.source]
            distances[edge.target] = min(distances.get(edge.target, distance), distance)
    return [
        GraphNode(name, "", "wanted", (), distance, 0.0, GraphNodeKind.WANTED)
        for name, distance in sorted(distances.items())
    ]


def _title(entry: EntryLocation, lines: list[str]) -> str:
    """The beginning of an entry of these lines of a page, on one line."""
    text = text_of_entry(lines[entry.line_start - 1 : entry.line_end])
    return " ".join(text.split())[:_TITLE_LENGTH].rstrip()


def _cards(lookup: Lookup, paths: Sequence[str]) -> Mapping[str, tuple[Card, tuple[str, ...]]]:
    """The cards of these pages, with their tags."""
    if len(paths) > _MIN_WHOLE:
        tags = lookup.all_tags_by_page()
        return {card.path: (card, tuple(tags.get(card.id, ()))) for card in lookup.cards()}
    found = (lookup.card(path) for path in paths)
    return {card.path: (card, lookup.tags_of(card)) for card in found if card}


def _sources(pairs: Iterable[tuple[int, int]], cards: Sequence[Card]) -> Adjacency:
    """For each card the places of those with a plain link to it, sorted."""
    place = {card.id: at for at, card in enumerate(cards)}
    sources: Adjacency = [[] for _ in cards]
    for target, group in groupby(pairs, itemgetter(1)):  # a server gives them in any order
        if target in place:
            sources[place[target]] += (place[page] for page, _ in group if page in place)
    for each in sources:
        each.sort()
    return sources


def _ranked_answer(
    view: Reading, cards: Sequence[Card], sources: Sequence[list[int]], edges: Sequence[Edge]
) -> GraphAnswer:
    place = {card.path: at for at, card in enumerate(cards)}
    shown = (
        edge for edge in edges if edge.source in place and (edge.is_wanted or edge.target in place)
    )
    others = [edge for edge in shown if not _is_plain(edge, place, sources)]
    further = grouped((place[e.target], place[e.source]) for e in others if e.target in place)
    every = [[*each, *further.get(at, ())] for at, each in enumerate(sources)]
    nodes = [*_ranked(view, cards, every)]
    wanted = sorted({edge.target for edge in others} - place.keys())
    nodes += [GraphNode(name, "", "wanted", (), 1, 0.0) for name in wanted]
    rows = (GraphEdge(*edge[:4]) for edge in others)
    return GraphAnswer(tuple(nodes), GraphEdges(list(place), sources, rows), view.freshness.fresh)


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
