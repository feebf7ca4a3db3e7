"""The embedder that is set, opened for a workspace; and embedding beside everything else: after a
sync, while nothing happens, and before a process ends. What goes wrong is a note, and never fails
what it followed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING

from memwiki.answers.index import Changes
from memwiki.errors import LockedError, MemwikiError, ModelError
from memwiki.numbers import counted
from memwiki.records import NamedTuple

if TYPE_CHECKING:
    from memwiki.config.models import UserModels
    from memwiki.models.port import Embedder
    from memwiki.sync.context import Context
    from memwiki.sync.live import LiveIndex

_IDLE_S, _AT_THE_END_S = 1.0, 5.0


def embed_after_sync(live: LiveIndex, changes: Changes) -> Changes:
    """Embed what is new, where a model is set, for two seconds at most, and say what is left."""
    vectors = live.vectors
    if vectors is None or live.fed() or not changes.fresh:
        return changes
    try:
        left = vectors.fill(live, seconds=vectors.after_sync_s).lacking
    except (ModelError, LockedError) as error:
        return changes._replace(notes=(*changes.notes, f"nothing was embedded: {error.message}"))
    said = [f"{counted(left, 'text')} to be embedded: memwiki models embed"] if left else []
    return changes._replace(notes=(*changes.notes, *said))


def embed_when_idle(live: LiveIndex) -> int:
    """Embed for a second; gives how much is left that may be embedded next, -1 where that is not
    known."""
    vectors = live.vectors
    if vectors is None:
        return 0
    try:
        done = vectors.fill(live, seconds=_IDLE_S)
    except MemwikiError:  # the next change, or the next look at upkeep, tries again
        return -1
    return done.lacking if done.embedded else 0


def embed_at_the_end(live: LiveIndex) -> None:
    """Embed what is new before a process ends that has the model loaded, for a few seconds."""
    vectors = live.known_vectors
    if vectors and vectors.model.is_loaded and vectors.is_there():
        with suppress(MemwikiError):
            vectors.fill(live, seconds=_AT_THE_END_S)


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
        f"{run.address(embed).host} {embed.model}",
        is_local=False,
        at_once=embed.batch,
        begin=run.budget.begin,
    )
