"""What a model or its program is told of the tools, in the form of each API."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from memwiki.answers.check import CheckReport
from memwiki.answers.curation import (
    AddReport,
    AskAnswer,
    Brief,
    ProposalList,
    ProposalView,
    Reviewed,
    SourceLines,
)
from memwiki.answers.entries import (
    AddedMessage,
    EntityCandidates,
    EntityList,
    EntryView,
    SessionList,
    SessionView,
    UpkeepReport,
)
from memwiki.answers.graph import GraphAnswer, LinkList
from memwiki.answers.index import PathStatus, Status
from memwiki.answers.pages import Browse, Edited, History, LogList, PageAt, PageView
from memwiki.answers.recall import Recall, SearchAnswer
from memwiki.present.plain import Shape, shape_of
from memwiki.tools.profiles import tools
from memwiki.tools.table import Tool

_MIN_UNTOLD = 1_000_000  # a maximum that nobody comes near
_ANSWERS: Mapping[str, tuple[type, ...]] = {
    "recall": (Recall,),
    "ask": (Brief, AskAnswer),
    "search": (SearchAnswer,),
    "read": (PageView, EntryView),
    "browse": (Browse,),
    "links": (LinkList, GraphAnswer),
    "add": (AddReport,),
    "status": (Status, PathStatus, CheckReport, LogList),
    "history": (History, PageAt),
    "session": (SessionList, SessionView, AddedMessage, Edited),
    "entities": (EntityList, EntityCandidates, Edited),
    "upkeep": (UpkeepReport,),
    "propose": (ProposalView, SourceLines, Brief),
    "review": (ProposalList, ProposalView, Reviewed),
    "create_memory": (AddReport,),
    "search_memories": (Recall,),
    "memory_search": (Recall,),
}


def definitions(profile: str, format: str = "mcp", *, is_read_only: bool = False) -> list[Any]:  # noqa: A002 - as the command line says it
    """The tools of a profile as an API takes them: mcp, anthropic or openai."""
    return [_SHAPES[format](each) for each in tools(profile, is_read_only=is_read_only).values()]


def _without_bounds(schema: object) -> object:
    """A schema without bounds that nobody comes near, which are bytes in every conversation."""
    if isinstance(schema, list):
        return [_without_bounds(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    return {
        name: _without_bounds(each)
        for name, each in schema.items()
        if name != "maximum" or isinstance(each, dict) or each < _MIN_UNTOLD
    }


def _as_mcp(tool: Tool) -> dict[str, Any]:
    hints = {
        "title": tool.title,
        "readOnlyHint": tool.hints.is_read_only,
        "idempotentHint": tool.hints.is_idempotent,
        "destructiveHint": tool.hints.is_destructive,
        "openWorldHint": False,
    }
    return {
        "name": tool.name,
        "title": tool.title,
        "description": tool.description,
        "inputSchema": _without_bounds(tool.schema),
        "annotations": hints,
    }


def _as_anthropic(tool: Tool) -> dict[str, Any]:
    return {
        "name": tool.name,
        "description": tool.description,
        "input_schema": _without_bounds(tool.schema),
    }


def _as_openai(tool: Tool) -> dict[str, Any]:
    function = {
        "name": tool.name,
        "description": tool.description,
        "parameters": _without_bounds(tool.schema),
    }
    return {"type": "function", "function": function}


_SHAPES: Mapping[str, Callable[[Tool], dict[str, Any]]] = {
    "mcp": _as_mcp,
    "anthropic": _as_anthropic,
    "openai": _as_openai,
}


@cache
def output_schema(tool: str) -> Shape:
    """The JSON Schema of a tool's structured answer; what changes files answers what it changed."""
    return shape_of(*_ANSWERS.get(tool, (Edited,)))
