"""A graph: where its pages are, parts of it, and the file of the reference memory server."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterable, Iterator

from memwiki.answers.entries import Entity, Graph
from memwiki.names import SURROGATE
from memwiki.nouns import Layers

_FOLDER, _LOOSE = "entities", "loose-relations"


def folder_of(layers: Layers) -> str:
    """The folder of the pages of entities."""
    return f"{layers.wiki}/{_FOLDER}" if layers.wiki else _FOLDER


def loose_path(layers: Layers) -> str:
    """The page of the relations whose source has no page."""
    return f"{folder_of(layers)}/{_LOOSE}.md"


def merge_named(entities: Iterable[Entity]) -> dict[str, Entity]:
    """Each name once: the first type counts, and a later one adds what is not observed yet."""
    found: dict[str, Entity] = {}
    known: dict[str, set[str]] = {}
    for entity in entities:
        first = found.get(entity.name)
        seen = known.setdefault(entity.name, set())
        if first is None:
            found[entity.name] = entity
        else:
            new = tuple(each for each in entity.observations if each not in seen)
            found[entity.name] = first._replace(observations=(*first.observations, *new))
        seen.update(entity.observations)
    return found


def matching(graph: Graph, query: str) -> Graph:
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


def to_lines(graph: Graph) -> bytes:
    """The bytes that the server would write for a graph."""
    return "".join(f"{_written(each)}\n" for each in _records(graph)).encode()


def _records(graph: Graph) -> Iterator[dict[str, object]]:
    for entity in graph.entities:
        yield {
            "type": "entity",
            "name": entity.name,
            "entityType": entity.type,
            "observations": list(entity.observations),
        }
    for relation in graph.relations:
        yield {
            "type": "relation",
            "from": relation.source,
            "to": relation.target,
            "relationType": relation.type,
        }


def _written(record: dict[str, object]) -> str:
    text = json.dumps(record, ensure_ascii=False, separators=(",", ":"))
    return re.sub(SURROGATE, lambda half: f"\\u{ord(half[0]):04x}", text)
