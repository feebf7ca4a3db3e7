"""What facets share: their index, the repair of it, and hard deletion."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from types import FunctionType
from typing import TYPE_CHECKING, TypeVar

from memwiki.sync.live import LiveIndex
from memwiki.sync.reading import rebuilding

if TYPE_CHECKING:
    from memwiki.answers.pages import Edited
    from memwiki.commit.erasing import Doomed

Kind = TypeVar("Kind", bound=type)


class Facing:
    """What asks an index, and the environment of its user."""

    def __init__(self, live: LiveIndex, environ: Mapping[str, str] = {}) -> None:
        self.live, self._environ = live, environ


def rebuilding_verbs(facet: Kind) -> Kind:
    """Each verb of a facet asks once more after building a damaged index anew."""
    for name, verb in list(vars(facet).items()):
        if isinstance(verb, FunctionType) and not name.startswith("_"):
            setattr(facet, name, rebuilding(verb))
    return facet


def delete_files(
    live: LiveIndex,
    paths: Collection[str],
    delete: Callable[[], Edited],
    *,
    is_final: bool,
    session: str = "",
) -> Edited:
    """Delete files, and if that is final what is left of their text wherever it is repeated."""
    if not is_final:
        return delete()
    from memwiki.commit.erasing import doomed_files

    return delete_for_good(live, doomed_files(live, paths, session), delete)


def delete_for_good(live: LiveIndex, doomed: Doomed, delete: Callable[[], Edited]) -> Edited:
    """Delete, and then clear what is left of it: each room clears its own."""
    from memwiki.check.review import erase_findings
    from memwiki.commit.erasing import Erasers, erasing
    from memwiki.upkeep.snapshot import without_pages

    return erasing(live, doomed, delete, Erasers(erase_findings, without_pages))
