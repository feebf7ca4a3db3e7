"""What a server serves: tools, resources and prompts; and what the log says of a fault: where and
of what kind, never what was asked or found.
"""

from __future__ import annotations

import logging
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from memwiki.nouns import Json
from memwiki.tools.call import frames

if TYPE_CHECKING:
    from memwiki.tools import Limiter
    from memwiki.workspace import Workspace

Progress: TypeAlias = "Callable[[int, int], None]"
Row: TypeAlias = "Mapping[str, Any]"  # as the protocol writes it


def be_terse(tell: Callable[[str], None]) -> None:
    """Keep the words of libraries and of failed threads out of the log: they quote requests."""
    root = logging.getLogger()
    root.handlers[:] = [_Terse(tell)]
    root.setLevel(logging.WARNING)
    threading.excepthook = lambda failed: tell(frames(failed.exc_value))


class _Terse(logging.Handler):
    def __init__(self, tell: Callable[[str], None]) -> None:
        super().__init__()
        self._tell = tell

    def emit(self, record: logging.LogRecord) -> None:
        kind = record.exc_info[0] if record.exc_info else None
        said = f"{record.levelname.lower()} at {record.name}:{record.lineno}"
        self._tell(f"{said} {kind.__name__}" if kind else said)


class Reply(NamedTuple):
    """What a call answers: blocks of text, and JSON where that is asked for."""

    texts: Sequence[str]
    structured: dict[str, Json] | None = None
    is_error: bool = False


class Resource(NamedTuple):
    """What is read under a URI."""

    uri: str
    mime_type: str
    text: str


class Service(ABC):
    """One table of tools with what belongs to it."""

    name: str  # of the server
    instructions: str  # what a model is told at the start, "" for nothing
    tools: Sequence[Row]
    resources: Sequence[Row]
    templates: Sequence[Row] = ()  # URIs of resources that are not listed one by one
    prompts: Sequence[Row] = ()

    @abstractmethod
    def is_reading(self, tool: str) -> bool:
        """Whether a tool changes nothing."""

    def is_long(self, _tool: str, _arguments: Mapping[str, Json]) -> bool:
        """Whether a call that reads may take so long that others are not to wait behind it."""
        return False

    @abstractmethod
    def call(
        self,
        ws: Workspace,
        tool: str,
        arguments: Mapping[str, Json],
        limiter: Limiter,
        progress: Progress | None = None,
    ) -> Reply:
        """Run a tool for a connection, whose changes the limiter counts; every failure is a reply.
        `progress` is told how many of how many changed files are read first, and may end what reads
        by raising."""

    @abstractmethod
    def read(self, ws: Workspace, uri: str) -> Resource | None:
        """A resource, None where there is none."""

    def completions(self, _ws: Workspace, _uri: str, _typed: str) -> Sequence[str]:
        """What a variable of a template may be that begins so."""
        return ()

    def prompt(self, _ws: Workspace, _name: str, _arguments: Mapping[str, str]) -> str | None:
        """The text of a prompt, None for one that is not known."""
        return None

    @abstractmethod
    def touched(self, paths: Sequence[str]) -> Sequence[str]:
        """The URIs that a change of pages is told under."""

    @abstractmethod
    def shown(self, ws: Workspace) -> Workspace:
        """What of a workspace is told of."""
