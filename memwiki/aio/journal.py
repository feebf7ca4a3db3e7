"""`AsyncWorkspace.journal`: what was done, read, and noted where memwiki did not do it itself."""

# Generated from memwiki/workspace/journal.py: python docs/generate_aio.py
from __future__ import annotations

from typing import TYPE_CHECKING

from memwiki.aio.face import Face
from memwiki.workspace.journal import JournalFacet

if TYPE_CHECKING:
    from memwiki.answers.history import LogEntry, LogList


class AsyncJournalFacet(Face[JournalFacet]):
    """The journal of a workspace; NotFoundError where it keeps none."""

    async def list(
        self, *, since: str = "", op: str = "", by: str = "", limit: int | None = None
    ) -> LogList:
        """Entries of the journal and of what was shelved from it, newest first.

        `since` is a day or an age such as `2w`, `by` who did it, or how that name begins.
        """
        return await self._read(lambda it: it.list(since=since, op=op, by=by, limit=limit))

    async def add(self, op: str, title: str, *notes: str) -> LogEntry:
        """Note what was done by other means."""
        return await self._write(lambda it: it.add(op, title, *notes))
