"""The reference memory server as a service."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from threading import Lock
from typing import TYPE_CHECKING

from memwiki.doors.service import Progress, Resource, Service, told_at_start
from memwiki.errors import MemwikiError, ReadOnlyError
from memwiki.importing import adapter
from memwiki.nouns import Json
from memwiki.tools import DoorFlags, DoorSettings, Limiter, ToolAnswer, door_settings
from memwiki.tools.call import require_size

if TYPE_CHECKING:
    from memwiki.workspace import Workspace


class ReferenceService(Service):
    """Its nine tools and its resource, as published."""

    def __init__(self, max_tokens: int | None = None, missing: MemwikiError | None = None) -> None:
        self._server = adapter("reference-memory")
        self.name = self._server.SERVER_NAME
        self.instructions = told_at_start("", missing)
        self._flags = DoorFlags()
        self._max_tokens = self._server.MAX_TOKENS if max_tokens is None else max_tokens
        self._lock, self._is_taken_in = Lock(), False
        self.tools, self.resources = self._server.TOOLS, (self._server.RESOURCE,)

    def is_reading(self, tool: str) -> bool:
        """Whether a tool changes nothing."""
        return any(
            row["name"] == tool and row["annotations"].get("readOnlyHint") for row in self.tools
        )

    def call(
        self,
        ws: Workspace,
        tool: str,
        arguments: Mapping[str, Json],
        limiter: Limiter,
        progress: Progress | None = None,
    ) -> ToolAnswer:
        """Run a tool within the limits of the workspace; every failure is an answer."""
        if not self.is_reading(tool):
            settings = door_settings(ws.config, self._flags)
            if misled := ws.settings_error:
                raise misled
            _require_allowed(tool, arguments, settings, limiter)
        self._take_in(ws)
        with ws.one_sweep(progress):
            answer: ToolAnswer = self._server.call(ws, tool, arguments, max_tokens=self._max_tokens)
        return answer

    def read(self, ws: Workspace, uri: str) -> Resource | None:
        """The whole graph."""
        row = self.resources[0]
        if uri != row["uri"]:
            return None
        self._take_in(ws)
        return Resource(uri, row["mimeType"], self._server.resource_text(ws))

    def touched(self, _paths: Sequence[str]) -> Sequence[str]:
        """The graph is one resource."""
        return [self.resources[0]["uri"]]

    def shown(self, ws: Workspace) -> Workspace:
        """What is private is not in the graph."""
        return ws.public()

    def _take_in(self, ws: Workspace) -> None:
        """What the reference server kept in its file, before the first answer; not into a workspace
        that doors only read."""
        if door_settings(ws.config, self._flags).is_read_only:
            return
        with self._lock:
            if not self._is_taken_in:
                self._server.import_once(ws, ws.environ)
                self._is_taken_in = True


def _require_allowed(
    tool: str, arguments: Mapping[str, Json], settings: DoorSettings, limiter: Limiter
) -> None:
    """Refuse a change that the workspace does not allow here."""
    if settings.is_read_only:
        raise ReadOnlyError(tool)
    require_size(arguments, settings.max_text_kb)
    limiter.take(settings.writes_per_minute)
