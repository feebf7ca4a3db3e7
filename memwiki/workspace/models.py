"""`Workspace.models`: which models are set and may be asked, and what they were asked."""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING

from memwiki.answers.curation import (
    AllowedHosts,
    ForgottenReplies,
    ModelCheck,
    ModelsReport,
    SpentList,
)
from memwiki.answers.index import Embedded
from memwiki.index.projection import Progress
from memwiki.models.outgoing import folder_key
from memwiki.sync.reading import Facing, rebuilding

if TYPE_CHECKING:
    from memwiki.models.opening import ModelRun


class ModelsFacet(Facing):
    """The models of the user, as far as this workspace may use them."""

    def show(self) -> ModelsReport:
        """What is set, where each setting comes from, what is allowed, and the next step."""
        from memwiki.models.report import models_report

        return models_report(self.run())

    def check(self, *, measure: bool = False, dry_run: bool = False) -> ModelCheck:
        """Ask the model for one word: how long it takes, and in which form it answers; with
        `measure` once more, with as much as it is to read. Raises ModelError."""
        from memwiki.models.report import check_model, show_request

        run = self.run()
        return show_request(run) if dry_run else check_model(run, is_measured=measure)

    def allow(self, host: str, *, remove: bool = False) -> AllowedHosts:
        """Let this workspace be sent to a host, or with `remove` no more: one line of the user's
        own settings."""
        from memwiki.setup.named import allow

        root = self.live.context.root
        return AllowedHosts(folder_key(root), allow(root, host, self._environ, is_removed=remove))

    @rebuilding
    def embed(
        self, *, seconds: float | None = None, limit: int = 0, progress: Progress | None = None
    ) -> Embedded:
        """Embed what has no vector yet, for so many seconds or so many texts at most; what was
        embedded stays, however it ends. Raises NeedsModelError where no model is set for it, and
        ModelError where it cannot be asked."""
        from memwiki.sync.embedding import required_vectors

        self.live.context.require_files()
        vectors = required_vectors(self.live, self._environ)
        most = inf if seconds is None else seconds
        return vectors.fill(self.live, seconds=most, limit=limit, progress=progress)

    def spent(self) -> SpentList:
        """What all models were asked, by month."""
        from memwiki.models.report import spent_list

        return spent_list(self.run())

    def forget(self) -> ForgottenReplies:
        """Delete the replies that are kept; what was spent stays noted."""
        replies = self.run().replies
        _, size = replies.size()
        return ForgottenReplies(replies.forget(), size)

    def run(self) -> ModelRun:
        """A run of this workspace, in which models are asked within one budget."""
        return self.live.context.model_run(self._environ)
