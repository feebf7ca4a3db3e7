"""What the log says of a fault: where and of what kind, never what was asked or found."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeAlias

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


class Service(Protocol):
    """One table of tools with what belongs to it."""

    @property
    def name(self) -> str:
        """The server's name."""

    @property
    def instructions(self) -> str:
        """What a model is told at the start, "" for nothing."""

    @property
    def tools(self) -> Sequence[Row]:
        """The tools that are listed."""

    @property
    def resources(self) -> Sequence[Row]:
        """The resources that are listed."""

    @property
    def templates(self) -> Sequence[Row]:
        """URIs of resources that are not listed one by one."""

    @property
    def prompts(self) -> Sequence[Row]:
        """The prompts that are listed."""

    def is_reading(self, tool: str) -> bool:
        """Whether a tool changes nothing."""

    def is_long(self, tool: str, arguments: Mapping[str, Json]) -> bool:
        """Whether a call that reads may take so long that others are not to wait behind it."""

    def call(
        self,
        ws: Workspace,
        tool: str,
        arguments: Mapping[str, Json],
        limiter: Limiter,
        progress: Progress | None = None,
    ) -> Reply:
        """Run a tool for a connection, whose changes the limiter counts. `progress` is told how
        many of how many changed files are read first, and may end what reads by raising."""

    def read(self, ws: Workspace, uri: str) -> Resource | None:
        """A resource, None where there is none."""

    def completions(self, ws: Workspace, uri: str, typed: str) -> Sequence[str]:
        """What a variable of a template may be that begins so."""

    def prompt(self, ws: Workspace, name: str, arguments: Mapping[str, str]) -> str | None:
        """The text of a prompt, None for one that is not known."""

    def touched(self, paths: Sequence[str]) -> Sequence[str]:
        """The URIs that a change of pages is told under."""

    def shown(self, ws: Workspace) -> Workspace:
        """What of a workspace is told of."""
