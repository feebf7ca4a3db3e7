"""What the reference memory server lists as its nine tools, word by word."""

from __future__ import annotations

from typing import Any, TypeAlias

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


def _closed(schema: Schema) -> Schema:
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
_RESULT = _closed(_object(entityName=_TEXT, addedObservations=_list(_TEXT)))
_ENTITIES, _RELATIONS = _list(_closed(_ENTITY)), _list(_closed(_RELATION))
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
        "outputSchema": {"$schema": _DRAFT, **_closed(answered)},
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
