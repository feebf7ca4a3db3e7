"""Parts of a graph: what holds a text, what has a name, and the relations of both."""

from __future__ import annotations

from collections.abc import Callable, Collection

from memwiki.answers.knowledge import Entity, Graph


def holding(graph: Graph, query: str) -> Graph:
    """The entities with the query in name, type or observation, whatever its case."""
    wanted = query.lower()

    def is_found(entity: Entity) -> bool:
        texts = (entity.name, entity.type, *entity.observations)
        return any(wanted in each.lower() for each in texts)

    return _part(graph, is_found)


def named(graph: Graph, names: Collection[str]) -> Graph:
    """The entities of exactly these names."""
    return _part(graph, lambda entity: entity.name in names)


def _part(graph: Graph, is_found: Callable[[Entity], bool]) -> Graph:
    found = tuple(filter(is_found, graph.entities))
    ends = {entity.name for entity in found}
    relations = (each for each in graph.relations if each.source in ends or each.target in ends)
    return Graph(found, tuple(relations))
