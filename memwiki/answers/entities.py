"""Entities, as answers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from memwiki.answers.packed import ListAnswer


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
