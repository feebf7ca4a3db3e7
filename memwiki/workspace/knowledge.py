"""`Workspace.knowledge`: entities, observations and relations, as pages."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from memwiki.answers.entries import Entity, Graph, Observed, Relation
from memwiki.clock import local_moment
from memwiki.commit.knowledge import GraphRead, change_graph, part_of_graph, whole_graph
from memwiki.memory.knowledge import edits
from memwiki.memory.knowledge.graph import matching
from memwiki.sync.live import LiveIndex
from memwiki.workspace.asking import rebuilding_verbs

if TYPE_CHECKING:
    from memwiki.answers.pages import Edited
    from memwiki.memory.knowledge.edits import GraphChange
    from memwiki.memory.knowledge.pages import EntityPages

T = TypeVar("T")


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
        """All entities, in the order in which they were made, and all relations, by source."""
        return whole_graph(self.live, self._read)

    def search_nodes(self, query: str) -> Graph:
        """The entities with the query in name, type or observation, and their relations."""
        return matching(self.read_graph(), query)

    def open_nodes(self, names: Iterable[str]) -> Graph:
        """The entities of exactly these names, and their relations from and to whatever it is."""
        return part_of_graph(self.live, names)

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
        wanted = tuple(names)
        change = partial(edits.delete_entities, names=wanted)
        return change_graph(self.live, "delete", change, wanted)[0]

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

        return change_graph(live, op, made)[1]

    def _less(
        self, change: Callable[[EntityPages, Iterable[T]], GraphChange[T]], asked: Iterable[T]
    ) -> Edited:
        wanted = tuple(asked)
        return change_graph(self.live, "update", lambda pages: change(pages, wanted))[0]
