"""`AsyncWorkspace.models`: which models are set and may be asked, and what they were asked."""

# Generated from memwiki/workspace/models.py: python docs/generate_aio.py
from __future__ import annotations

from typing import TYPE_CHECKING

from memwiki.aio.face import Face
from memwiki.workspace.models import ModelsFacet

if TYPE_CHECKING:
    from memwiki.answers.index import Embedded
    from memwiki.answers.models import (
        AllowedHosts,
        ForgottenReplies,
        ModelCheck,
        ModelsReport,
        SpentList,
    )
    from memwiki.index.projection import Progress
    from memwiki.models.opening import ModelRun


class AsyncModelsFacet(Face[ModelsFacet]):
    """The models of the user, as far as this workspace may use them."""

    async def show(self) -> ModelsReport:
        """What is set, where each setting comes from, what is allowed, and the next step."""
        return await self._read(lambda it: it.show())

    async def check(self, *, measure: bool = False, dry_run: bool = False) -> ModelCheck:
        """Ask the model for one word: how long it takes, and in which form it answers; with
        `measure` once more, with as much as it is to read. Raises ModelError."""
        return await self._read(lambda it: it.check(measure=measure, dry_run=dry_run), is_long=True)

    async def allow(self, host: str, *, remove: bool = False) -> AllowedHosts:
        """Let this workspace be sent to a host, or with `remove` no more: one line of the user's
        own settings."""
        return await self._write(lambda it: it.allow(host, remove=remove))

    async def embed(
        self, *, seconds: float | None = None, limit: int = 0, progress: Progress | None = None
    ) -> Embedded:
        """Embed what has no vector yet, for so many seconds or so many texts at most; what was
        embedded stays, however it ends. Raises NeedsModelError where no model is set for it, and
        ModelError where it cannot be asked."""
        return await self._write(
            lambda it: it.embed(seconds=seconds, limit=limit, progress=progress)
        )

    async def spent(self) -> SpentList:
        """What all models were asked, by month."""
        return await self._read(lambda it: it.spent())

    async def forget(self) -> ForgottenReplies:
        """Delete the replies that are kept; what was spent stays noted."""
        return await self._write(lambda it: it.forget())

    async def run(self) -> ModelRun:
        """A run of this workspace, in which models are asked within one budget."""
        return await self._read(lambda it: it.run())
