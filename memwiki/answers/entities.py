"""Entities, and the knowledge graph of them, as answers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from memwiki.answers.lists import ListAnswer


class EntityView(NamedTuple):
    """A page or a wanted name that entries name."""

    name: str
    path: str  # "" for a name that no page has
    type: str  # of its page
    entries: int  # how many name it
    tags: tuple[str, ...]  # of its page; of a wanted name those of what names it


class EntityPair(NamedTuple):
    """Two entities that may be one; `other` is the one to keep."""

    entity: EntityView
    other: EntityView
    similarity: float  # of the names, 0..1
    verdict: str  # same, or near: for people to decide


@dataclass(frozen=True, slots=True)
class EntityList(ListAnswer[EntityView]):
    entities: tuple[EntityView, ...]
    total: int
    fresh: bool = True


@dataclass(frozen=True, slots=True)
class EntityCandidates(ListAnswer[EntityPair]):
    pairs: tuple[EntityPair, ...]
    total: int
    fresh: bool = True


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
