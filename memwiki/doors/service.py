"""What a server serves: tools, resources and prompts; the workspace behind it, opened when it is
first needed, its first index built behind the calls that can wait; and what the log says of a
fault: where and of what kind, never what was asked or found.
"""

from __future__ import annotations

import logging
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import anyio

from memwiki.errors import (
    IndexingError,
    MemwikiError,
    NotFoundError,
    NoWorkspaceError,
    UnreadableError,
)
from memwiki.nouns import Json
from memwiki.tools import Limiter, ToolAnswer
from memwiki.tools.call import frames

if TYPE_CHECKING:
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
    ) -> ToolAnswer:
        """Run a tool for a connection, whose changes the limiter counts; a failure is an answer,
        too. `progress` is told how many of how many changed files are read first, and may end what
        reads by raising."""

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


PATIENCE_SECONDS = 20.0
_LOOK_SECONDS = 0.02
_NO_FOLDER = (NoWorkspaceError, NotFoundError, UnreadableError)  # its text names the folder alone
_NO_WORKSPACE = (
    "tell the person that no tool of this memory works until -C in the settings of its server "
    "names the folder of a workspace"
)
# What is in the folder may be a stranger's, and no text of it belongs into instructions.
_UNUSABLE = (
    "its settings or its index cannot be read; tell the person to run memwiki status in its folder"
)


class Opening:
    """One workspace, for all calls of a server."""

    def __init__(self, opened: Callable[[], Workspace]) -> None:
        self._opened, self._lock = opened, threading.Lock()
        self._workspace: Workspace | None = None
        self._is_built = threading.Event()
        self._done, self._total = 0, 0

    def begin(self) -> None:
        """Build the first index in a thread of its own."""
        self._is_built.clear()
        threading.Thread(target=self._build, name="first index", daemon=True).start()

    async def ready(self) -> None:
        """Wait on the loop, so that no thread is taken, until there is an index that answers.
        Raises IndexingError when that takes longer than anybody waits."""
        if self._is_built.is_set() and self._workspace is None:
            self.begin()  # what could not be opened may be there now, and needs an index, too
        until = time.monotonic() + PATIENCE_SECONDS
        while not self._is_built.is_set():
            if time.monotonic() >= until:
                share = 100 * self._done // max(self._total, 1)
                raise IndexingError(
                    f"index: the first one is being built, {share} % is done", "ask again soon"
                )
            await anyio.sleep(_LOOK_SECONDS)

    def workspace(self) -> Workspace:
        """The workspace. Raises NoWorkspaceError, or what is wrong in its folder."""
        with self._lock:
            if self._workspace is None:
                try:
                    self._workspace = self._opened()
                except _NO_FOLDER as error:
                    raise without_workspace(error) from error
            return self._workspace

    @property
    def progress(self) -> tuple[int, int]:
        """How many pages of how many the first index has; nothing of nothing when it is built."""
        return (0, 0) if self._is_built.is_set() else (self._done, self._total)

    def leave(self) -> None:
        """Let go of what this thread opened."""
        if self._workspace is not None:
            self._workspace.leave()

    def close(self) -> None:
        """Let go of all, now that the threads are gone."""
        if self._workspace is not None:
            self._workspace.close()

    def _build(self) -> None:
        try:
            workspace = self.workspace()
            is_first = not workspace.index.is_built()
            # Not the verb, which writes catalogs: nobody asked for anything yet.
            workspace.live.sync(progress=self._note)
            if is_first:
                workspace.browse(limit=1)  # lists every page, for which nobody is to wait later
            self.leave()
        except (MemwikiError, OSError):  # each call meets it again, and says it
            pass
        finally:
            self._is_built.set()

    def _note(self, done: int, total: int) -> None:
        self._done, self._total = done, total


def without_workspace(error: MemwikiError) -> NoWorkspaceError:
    """What a model is told of a server whose folder is not there or no workspace."""
    hint = "; ".join(filter(None, (_NO_WORKSPACE, error.hint)))
    return NoWorkspaceError(error.message, hint)


def told_at_start(instructions: str, missing: MemwikiError | None) -> str:
    """The instructions of a server, after the reason why it has no workspace."""
    if missing is None:
        return instructions
    why = _UNUSABLE
    if isinstance(missing, _NO_FOLDER):
        why = without_workspace(missing).with_hint
    return f"This memory cannot be used now: {why}.\n\n{instructions}".strip()
