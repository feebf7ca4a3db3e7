"""Calls of the reference server's tools, answered from a workspace as that server answers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from memwiki.answers.knowledge import Entity, Graph, Observed, Relation
from memwiki.doors.reference_memory.arguments import why_refused
from memwiki.doors.reference_memory.table import TOOLS
from memwiki.doors.reference_memory.written import (
    cut,
    entity_json,
    graph_json,
    observed_json,
    relation_json,
    text_of_json,
)
from memwiki.errors import MemwikiError, NotFoundError, UsageError
from memwiki.fence import one_line
from memwiki.model import Json

if TYPE_CHECKING:
    from memwiki.answers.carry import ImportReport
    from memwiki.workspace import Workspace

MAX_TOKENS = 20_000
_BY_NAME = {tool.name: tool for tool in TOOLS}
Given = Mapping[str, Any]  # as the schema of the tool has it


class Answer(NamedTuple):
    """What a call answers; an error has no structured part."""

    text: str
    structured: dict[str, Json] | None = None
    is_error: bool = False
    notes: tuple[str, ...] = ()  # further blocks of text


def call(
    ws: Workspace, name: str, arguments: Mapping[str, Json] | None, *, max_tokens: int = MAX_TOKENS
) -> Answer:
    """Call a tool; a graph of more tokens is cut, and a further block says so, but never with 0."""
    tool = _BY_NAME.get(name)
    if tool is None:
        return Answer(f"MCP error -32602: Tool {name} not found", is_error=True)
    given: Given = arguments or {}
    if reason := why_refused(tool, given):
        return Answer(reason, is_error=True)
    try:
        if name in _WRITERS:
            return _WRITERS[name](ws, given)
        graph = _READERS[name](ws, given)
        notes = _near(ws, given["query"]) if name == "search_nodes" and not graph.entities else ()
    except MemwikiError as error:
        return Answer(_said(error), is_error=True)
    part = cut(graph, max_tokens)
    value = graph_json(part.graph)
    return Answer(text_of_json(value), value, notes=(*filter(None, [part.note]), *notes))


def _said(error: MemwikiError) -> str:
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


def _create_entities(ws: Workspace, given: Given) -> Answer:
    asked = [
        Entity(each["name"], each["entityType"], tuple(each["observations"]))
        for each in given["entities"]
    ]
    return _listed("entities", [entity_json(e) for e in ws.knowledge.create_entities(asked)])


def _create_relations(ws: Workspace, given: Given) -> Answer:
    made = ws.knowledge.create_relations(map(_relation, given["relations"]))
    return _listed("relations", [relation_json(each) for each in made])


def _add_observations(ws: Workspace, given: Given) -> Answer:
    asked = [
        Observed(each["entityName"], tuple(each["contents"])) for each in given["observations"]
    ]
    try:
        made = ws.knowledge.add_observations(asked)
    except NotFoundError as error:
        return Answer(error.message, is_error=True)
    return _listed("results", [observed_json(each) for each in made])


def _listed(name: str, found: list[dict[str, Json]]) -> Answer:
    rows: list[Json] = [*found]
    return Answer(text_of_json(rows), {name: rows})


def _delete_entities(ws: Workspace, given: Given) -> Answer:
    ws.knowledge.delete_entities(given["entityNames"])
    return _deleted("Entities")


def _delete_observations(ws: Workspace, given: Given) -> Answer:
    rows = given["deletions"]
    doomed = (Observed(each["entityName"], tuple(each["observations"])) for each in rows)
    ws.knowledge.delete_observations(doomed)
    return _deleted("Observations")


def _delete_relations(ws: Workspace, given: Given) -> Answer:
    ws.knowledge.delete_relations(map(_relation, given["relations"]))
    return _deleted("Relations")


def _deleted(what: str) -> Answer:
    message = f"{what} deleted successfully"
    return Answer(message, {"success": True, "message": message})


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


_WRITERS: Mapping[str, Callable[[Workspace, Given], Answer]] = {
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
