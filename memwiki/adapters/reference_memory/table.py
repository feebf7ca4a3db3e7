"""What the reference memory server lists as its nine tools, word by word."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple, TypeAlias

Schema: TypeAlias = dict[str, Any]

_DRAFT = "http://json-schema.org/draft-07/schema#"
_TEXT: Schema = {"type": "string"}


class ReferenceTool(NamedTuple):
    """One tool as it is listed."""

    name: str
    title: str
    description: str
    input_schema: Schema
    output_schema: Schema
    hints: Mapping[str, bool]
    execution: Mapping[str, str]

    @property
    def row(self) -> dict[str, Any]:
        """The tool as MCP lists it."""
        row: dict[str, Any] = {
            "name": self.name,
            "title": self.title,
            "description": self.description,
            "inputSchema": self.input_schema,
            "outputSchema": self.output_schema,
            "annotations": dict(self.hints),
        }
        return {**row, "execution": dict(self.execution)} if self.execution else row


def _about(description: str, schema: Schema) -> Schema:
    return {**schema, "description": description}


def _list(items: Schema) -> Schema:
    return {"type": "array", "items": items}


def _object(**properties: Schema) -> Schema:
    required: Schema = {"required": [*properties]} if properties else {}
    return {"type": "object", "properties": {**properties}, **required}


def _closed(schema: Schema) -> Schema:
    return {**schema, "additionalProperties": False}


def _whole(schema: Schema) -> Schema:
    return {"$schema": _DRAFT, **schema}


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


def _hints(*, reads: bool = False, destroys: bool = False) -> Mapping[str, bool]:
    return {
        "readOnlyHint": reads,
        "destructiveHint": destroys,
        "idempotentHint": reads or destroys,
        "openWorldHint": False,
    }


_ADDS, _READS, _DELETES = _hints(), _hints(reads=True), _hints(destroys=True)


def _tool(
    name: str, description: str, given: Schema, answered: Schema, hints: Mapping[str, bool]
) -> ReferenceTool:
    title = name.replace("_", " ").title()
    schemas = _whole(given), _whole(_closed(answered))
    return ReferenceTool(name, title, description, *schemas, hints, {"taskSupport": "forbidden"})


TOOLS = (
    _tool(
        "create_entities",
        "Create multiple new entities in the knowledge graph",
        _object(entities=_list(_ENTITY)),
        _object(entities=_ENTITIES),
        _ADDS,
    ),
    _tool(
        "create_relations",
        "Create multiple new relations between entities in the knowledge graph."
        " Relations should be in active voice",
        _object(relations=_list(_RELATION)),
        _object(relations=_RELATIONS),
        _ADDS,
    ),
    _tool(
        "add_observations",
        "Add new observations to existing entities in the knowledge graph",
        _object(observations=_list(_ADDED)),
        _object(results=_list(_RESULT)),
        _ADDS,
    ),
    _tool(
        "delete_entities",
        "Delete multiple entities and their associated relations from the knowledge graph",
        _object(entityNames=_about("An array of entity names to delete", _list(_TEXT))),
        _DONE,
        _DELETES,
    ),
    _tool(
        "delete_observations",
        "Delete specific observations from entities in the knowledge graph",
        _object(deletions=_list(_DELETION)),
        _DONE,
        _DELETES,
    ),
    _tool(
        "delete_relations",
        "Delete multiple relations from the knowledge graph",
        _object(relations=_about("An array of relations to delete", _list(_RELATION))),
        _DONE,
        _DELETES,
    ),
    _tool("read_graph", "Read the entire knowledge graph", _object(), _GRAPH, _READS),
    _tool(
        "search_nodes",
        "Search for nodes in the knowledge graph based on a query",
        _object(
            query=_about(
                "The search query to match against entity names, types, and observation content",
                _TEXT,
            )
        ),
        _GRAPH,
        _READS,
    ),
    _tool(
        "open_nodes",
        "Open specific nodes in the knowledge graph by their names",
        _object(names=_about("An array of entity names to retrieve", _list(_TEXT))),
        _GRAPH,
        _READS,
    ),
)
