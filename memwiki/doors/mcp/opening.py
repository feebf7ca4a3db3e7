"""The workspace behind a server: opened when it is first needed, its first index built behind the
calls that can wait."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING

from memwiki.errors import IndexingError, MemwikiError

if TYPE_CHECKING:
    from memwiki.workspace import Workspace

PATIENCE_SECONDS = 20.0


class Opening:
    """One workspace, for all calls of a server."""

    def __init__(self, opened: Callable[[], Workspace]) -> None:
        self._opened, self._lock = opened, threading.Lock()
        self._workspace: Workspace | None = None
        self._is_ready = threading.Event()
        self._done, self._total = 0, 0

    def begin(self) -> None:
        """Build the first index in a thread of its own."""
        threading.Thread(target=self._build, name="first index", daemon=True).start()

    def workspace(self) -> Workspace:
        """The workspace with an index that answers. Raises NoWorkspaceError, and IndexingError when
        the first index takes longer than anybody waits."""
        found = self._open()
        if not self._is_ready.wait(PATIENCE_SECONDS):
            share = 100 * self._done // max(self._total, 1)
            raise IndexingError(
                f"index: the first one is being built, {share} % is done", hint="ask again soon"
            )
        return found

    @property
    def progress(self) -> tuple[int, int]:
        """How many pages of how many the first index has."""
        return self._done, self._total

    def leave(self) -> None:
        """Let go of what this thread opened."""
        if self._workspace is not None:
            self._workspace.leave()

    def _open(self) -> Workspace:
        with self._lock:
            self._workspace = self._workspace or self._opened()
            return self._workspace

    def _build(self) -> None:
        try:
            self._open().sync(progress=self._note)
        except MemwikiError:  # each call meets it again, and says it
            pass
        finally:
            self.leave()
            self._is_ready.set()

    def _note(self, done: int, total: int) -> None:
        self._done, self._total = done, total
