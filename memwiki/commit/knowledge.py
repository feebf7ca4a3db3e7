"""`Workspace.knowledge`: entities, observations and relations, as pages; read whole or in part, and
changed under the lock."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from functools import partial
from threading import Lock
from typing import TypeVar

from memwiki.answers.entries import Entity, Graph, Observed, Relation
from memwiki.answers.pages import Edited
from memwiki.change.plan import Plan, edit_of
from memwiki.clock import local_moment
from memwiki.commit.carry_out import carry_out
from memwiki.files.read import current_bytes
from memwiki.memory import graph_edits as edits
from memwiki.memory.entity_graph import entities_named, matching
from memwiki.memory.entity_pages import EntityNames, EntityPages, PagesRead
from memwiki.memory.graph_edits import GraphChange
from memwiki.names import texts
from memwiki.numbers import counted
from memwiki.sync.live import LiveIndex
from memwiki.sync.reading import Reading, reading, rebuilding_verbs

T = TypeVar("T")
_REASON = "knowledge graph"


class GraphRead:
    """The whole graph as it was last read, for those who ask again."""

    def __init__(self) -> None:
        self.guard = Lock()
        self.pages: PagesRead | None = None
        self.last: tuple[Mapping[str, str], Graph] | None = None


@rebuilding_verbs
class KnowledgeFacet:
    """A graph in the folder of entities; what is private is not in it.

    Each verb that changes it is one change, made under the lock, which `undo` takes back.
    """

    def __init__(self, live: LiveIndex, read: GraphRead) -> None:
        self.live = live
        self._read = read

    # --- asking ---

    def read_graph(self) -> Graph:
        """All entities, in the order in which they were made, and all relations, by source; pages
        are read again only where they changed."""
        with reading(self.live) as view, self._read.guard:
            known, digests = self._read, dict(_names(self.live, view).digests)
            if known.last and known.last[0] == digests:
                return known.last[1]
            before = known.pages = known.pages or PagesRead()
            before.keep_only(digests)
            read = partial(before.bytes_of, digests, partial(current_bytes, self.live.context.root))
            layers = self.live.context.own_layers()
            graph = EntityPages(read, layers, digests, private=False, before=before).graph()
            known.last = digests, graph
            return graph

    def search_nodes(self, query: str) -> Graph:
        """The entities with the query in name, type or observation, and their relations."""
        return matching(self.read_graph(), query)

    def open_nodes(self, names: Iterable[str]) -> Graph:
        """The entities of exactly these names, and their relations from and to whatever it is."""
        wanted = {*texts(names)}
        with reading(self.live) as view:
            known = _names(self.live, view)
            pages = _pages(self.live, known)
            for name in wanted:
                pages.find(name)
            pages.load(known.linking(wanted, view.lookup))
            return entities_named(pages.graph(), wanted)

    # --- changing ---

    def create_entities(self, entities: Iterable[Entity]) -> tuple[Entity, ...]:
        """Make entities of names that are not known yet; gives these."""
        return self._new("create", edits.create_entities, entities)

    def create_relations(self, relations: Iterable[Relation]) -> tuple[Relation, ...]:
        """Make relations that are not known yet; gives these. Neither end has to be known."""
        return self._new("update", edits.create_relations, relations)

    def add_observations(self, observations: Iterable[Observed]) -> tuple[Observed, ...]:
        """Add what is not observed yet, and give it; NotFoundError, and nothing is added, where an
        entity is not known."""
        return self._new("update", edits.add_observations, observations)

    def delete_entities(self, names: Iterable[str]) -> Edited:
        """Delete the pages of entities, and relations to them from other ones."""
        wanted = texts(names)
        change = partial(edits.delete_entities, names=wanted)
        return _change_graph(self.live, "delete", change, wanted)[0]

    def delete_observations(self, deletions: Iterable[Observed]) -> Edited:
        """Delete observations of exactly these words."""
        return self._less(edits.delete_observations, deletions)

    def delete_relations(self, relations: Iterable[Relation]) -> Edited:
        """Delete these relations."""
        return self._less(edits.delete_relations, relations)

    def _new(
        self,
        op: str,
        change: Callable[[EntityPages, Iterable[T], datetime], GraphChange[T]],
        asked: Iterable[T],
    ) -> tuple[T, ...]:
        wanted, live = tuple(asked), self.live

        def made(pages: EntityPages) -> GraphChange[T]:
            return change(pages, wanted, local_moment(live.context.clock()))

        return _change_graph(live, op, made)[1]

    def _less(
        self, change: Callable[[EntityPages, Iterable[T]], GraphChange[T]], asked: Iterable[T]
    ) -> Edited:
        wanted = tuple(asked)
        return _change_graph(self.live, "update", lambda pages: change(pages, wanted))[0]


def _change_graph(
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
        changed = made[0]
        edits = [
            edit_of(each.path, each.before, each.data, _REASON)
            for each in changed.pages
            if each.data != each.before
        ]
        edits += [edit_of(each.path, each.before, None, _REASON) for each in changed.gone]
        title = f"{_REASON}: {counted(len(edits), 'page')}" if edits else "nothing to change"
        return Plan(tuple(edits), title, op)

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
