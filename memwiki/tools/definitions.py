"""What a model or its program is told of the tools, in the form of each API."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from memwiki.tools.profiles import tools
from memwiki.tools.table import Tool


def definitions(profile: str, format: str = "mcp", *, is_read_only: bool = False) -> list[Any]:  # noqa: A002 - as the command line says it
    """The tools of a profile as an API takes them: mcp, anthropic or openai."""
    return [_SHAPES[format](each) for each in tools(profile, is_read_only=is_read_only).values()]


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
        "inputSchema": tool.schema,
        "annotations": hints,
    }


def _as_anthropic(tool: Tool) -> dict[str, Any]:
    return {"name": tool.name, "description": tool.description, "input_schema": tool.schema}


def _as_openai(tool: Tool) -> dict[str, Any]:
    function = {"name": tool.name, "description": tool.description, "parameters": tool.schema}
    return {"type": "function", "function": function}


_SHAPES: Mapping[str, Callable[[Tool], dict[str, Any]]] = {
    "mcp": _as_mcp,
    "anthropic": _as_anthropic,
    "openai": _as_openai,
}
