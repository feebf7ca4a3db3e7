"""A graph as the file that the reference memory server keeps: one JSON object a line."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from memwiki.answers.knowledge import Graph
from memwiki.names import SURROGATE


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
