"""Pages, links, tags and the graph, as answers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from memwiki.model import FieldValue, LinkRow, TagCount


class PageView(NamedTuple):
    """A page, or a part of it, as `get` gives it."""

    path: str
    title: str
    type: str
    fields: Mapping[str, FieldValue]
    tags: tuple[str, ...]
    aliases: tuple[str, ...]
    text: str
    digest: str
    line_start: int
    line_end: int


class PageRow(NamedTuple):
    """One line of `list`."""

    path: str
    title: str
    type: str
    description: str
    tags: tuple[str, ...]
    updated: str
    links: int


class PageList(NamedTuple):
    pages: tuple[PageRow, ...]
    total: int
    fresh: bool = True
    notes: tuple[str, ...] = ()


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
