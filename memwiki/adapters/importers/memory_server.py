"""The file of the reference MCP memory server: a graph that becomes pages of entities."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from datetime import datetime

from memwiki.adapter_api import (
    Entity,
    EntityPages,
    Graph,
    Relation,
    counted,
    entity_folder,
    pages_with_graph,
    why_no_entity,
)
from memwiki.adapters.importers.lines import PlacedValue, Record, lines_of, text_of
from memwiki.importing import (
    ImportSource,
    ImportTarget,
    Incoming,
    IncomingFile,
)

KIND = "memory-server"
_TYPED = re.compile(rb'"type"\s*:\s*"(?:entity|relation)"')
_SHAPED = re.compile(rb'"(?:entityType|relationType)"\s*:')
_ENTITY = {"type", "name", "entityType", "observations"}
_RELATION = {"type", "from", "to", "relationType"}


def is_kind(source: ImportSource) -> bool:
    """Whether it is one file whose first line is an entity or a relation."""
    names = source.names()
    if len(names) != 1 or not names[0].lower().endswith((".json", ".jsonl")):
        return False
    first = source.head(names[0]).lstrip().partition(b"\n")[0]
    return first.startswith(b"{") and all(each.search(first) for each in (_TYPED, _SHAPED))


def incoming(source: ImportSource, target: ImportTarget) -> Incoming:
    """The pages that change when the graph is added to those of the workspace."""
    name = next(iter(source.names()), "")
    graph, notes = _read(name, text_of(name, source.read(name)))
    known = target.pages(entity_folder(target.layers))
    pages = EntityPages(target.read, target.layers, known)
    written = pages_with_graph(pages, graph, datetime.fromisoformat(target.day))
    files = (
        IncomingFile(each.path, each.data, name, is_united=each.before is not None)
        for each in written
    )
    return Incoming(KIND, tuple(files), notes=notes)


def _read(name: str, text: str) -> tuple[Graph, tuple[str, ...]]:
    entities, relations = list[Entity](), list[Relation]()
    others = Counter[str]()
    for placed in lines_of(name, text):
        record = placed.record()
        match record.get("type"):
            case "entity":
                entities.append(_entity(placed, record))
                others.update(record.keys() - _ENTITY)
            case "relation":
                relations.append(_relation(placed, record))
                others.update(record.keys() - _RELATION)
            case _:
                placed.refuse("neither an entity nor a relation")
    return Graph(tuple(entities), tuple(relations)), tuple(_notes(others))


def _notes(others: Counter[str]) -> Iterator[str]:
    """What the server itself does not write has no place in a graph."""
    for name, count in sorted(others.items()):
        yield f"not imported: {name!r} of {counted(count, 'line')}, which the server does not know"


def _entity(placed: PlacedValue, record: Record) -> Entity:
    observations = record.get("observations", [])
    if not isinstance(observations, list):
        placed.refuse("observations is not a list")
    texts = tuple(each for each in observations if isinstance(each, str))
    if len(texts) < len(observations):
        placed.refuse("an observation is not a text")
    entity = Entity(_text(placed, record, "name"), _text(placed, record, "entityType"), texts)
    if reason := why_no_entity(entity.name, entity.type):
        placed.refuse(reason)
    return entity


def _relation(placed: PlacedValue, record: Record) -> Relation:
    source, target = (_text(placed, record, name) for name in ("from", "to"))
    return Relation(source, target, _text(placed, record, "relationType"))


def _text(placed: PlacedValue, record: Record, name: str) -> str:
    value = record.get(name)
    if not isinstance(value, str):
        placed.refuse(f"{name} is not a text")
    return value
