"""Links, tags and the graph, as answers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from memwiki.model import LinkRow, TagCount


@dataclass(frozen=True, slots=True)
class LinkList:
    links: tuple[LinkRow, ...]
    fresh: bool = True

    def __iter__(self) -> Iterator[LinkRow]:
        return iter(self.links)


@dataclass(frozen=True, slots=True)
class TagList:
    tags: tuple[TagCount, ...]
    fresh: bool = True

    def __iter__(self) -> Iterator[TagCount]:
        return iter(self.tags)


class GraphNode(NamedTuple):
    name: str
    path: str  # "" for a wanted page
    type: str
    tags: tuple[str, ...]
    distance: int
    score: float


class GraphEdge(NamedTuple):
    source: str  # `from` in JSON
    target: str  # `to` in JSON
    type: str
    weight: float


@dataclass(frozen=True, slots=True)
class GraphAnswer:
    nodes: tuple[GraphNode, ...]
    edges: tuple[GraphEdge, ...]
    fresh: bool = True

    def __iter__(self) -> Iterator[GraphNode]:
        return iter(self.nodes)
