"""The reference memory server as a service."""

from __future__ import annotations

from collections.abc import Mapping
from threading import Lock
from typing import TYPE_CHECKING, Any

from memwiki.doors.mcp.service import Progress, Reply, Resource, Row
from memwiki.doors.reference_memory.serving import MAX_TOKENS, call, import_once, resource_text
from memwiki.doors.reference_memory.table import RESOURCE, SERVER_NAME, TOOLS, Tool
from memwiki.model import Json

if TYPE_CHECKING:
    from memwiki.workspace import Workspace


class ReferenceService:
    """Its nine tools and its resource, as published."""

    name = SERVER_NAME
    instructions = ""
    templates: tuple[Row, ...] = ()
    prompts: tuple[Row, ...] = ()

    def __init__(self, max_tokens: int | None = None) -> None:
        self._max_tokens = MAX_TOKENS if max_tokens is None else max_tokens
        self._lock, self._is_taken_in = Lock(), False
        self.tools = [_row(tool) for tool in TOOLS]
        self.resources = (
            {
                "uri": RESOURCE.uri,
                "name": RESOURCE.name,
                "title": RESOURCE.title,
                "description": RESOURCE.description,
                "mimeType": RESOURCE.mime_type,
            },
        )

    def is_reading(self, tool: str) -> bool:
        """Whether a tool changes nothing."""
        return any(each.name == tool and each.hints.get("readOnlyHint") for each in TOOLS)

    def call(
        self,
        ws: Workspace,
        tool: str,
        arguments: Mapping[str, Json],
        progress: Progress | None = None,
    ) -> Reply:
        """Run a tool; every failure is a reply."""
        self._take_in(ws)
        with ws.one_sweep(progress):
            answer = call(ws, tool, arguments, max_tokens=self._max_tokens)
        return Reply([answer.text, *answer.notes], answer.structured, answer.is_error)

    def read(self, ws: Workspace, uri: str) -> Resource | None:
        """The whole graph."""
        if uri != RESOURCE.uri:
            return None
        self._take_in(ws)
        return Resource(uri, RESOURCE.mime_type, resource_text(ws))

    def _take_in(self, ws: Workspace) -> None:
        """What the reference server kept in its file, before the first answer."""
        with self._lock:
            if not self._is_taken_in:
                import_once(ws, ws.environ)
                self._is_taken_in = True

    def prompt(self, _ws: Workspace, _name: str, _arguments: Mapping[str, str]) -> str | None:
        """It has none."""
        return None


def _row(tool: Tool) -> Row:
    row: dict[str, Any] = {
        "name": tool.name,
        "title": tool.title,
        "description": tool.description,
        "inputSchema": tool.input_schema,
        "outputSchema": tool.output_schema,
        "annotations": dict(tool.hints),
    }
    return {**row, "execution": dict(tool.execution)} if tool.execution else row
