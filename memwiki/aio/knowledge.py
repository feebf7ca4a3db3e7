"""`AsyncWorkspace.knowledge`: entities, observations and relations, as pages."""

# Generated from memwiki/workspace/knowledge.py: python docs/generate_aio.py
from __future__ import annotations

from typing import TYPE_CHECKING

from memwiki.aio.face import Face
from memwiki.workspace.knowledge import KnowledgeFacet

if TYPE_CHECKING:
    from collections.abc import Iterable

    from memwiki.answers.edits import Edited
    from memwiki.answers.entries import Entity, Graph, Observed, Relation


class AsyncKnowledgeFacet(Face[KnowledgeFacet]):
    """A graph in the folder of entities; what is private is not in it.

    Each verb that changes it is one change, made under the lock, which `undo` takes back.
    """

    async def read_graph(self) -> Graph:
        """All entities, in the order in which they were made, and all relations, by source."""
        return await self._read(lambda it: it.read_graph())

    async def search_nodes(self, query: str) -> Graph:
        """The entities with the query in name, type or observation, and their relations."""
        return await self._read(lambda it: it.search_nodes(query))

    async def open_nodes(self, names: Iterable[str]) -> Graph:
        """The entities of exactly these names, and their relations from and to whatever it is."""
        return await self._read(lambda it: it.open_nodes(names))

    async def create_entities(self, entities: Iterable[Entity]) -> tuple[Entity, ...]:
        """Make entities of names that are not known yet; gives these."""
        return await self._write(lambda it: it.create_entities(entities))

    async def create_relations(self, relations: Iterable[Relation]) -> tuple[Relation, ...]:
        """Make relations that are not known yet; gives these. Neither end has to be known."""
        return await self._write(lambda it: it.create_relations(relations))

    async def add_observations(self, observations: Iterable[Observed]) -> tuple[Observed, ...]:
        """Add what is not observed yet, and give it; NotFoundError, and nothing is added, where an
        entity is not known."""
        return await self._write(lambda it: it.add_observations(observations))

    async def delete_entities(self, names: Iterable[str]) -> Edited:
        """Delete the pages of entities, and relations to them from other ones."""
        return await self._write(lambda it: it.delete_entities(names))

    async def delete_observations(self, deletions: Iterable[Observed]) -> Edited:
        """Delete observations of exactly these words."""
        return await self._write(lambda it: it.delete_observations(deletions))

    async def delete_relations(self, relations: Iterable[Relation]) -> Edited:
        """Delete these relations."""
        return await self._write(lambda it: it.delete_relations(relations))
