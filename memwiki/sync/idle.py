"""Embedding beside everything else: after a sync, while nothing happens, and before a process
ends. What goes wrong is a note, and never fails what it followed."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from memwiki.answers.index import Changes
from memwiki.errors import LockedError, MemwikiError, ModelError
from memwiki.numbers import counted

if TYPE_CHECKING:
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
