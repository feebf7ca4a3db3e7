"""The graph of entities of a workspace: read whole or in part, and changed under the lock."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from threading import Lock
from typing import TypeVar

from memwiki.answers.entries import Graph
from memwiki.answers.pages import Edited
from memwiki.change.plan import Plan, edit_of
from memwiki.commit.carry_out import carry_out
from memwiki.files.read import current_bytes
from memwiki.memory.knowledge.edits import GraphChange
from memwiki.memory.knowledge.graph import named
from memwiki.memory.knowledge.pages import EntityNames, EntityPages, PagesRead
from memwiki.numbers import counted
from memwiki.sync.live import LiveIndex
from memwiki.sync.reading import Reading, reading

T = TypeVar("T")
_REASON = "knowledge graph"


class GraphRead:
    """The whole graph as it was last read, for those who ask again."""

    def __init__(self) -> None:
        self.guard = Lock()
        self.pages: PagesRead | None = None
        self.last: tuple[Mapping[str, str], Graph] | None = None


def whole_graph(live: LiveIndex, known: GraphRead) -> Graph:
    """All entities and relations; pages are read again only where they changed."""
    with reading(live) as view, known.guard:
        digests = dict(_names(live, view).digests)
        if known.last and known.last[0] == digests:
            return known.last[1]
        before = known.pages = known.pages or PagesRead()
        before.keep_only(digests)
        read = partial(before.bytes_of, digests, partial(current_bytes, live.context.root))
        layers = live.context.own_layers()
        graph = EntityPages(read, layers, digests, private=False, before=before).graph()
        known.last = digests, graph
        return graph


def part_of_graph(live: LiveIndex, names: Iterable[str]) -> Graph:
    """The entities of exactly these names, and their relations."""
    wanted = {*names}
    with reading(live) as view:
        known = _names(live, view)
        pages = _pages(live, known)
        for name in wanted:
            pages.find(name)
        pages.load(known.linking(wanted, view.lookup))
        return named(pages.graph(), wanted)


def change_graph(
    live: LiveIndex,
    op: str,
    change: Callable[..., GraphChange[T]],
    linking_to: Iterable[str] | None = None,
) -> tuple[Edited, tuple[T, ...]]:
    """Carry out a change of pages that is planned under the lock, where the index is not asked; it
    is told as `linking` which pages link to some names, where these are given."""
    with reading(live) as view:
        known = _names(live, view)
        if linking_to is not None:
            change = partial(change, linking=tuple(known.linking({*linking_to}, view.lookup)))
    made: list[GraphChange[T]] = []

    def make() -> Plan:
        made[:] = [change(_pages(live, known))]
        return _plan(op, made[0])

    edited = carry_out(live, make)
    return edited, made[0].new


def _names(live: LiveIndex, view: Reading) -> EntityNames:
    return EntityNames(view.lookup, live.context.own_layers())


def _pages(live: LiveIndex, known: EntityNames) -> EntityPages:
    return EntityPages(
        partial(current_bytes, live.context.root),
        live.context.own_layers(),
        named=known.paths,
        latest=known.latest,
        private=False,
    )


def _plan(op: str, changed: GraphChange[T]) -> Plan:
    edits = [
        edit_of(each.path, each.before, each.data, _REASON)
        for each in changed.pages
        if each.data != each.before
    ]
    edits += [edit_of(each.path, each.before, None, _REASON) for each in changed.gone]
    title = f"{_REASON}: {counted(len(edits), 'page')}" if edits else "nothing to change"
    return Plan(tuple(edits), title, op)
