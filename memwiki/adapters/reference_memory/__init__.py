"""The tools of the reference server, word by word; calls checked and answered as it does."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias, TypeVar

from memwiki import MemwikiError
from memwiki.adapter_api import (
    SURROGATE,
    Entity,
    Graph,
    Json,
    NotFoundError,
    Observed,
    Relation,
    ToolAnswer,
    UsageError,
    counted,
    one_line,
    tokens,
)

if TYPE_CHECKING:
    from memwiki import Workspace
    from memwiki.adapter_api import ImportReport

JsonObject: TypeAlias = dict[str, Json]
Schema: TypeAlias = dict[str, Any]

_DRAFT = "http://json-schema.org/draft-07/schema#"
_TEXT: Schema = {"type": "string"}


def _about(description: str, schema: Schema) -> Schema:
    return {**schema, "description": description}


def _list(items: Schema) -> Schema:
    return {"type": "array", "items": items}


def _object(**properties: Schema) -> Schema:
    required: Schema = {"required": [*properties]} if properties else {}
    return {"type": "object", "properties": {**properties}, **required}


def _close(schema: Schema) -> Schema:
    return {**schema, "additionalProperties": False}


_ENTITY = _object(
    name=_about("The name of the entity", _TEXT),
    entityType=_about("The type of the entity", _TEXT),
    observations=_about(
        "An array of observation contents associated with the entity", _list(_TEXT)
    ),
)
_RELATION = _object(
    **{"from": _about("The name of the entity where the relation starts", _TEXT)},
    to=_about("The name of the entity where the relation ends", _TEXT),
    relationType=_about("The type of the relation", _TEXT),
)
_ADDED = _object(
    entityName=_about("The name of the entity to add the observations to", _TEXT),
    contents=_about("An array of observation contents to add", _list(_TEXT)),
)
_DELETION = _object(
    entityName=_about("The name of the entity containing the observations", _TEXT),
    observations=_about("An array of observations to delete", _list(_TEXT)),
)
_RESULT = _close(_object(entityName=_TEXT, addedObservations=_list(_TEXT)))
_ENTITIES, _RELATIONS = _list(_close(_ENTITY)), _list(_close(_RELATION))
_GRAPH = _object(entities=_ENTITIES, relations=_RELATIONS)
_DONE = _object(success={"type": "boolean"}, message=_TEXT)


def _hints(*, reads: bool = False, destroys: bool = False) -> dict[str, bool]:
    return {
        "readOnlyHint": reads,
        "destructiveHint": destroys,
        "idempotentHint": reads or destroys,
        "openWorldHint": False,
    }


_ADDS, _READS, _DELETES = _hints(), _hints(reads=True), _hints(destroys=True)


def _tool(
    name: str, description: str, hints: dict[str, bool], answered: Schema, **given: Schema
) -> Schema:
    """A tool as MCP lists it."""
    return {
        "name": name,
        "title": name.replace("_", " ").title(),
        "description": description,
        "inputSchema": {"$schema": _DRAFT, **_object(**given)},
        "outputSchema": {"$schema": _DRAFT, **_close(answered)},
        "annotations": hints,
        "execution": {"taskSupport": "forbidden"},
    }


TOOLS = (
    _tool(
        "create_entities",
        "Create multiple new entities in the knowledge graph",
        _ADDS,
        _object(entities=_ENTITIES),
        entities=_list(_ENTITY),
    ),
    _tool(
        "create_relations",
        "Create multiple new relations between entities in the knowledge graph."
        " Relations should be in active voice",
        _ADDS,
        _object(relations=_RELATIONS),
        relations=_list(_RELATION),
    ),
    _tool(
        "add_observations",
        "Add new observations to existing entities in the knowledge graph",
        _ADDS,
        _object(results=_list(_RESULT)),
        observations=_list(_ADDED),
    ),
    _tool(
        "delete_entities",
        "Delete multiple entities and their associated relations from the knowledge graph",
        _DELETES,
        _DONE,
        entityNames=_about("An array of entity names to delete", _list(_TEXT)),
    ),
    _tool(
        "delete_observations",
        "Delete specific observations from entities in the knowledge graph",
        _DELETES,
        _DONE,
        deletions=_list(_DELETION),
    ),
    _tool(
        "delete_relations",
        "Delete multiple relations from the knowledge graph",
        _DELETES,
        _DONE,
        relations=_about("An array of relations to delete", _list(_RELATION)),
    ),
    _tool("read_graph", "Read the entire knowledge graph", _READS, _GRAPH),
    _tool(
        "search_nodes",
        "Search for nodes in the knowledge graph based on a query",
        _READS,
        _GRAPH,
        query=_about(
            "The search query to match against entity names, types, and observation content", _TEXT
        ),
    ),
    _tool(
        "open_nodes",
        "Open specific nodes in the knowledge graph by their names",
        _READS,
        _GRAPH,
        names=_about("An array of entity names to retrieve", _list(_TEXT)),
    ),
)


_MISSING = object()
SERVER_NAME = "memory-server"
RESOURCE = {
    "uri": "memory://knowledge-graph",
    "name": "knowledge-graph",
    "title": "Knowledge Graph",
    "description": "The full knowledge graph with all entities and relations",
    "mimeType": "application/json",
}
MAX_TOKENS = 20_000
_INPUTS = {tool["name"]: tool["inputSchema"] for tool in TOOLS}
Given = Mapping[str, Any]  # as the schema of the tool has it
T = TypeVar("T")
_MIN_TOKENS = 12  # tokens around everything


def _wrong(schema: Schema, value: object, place: str) -> Iterator[str]:
    """What is wrong with a value, at any depth; names that the schema lacks are not looked at."""
    expected, received = schema["type"], _kind(value)
    if received != expected:
        at = f" at {place.removeprefix('.')}" if place else ""
        yield f"Invalid input: expected {expected}, received {received}{at}"
    elif isinstance(value, list):
        for number, each in enumerate(value):
            yield from _wrong(schema["items"], each, f"{place}[{number}]")
    elif isinstance(value, dict):
        for name, each in schema["properties"].items():
            yield from _wrong(each, value.get(name, _MISSING), f"{place}.{name}")


def _kind(value: object) -> str:
    if value is _MISSING:
        return "undefined"
    if value is None or isinstance(value, bool):
        return "null" if value is None else "boolean"
    kinds = {str: "string", list: "array", dict: "object"}
    return next((name for kind, name in kinds.items() if isinstance(value, kind)), "number")


def call(
    ws: Workspace, name: str, arguments: Mapping[str, Json] | None, *, max_tokens: int = MAX_TOKENS
) -> ToolAnswer:
    """Call a tool; a graph of more tokens is cut, and a further block says so, but never with 0."""
    if name not in _INPUTS:
        return ToolAnswer(f"MCP error -32602: Tool {name} not found", is_error=True)
    given: Given = dict(arguments or {})
    if wrong := list(_wrong(_INPUTS[name], given, "")):
        head = f"MCP error -32602: Input validation error: Invalid arguments for tool {name}: "
        return ToolAnswer(head + "\n".join(wrong), is_error=True)
    try:
        if name in _WRITERS:
            return _WRITERS[name](ws, given)
        graph = _READERS[name](ws, given)
        notes = _near(ws, given["query"]) if name == "search_nodes" and not graph.entities else ()
    except MemwikiError as error:
        return ToolAnswer(_error_text(error), is_error=True)
    part = cut_graph(graph, max_tokens)
    value = graph_json(part.graph)
    return ToolAnswer(text_of_json(value), value, notes=(*filter(None, [part.note]), *notes))


def _error_text(error: MemwikiError) -> str:
    """What is wrong and the next step, in which nothing that is stored hides or steers."""
    hint = f"\nnext: {one_line(error.hint)}" if error.hint else ""
    return f"error {error.code}: {one_line(error.message)}{hint}"


def resource_text(ws: Workspace) -> str:
    """The whole graph, as the resource says it."""
    return text_of_json(graph_json(ws.knowledge.read_graph()))


def import_once(ws: Workspace, environ: Mapping[str, str]) -> ImportReport | None:
    """Take in the file that MEMORY_FILE_PATH names, unless these bytes were taken in before; it is
    never written."""
    location = environ.get("MEMORY_FILE_PATH", "")
    return ws.carry.import_once(location, kind="memory-server") if location else None


# --- the tools ---


def _create_entities(ws: Workspace, given: Given) -> ToolAnswer:
    asked = [
        Entity(each["name"], each["entityType"], tuple(each["observations"]))
        for each in given["entities"]
    ]
    return _rows_answer("entities", [entity_json(e) for e in ws.knowledge.create_entities(asked)])


def _create_relations(ws: Workspace, given: Given) -> ToolAnswer:
    made = ws.knowledge.create_relations(map(_relation, given["relations"]))
    return _rows_answer("relations", [relation_json(each) for each in made])


def _add_observations(ws: Workspace, given: Given) -> ToolAnswer:
    asked = [
        Observed(each["entityName"], tuple(each["contents"])) for each in given["observations"]
    ]
    try:
        made = ws.knowledge.add_observations(asked)
    except NotFoundError as error:
        return ToolAnswer(error.message, is_error=True)
    return _rows_answer("results", [observed_json(each) for each in made])


def _rows_answer(name: str, found: list[JsonObject]) -> ToolAnswer:
    rows: list[Json] = [*found]
    return ToolAnswer(text_of_json(rows), {name: rows})


def _delete_entities(ws: Workspace, given: Given) -> ToolAnswer:
    ws.knowledge.delete_entities(given["entityNames"])
    return _deleted("Entities")


def _delete_observations(ws: Workspace, given: Given) -> ToolAnswer:
    rows = given["deletions"]
    doomed = (Observed(each["entityName"], tuple(each["observations"])) for each in rows)
    ws.knowledge.delete_observations(doomed)
    return _deleted("Observations")


def _delete_relations(ws: Workspace, given: Given) -> ToolAnswer:
    ws.knowledge.delete_relations(map(_relation, given["relations"]))
    return _deleted("Relations")


def _deleted(what: str) -> ToolAnswer:
    message = f"{what} deleted successfully"
    return ToolAnswer(message, {"success": True, "message": message})


def _relation(each: Given) -> Relation:
    return Relation(each["from"], each["to"], each["relationType"])


def _near(ws: Workspace, query: str) -> tuple[str, ...]:
    """What the whole memory recalls, where the graph has nothing."""
    try:
        text, hits = ws.inject(query)
    except UsageError:  # what is no question is no text of an entity either
        return ()
    head = "No entity holds this text. The rest of the memory recalls:"
    return (f"{head}\n\n{text}",) if hits else ()


_WRITERS: Mapping[str, Callable[[Workspace, Given], ToolAnswer]] = {
    "create_entities": _create_entities,
    "create_relations": _create_relations,
    "add_observations": _add_observations,
    "delete_entities": _delete_entities,
    "delete_observations": _delete_observations,
    "delete_relations": _delete_relations,
}
_READERS: Mapping[str, Callable[[Workspace, Given], Graph]] = {
    "read_graph": lambda ws, _given: ws.knowledge.read_graph(),
    "search_nodes": lambda ws, given: ws.knowledge.search_nodes(given["query"]),
    "open_nodes": lambda ws, given: ws.knowledge.open_nodes(given["names"]),
}


class Cut(NamedTuple):
    """The part of a graph that fits, and what is said of the rest."""

    graph: Graph
    note: str = ""


def entity_json(entity: Entity) -> JsonObject:
    """An entity in the words of the server."""
    name, type_, observations = entity
    return {"name": name, "entityType": type_, "observations": [*observations]}


def relation_json(relation: Relation) -> JsonObject:
    """A relation in the words of the server."""
    source, target, type_ = relation
    return {"from": source, "to": target, "relationType": type_}


def observed_json(observed: Observed) -> JsonObject:
    """What was added to an entity in the words of the server."""
    return {"entityName": observed.name, "addedObservations": [*observed.observations]}


def graph_json(graph: Graph) -> JsonObject:
    """A graph in the words of the server."""
    return {
        "entities": [*map(entity_json, graph.entities)],
        "relations": [*map(relation_json, graph.relations)],
    }


def text_of_json(value: Json) -> str:
    """JSON as the server writes it, in which half a character is escaped."""
    text = json.dumps(value, ensure_ascii=False, indent=2)
    return re.sub(SURROGATE, lambda half: f"\\u{ord(half[0]):04x}", text)


def cut_graph(graph: Graph, max_tokens: int) -> Cut:
    """The first entities that fit, then the relations of these that do; with 0 all of it."""
    whole = tokens(text_of_json(graph_json(graph)))
    if not max_tokens or whole <= max_tokens:
        return Cut(graph)
    left = max_tokens - _MIN_TOKENS
    entities, left = _fitting(graph.entities, [_size(entity_json(e)) for e in graph.entities], left)
    if not entities and graph.entities:
        entities = [_shortened(graph.entities[0], left)]
        left = 0
    ends = {entity.name for entity in entities}
    near = [each for each in graph.relations if {each.source, each.target} & ends]
    relations, _ = _fitting(near, [_size(relation_json(each)) for each in near], left)
    part = Graph(tuple(entities), tuple(relations))
    return Cut(part, _note(graph, part, max_tokens))


def _size(value: JsonObject) -> int:
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
