"""`AsyncWorkspace.session` and `AsyncWorkspace.sessions`: one conversation, and all of them."""

# Generated from memwiki/workspace/sessions.py: python docs/generate_aio.py
from __future__ import annotations

from typing import TYPE_CHECKING

from memwiki.aio.face import Face
from memwiki.workspace.sessions import SessionFacet, SessionsFacet

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from memwiki.answers.edits import Edited
    from memwiki.answers.sessions import (
        AddedMessage,
        MessageView,
        SessionImport,
        SessionList,
        SessionView,
    )


class AsyncSessionFacet(Face[SessionFacet]):
    """A session by its id; what changes it as a whole shows that with `dry_run`."""

    async def add_message(
        self,
        role: str,
        text: str,
        name: str | None = None,
        at: datetime | str | None = None,
        *,
        daily: bool | None = None,
    ) -> AddedMessage:
        """Add a message at the end; the session begins with it if need be.

        With `daily` today's page gets an entry of its first words; with the preset agent what users
        say does by itself. Under a sliding window the oldest messages leave for the archive.
        """
        return await self._write(lambda it: it.add_message(role, text, name, at, daily=daily))

    async def record(self, transcript: str, *, wait_ms: int | None = None) -> int:
        """Add what a transcript of an agent's program says and this session lacks; say how much.

        In any form that `sessions.import_` reads. Output of tools is shortened, and what looks like
        a secret replaced. Raises UsageError when it holds no conversation, LockedError when others
        write for longer than `wait_ms`.
        """
        return await self._write(lambda it: it.record(transcript, wait_ms=wait_ms))

    async def get(self, limit: int | None = None) -> SessionView:
        """The session with its messages, or the last of them, as the file is now.

        Raises NotFoundError.
        """
        return await self._read(lambda it: it.get(limit))

    async def history(self, limit: int | None = None) -> tuple[MessageView, ...]:
        """All that was ever said, or the last messages of it; with what left for the archive."""
        return await self._read(lambda it: it.history(limit))

    async def window(self) -> tuple[MessageView, ...]:
        """The messages that a model is shown: all, or under `session.strategy = sliding_window`
        the last turns, with old tool results in a line each where all are too long."""
        return await self._read(lambda it: it.window())

    async def end(self, summary: str | None = None, *, dry_run: bool = False) -> Edited:
        """Note that the session ended, and what it was about; where `extract.on` and the user say
        so, another process then extracts its facts."""
        return await self._write(lambda it: it.end(summary, dry_run=dry_run))

    async def compact(self, *, dry_run: bool = False) -> Edited:
        """Leave one line of each tool result but the last `session.keep_recent`; their text goes to
        the archive."""
        return await self._write(lambda it: it.compact(dry_run=dry_run))

    async def purge(self, *, hard: bool = False, dry_run: bool = False) -> Edited:
        """Move the session to the archive, together with what left it before; `hard` deletes both
        for good."""
        return await self._write(lambda it: it.purge(hard=hard, dry_run=dry_run))


class AsyncSessionsFacet(Face[SessionsFacet]):
    """All conversations of a workspace."""

    async def start(self, id: str = "", *, participants: Sequence[str] = ()) -> SessionView:
        """Begin a session; without an id it is called by the time.

        Raises AlreadyExistsError when there is one of this id.
        """
        return await self._write(lambda it: it.start(id, participants=participants))

    async def get(self, id: str, *, limit: int | None = None) -> SessionView:
        """A session with its messages, or the last of them, as the file is now.

        Raises NotFoundError.
        """
        return await self._read(lambda it: it.get(id, limit=limit))

    async def list(self, *, limit: int | None = None) -> SessionList:
        """The sessions, the last changed first."""
        return await self._read(lambda it: it.list(limit=limit))

    async def import_(
        self, text: str, *, name: str = "import", dry_run: bool = False
    ) -> SessionImport:
        """Add the conversations of an export: ChatGPT, Claude, Claude Code or JSON lines.

        Messages that are there already are not added again. `name` is the id of the session for
        messages that do not name theirs.
        """
        return await self._write(lambda it: it.import_(text, name=name, dry_run=dry_run))
