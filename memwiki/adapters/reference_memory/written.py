"""Graphs as the reference server writes them, and cut to a number of tokens."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple, TypeVar

from memwiki.adapter_api import (
    SURROGATE,
    Entity,
    Graph,
    Json,
    Observed,
    Relation,
    counted,
    tokens,
)

T = TypeVar("T")
_LEAST = 12  # tokens around everything


class Cut(NamedTuple):
    """The part of a graph that fits, and what is said of the rest."""

    graph: Graph
    note: str = ""


def entity_json(entity: Entity) -> dict[str, Json]:
    """An entity in the words of the server."""
    name, type_, observations = entity
    return {"name": name, "entityType": type_, "observations": [*observations]}


def relation_json(relation: Relation) -> dict[str, Json]:
    """A relation in the words of the server."""
    source, target, type_ = relation
    return {"from": source, "to": target, "relationType": type_}


def observed_json(observed: Observed) -> dict[str, Json]:
    """What was added to an entity in the words of the server."""
    return {"entityName": observed.name, "addedObservations": [*observed.observations]}


def graph_json(graph: Graph) -> dict[str, Json]:
    """A graph in the words of the server."""
    return {
        "entities": [*map(entity_json, graph.entities)],
        "relations": [*map(relation_json, graph.relations)],
    }


def text_of_json(value: Json) -> str:
    """JSON as the server writes it, in which half a character is escaped."""
    text = json.dumps(value, ensure_ascii=False, indent=2)
    return re.sub(SURROGATE, lambda half: f"\\u{ord(half[0]):04x}", text)


def cut(graph: Graph, max_tokens: int) -> Cut:
    """The first entities that fit, then the relations of these that do; with 0 all of it."""
    whole = tokens(text_of_json(graph_json(graph)))
    if not max_tokens or whole <= max_tokens:
        return Cut(graph)
    left = max_tokens - _LEAST
    entities, left = _fitting(graph.entities, [_size(entity_json(e)) for e in graph.entities], left)
    if not entities and graph.entities:
        entities = [_shortened(graph.entities[0], left)]
        left = 0
    ends = {entity.name for entity in entities}
    near = [each for each in graph.relations if {each.source, each.target} & ends]
    relations, _ = _fitting(near, [_size(relation_json(each)) for each in near], left)
    part = Graph(tuple(entities), tuple(relations))
    return Cut(part, _note(graph, part, max_tokens))


def _size(value: dict[str, Json]) -> int:
    return tokens(text_of_json({"entities": [value]}))


def _fitting(items: Sequence[T], sizes: Iterable[int], left: int) -> tuple[list[T], int]:
    kept = list[T]()
    for item, size in zip(items, sizes, strict=True):
        if size > left:
            break
        kept.append(item)
        left -= size
    return kept, left


def _shortened(entity: Entity, left: int) -> Entity:
    """An entity that does not fit, with the observations that do."""
    left -= _size(entity_json(entity._replace(observations=())))
    sizes = [_size({"": each}) for each in entity.observations]
    kept, _ = _fitting(entity.observations, sizes, left)
    return entity._replace(observations=tuple(kept))


def _note(graph: Graph, part: Graph, max_tokens: int) -> str:
    entities = len(graph.entities) - len(part.entities)
    relations = len(graph.relations) - len(part.relations)
    said = sum(len(each.observations) for each in graph.entities[: len(part.entities)])
    observations = said - sum(len(each.observations) for each in part.entities)
    counts = (
        counted(entities, "entity", "entities") if entities else "",
        counted(observations, "observation") if observations else "",
        counted(relations, "relation") if relations else "",
    )
    more = ", ".join(filter(None, counts))
    return f"cut at {max_tokens:,} tokens: {more} more; search_nodes and open_nodes narrow it down"
