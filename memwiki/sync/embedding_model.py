"""The embedder that is set, opened for a workspace."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, NamedTuple

from memwiki.models.port import Embedder

if TYPE_CHECKING:
    from memwiki.config.models import UserModels
    from memwiki.sync.context import Context

LOCAL = "local"  # as `[models.embed]` has it


class EmbeddingModel(NamedTuple):
    """The embedder that is set, and how it is asked."""

    embedder: Embedder
    name: str  # as answers say it
    is_local: bool
    at_once: int = 8  # texts, at first
    begin: Callable[[], None] = lambda: None  # another run, which is counted for itself

    @property
    def is_loaded(self) -> bool:
        """Whether asking it costs no more than an answer."""
        return bool(getattr(self.embedder, "is_loaded", not self.is_local))

    @property
    def is_known(self) -> bool:
        """Whether it can be named: a server may have to be asked for the width of its vectors."""
        return bool(getattr(self.embedder, "known_width", self.embedder.width))


def model_of(models: UserModels, context: Context, environ: Mapping[str, str]) -> EmbeddingModel:
    """The model that is set; ModelError where it cannot be used for this workspace."""
    embed = models.embed
    if embed.provider == LOCAL:
        from memwiki.models.local_embed import local_embedder

        local = local_embedder(embed.model)
        return EmbeddingModel(local, f"local {local.name}", is_local=True)
    from memwiki.models.opening import model_run

    run = model_run(context.root, models, context.config.models, environ, context.clock)
    return EmbeddingModel(
        run.embedder(),
        f"{run.address(embed.server).host} {embed.model}",
        is_local=False,
        at_once=embed.batch,
        begin=run.budget.begin,
    )
