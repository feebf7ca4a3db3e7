"""`Workspace.knowledge`: entities, observations and relations, as pages."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from functools import partial
from threading import Lock
from typing import TYPE_CHECKING, TypeVar

from memwiki.answers.entities import Entity, Graph, Observed, Relation
from memwiki.clock import local_moment
from memwiki.sync.live import LiveIndex
from memwiki.sync.reading import Reading, reading, rebuilding

if TYPE_CHECKING:
    from memwiki.answers.edits import Edited
    from memwiki.change.plan import Plan
    from memwiki.memory.knowledge.changes import GraphChange
    from memwiki.memory.knowledge.pages import EntityNames, EntityPages, PagesRead

T = TypeVar("T")


class GraphRead:
    """The whole graph as it was last read, for those who ask again."""

    def __init__(self) -> None:
        self.guard = Lock()
        self.pages: PagesRead | None = None
        self.last: tuple[Mapping[str, str], Graph] | None = None


class KnowledgeFacet:
    """A graph in the folder of entities; what is private is not in it.

    Each verb that changes it is one change, made under the lock, which `undo` takes back.
    """

    def __init__(self, live: LiveIndex, read: GraphRead) -> None:
        self.live = live
        self._read = read

    # --- asking ---

    @rebuilding
    def read_graph(self) -> Graph:
        """All entities, in the order in which they were made, and all relations, by source."""
        with reading(self.live) as view, self._read.guard:
            return self._graph(view)

    @rebuilding
    def search_nodes(self, query: str) -> Graph:
        """The entities with the query in name, type or observation, and their relations."""
        from memwiki.memory.knowledge.graph import matching

        return matching(self.read_graph(), query)

    @rebuilding
    def open_nodes(self, names: Iterable[str]) -> Graph:
        """The entities of exactly these names, and their relations from and to whatever it is."""
        from memwiki.memory.knowledge.graph import named

        wanted = {*names}
        with reading(self.live) as view:
            known = self._names(view)
            pages = self._pages(known)
            for name in wanted:
                pages.find(name)
            pages.load(known.linking(wanted, view.lookup))
            return named(pages.graph(), wanted)

    # --- changing ---

    @rebuilding
    def create_entities(self, entities: Iterable[Entity]) -> tuple[Entity, ...]:
        """Make entities of names that are not known yet; gives these."""
        from memwiki.memory.knowledge.changes import create_entities

        asked = tuple(entities)
        return self._new("create", lambda pages: create_entities(pages, asked, self._now()))

    @rebuilding
    def create_relations(self, relations: Iterable[Relation]) -> tuple[Relation, ...]:
        """Make relations that are not known yet; gives these. Neither end has to be known."""
        from memwiki.memory.knowledge.changes import create_relations

        asked = tuple(relations)
        return self._new("update", lambda pages: create_relations(pages, asked, self._now()))

    @rebuilding
    def add_observations(self, observations: Iterable[Observed]) -> tuple[Observed, ...]:
        """Add what is not observed yet, and give it; NotFoundError, and nothing is added, where an
        entity is not known."""
        from memwiki.memory.knowledge.changes import add_observations

        asked = tuple(observations)
        return self._new("update", lambda pages: add_observations(pages, asked, self._now()))

    @rebuilding
    def delete_entities(self, names: Iterable[str]) -> Edited:
        """Delete the pages of entities, and relations to them from other ones."""
        from memwiki.memory.knowledge.changes import delete_entities

        wanted = tuple(names)
        with reading(self.live) as view:
            known = self._names(view)
            linking = tuple(known.linking({*wanted}, view.lookup))
        made = partial(delete_entities, names=wanted, linking=linking)
        return self._changed("delete", known, made)[0]

    @rebuilding
    def delete_observations(self, deletions: Iterable[Observed]) -> Edited:
        """Delete observations of exactly these words."""
        from memwiki.memory.knowledge.changes import delete_observations

        asked = tuple(deletions)
        return self._changed("update", None, lambda pages: delete_observations(pages, asked))[0]

    @rebuilding
    def delete_relations(self, relations: Iterable[Relation]) -> Edited:
        """Delete these relations."""
        from memwiki.memory.knowledge.changes import delete_relations

        asked = tuple(relations)
        return self._changed("update", None, lambda pages: delete_relations(pages, asked))[0]

    # --- what they share ---

    def _graph(self, view: Reading) -> Graph:
        """The whole graph; pages are read again only where they changed."""
        from memwiki.memory.knowledge.pages import EntityPages, PagesRead

        digests = dict(self._names(view).digests)
        if self._read.last and self._read.last[0] == digests:
            return self._read.last[1]
        before = self._read.pages = self._read.pages or PagesRead()
        before.keep_only(digests)
        read = partial(before.bytes_of, digests, self._bytes)
        layers = self.live.context.own_layers()
        graph = EntityPages(read, layers, digests, private=False, before=before).graph()
        self._read.last = digests, graph
        return graph

    def _names(self, view: Reading) -> EntityNames:
        from memwiki.memory.knowledge.pages import EntityNames

        return EntityNames(view.lookup, self.live.context.own_layers())

    def _pages(self, known: EntityNames) -> EntityPages:
        from memwiki.memory.knowledge.pages import EntityPages

        layers = self.live.context.own_layers()
        return EntityPages(
            self._bytes, layers, named=known.paths, latest=known.latest, private=False
        )

    def _bytes(self, path: str) -> bytes | None:
        from memwiki.files.read import current_bytes

        return current_bytes(self.live.context.root, path)

    def _now(self) -> datetime:
        return local_moment(self.live.context.clock())

    def _new(self, op: str, change: Callable[[EntityPages], GraphChange[T]]) -> tuple[T, ...]:
        return self._changed(op, None, change)[1]

    def _changed(
        self, op: str, known: EntityNames | None, change: Callable[[EntityPages], GraphChange[T]]
    ) -> tuple[Edited, tuple[T, ...]]:
        """Carry out a change that is planned under the lock, where the index is not asked."""
        from memwiki.commit.carry_out import carry_out_locked

        if known is None:
            with reading(self.live) as view:
                known = self._names(view)
        names = known
        made: list[GraphChange[T]] = []

        def make() -> Plan:
            made[:] = [change(self._pages(names))]
            return _plan(op, made[0])

        edited = carry_out_locked(self.live, make)
        return edited, made[0].new


def whole_graph(live: LiveIndex, *, has_private: bool) -> tuple[Graph, bool]:
    """The graph of a workspace, with what is private where that is asked for, and whether it is up
    to date."""
    from memwiki.files.read import current_bytes
    from memwiki.memory.knowledge.pages import EntityNames, EntityPages

    layers = live.context.own_layers()
    with reading(live) as view:
        known, is_fresh = EntityNames(view.lookup, layers).digests, view.freshness.fresh
    read = partial(current_bytes, live.context.root)
    return EntityPages(read, layers, known, private=has_private).graph(), is_fresh


def _plan(op: str, changed: GraphChange[T]) -> Plan:
    from memwiki.change.plan import Edit, Plan
    from memwiki.digest import digest_if_any
    from memwiki.numbers import counted

    edits = tuple(
        Edit(each.path, digest_if_any(each.before), each.data, "knowledge graph", each.before)
        for each in changed.pages
        if each.data != each.before
    )
    edits += tuple(
        Edit(each.path, digest_if_any(each.before), None, "knowledge graph", each.before)
        for each in changed.gone
    )
    title = f"knowledge graph: {counted(len(edits), 'page')}" if edits else "nothing to change"
    return Plan(edits, title, op)
