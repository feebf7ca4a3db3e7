"""Links, tags and the graph, as answers."""

from __future__ import annotations

from typing import NamedTuple

from memwiki.model import LinkRow, TagCount


class LinkList(NamedTuple):
    links: tuple[LinkRow, ...]
    fresh: bool = True


class TagList(NamedTuple):
    tags: tuple[TagCount, ...]
    fresh: bool = True


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


class GraphAnswer(NamedTuple):
    nodes: tuple[GraphNode, ...]
    edges: tuple[GraphEdge, ...]
    fresh: bool = True
