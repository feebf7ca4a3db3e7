"""The graph of a whole workspace in little space, kept for as long as no page changes."""

from __future__ import annotations

from array import array
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import accumulate, chain
from typing import TypeAlias, TypeVar

from memwiki.answers.graph import GraphMap, MapMark
from memwiki.index.cards.lookup import Card
from memwiki.index.graph import page_rank
from memwiki.index.meanings.lookup import Meanings
from memwiki.markdown.describe import is_journal
from memwiki.names import fold, stem_of
from memwiki.nouns import PLAIN, Layers
from memwiki.sync.live import LiveIndex
from memwiki.sync.reading import Reading, linked_reading

T = TypeVar("T")
KeptMaps: TypeAlias = "dict[tuple[bool, str], GraphMap]"

_MAX_MAPS = 4  # of views and namespaces that are kept
_MARKS = list(MapMark)
_JOURNALS = ("daily", "log")  # types


def graph_map(live: LiveIndex, maps: KeptMaps) -> GraphMap:
    """The map of what is seen now, made when the index is another one."""
    with linked_reading(live) as view:
        key, tree = (view.context.is_public, view.scope.name), str(view.stores.cards.tree())
        found = maps.pop(key, None)
        if found is None or found.tree != tree:
            found = _map(view, tree)
        maps[key] = found
        for oldest in list(maps)[:-_MAX_MAPS]:
            maps.pop(oldest, None)
        fresh = view.freshness.fresh
        return found if found.fresh == fresh else found._replace(fresh=fresh)


def _map(view: Reading, tree: str) -> GraphMap:
    sees, layers = view.scope.sees, view.context.layers
    every = [each for each in view.lookup.cards_and_generated() if sees(each[0].path)]
    cards = [card for card, _ in every]
    with view.graph.meanings() as meanings:
        targets, sources = _links(meanings, {card.id: at for at, card in enumerate(cards)})
    marks = [_mark(card, layers, is_generated=made) for card, made in every]
    starts, ends = _packed(targets)
    types, type_names = _numbered([(card.type,) for card in cards])
    tags_of = view.lookup.all_tags_by_page()
    own_tags = [tuple(dict.fromkeys(tags_of.get(card.id, ()))) for card in cards]
    tags, tag_names = _numbered(own_tags)
    tag_starts, tag_places = _packed(tags)
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


def _links(
    meanings: Meanings, place: Mapping[int, int]
) -> tuple[list[Sequence[int]], list[list[int]]]:
    """For each page the places of those that it links to, each once; and of those that link to it,
    once for each type of a link, as ranks count them."""
    plain = {pair for pair in meanings.plain_edges() if pair[0] in place and pair[1] in place}
    typed = [each for each in meanings.typed_edges() if each[0] in place and each[1] in place]
    counted = [*plain, *(each[:2] for each in typed if each[2] != PLAIN or each[:2] not in plain)]
    targets: list[set[int]] = [set() for _ in place]
    sources: list[list[int]] = [[] for _ in place]
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


def _numbered(rows: Iterable[Collection[str]]) -> tuple[list[list[int]], tuple[str, ...]]:
    """Names as places in the list of all of them, in which each is once."""
    kept = list(rows)
    names = tuple(sorted(set(chain.from_iterable(kept))))
    place = {name: at for at, name in enumerate(names)}
    return [[place[name] for name in row] for row in kept], names


def _packed(rows: Sequence[Sequence[int]]) -> tuple[array[int], array[int]]:
    """Where each row begins in the one after the other, and these."""
    starts = array("I", accumulate(map(len, rows), initial=0))
    return starts, array("I", chain.from_iterable(rows))
