"""A knowledge graph, as answers."""

from __future__ import annotations

from typing import NamedTuple


class Entity(NamedTuple):
    """Something that is known, under a name of which case counts."""

    name: str
    type: str
    observations: tuple[str, ...] = ()


class Relation(NamedTuple):
    """What one entity is to another; neither has to be known."""

    source: str
    target: str
    type: str


class Observed(NamedTuple):
    """What is observed of one entity."""

    name: str
    observations: tuple[str, ...]


class Graph(NamedTuple):
    """Entities in the order in which they were made, relations by source."""

    entities: tuple[Entity, ...] = ()
    relations: tuple[Relation, ...] = ()
