"""What facets share: their index, and hard deletion."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from memwiki.sync.live import LiveIndex

if TYPE_CHECKING:
    from memwiki.answers.pages import Edited
    from memwiki.commit.erasing import Doomed


class Facing:
    """What asks an index, and the environment of its user."""

    def __init__(self, live: LiveIndex, environ: Mapping[str, str] = {}) -> None:
        self.live, self._environ = live, environ


def delete_for_good(live: LiveIndex, doomed: Doomed, delete: Callable[[], Edited]) -> Edited:
    """Delete, and then clear what is left of the text wherever it is repeated: each room clears its
    own."""
    from memwiki.check.review import erase_findings
    from memwiki.commit.erasing import Erasers, erasing
    from memwiki.upkeep.snapshot import without_pages

    return erasing(live, doomed, delete, Erasers(erase_findings, without_pages))
