"""Hard deletion, with what each room clears of its own."""

from __future__ import annotations

from collections.abc import Callable

from memwiki.answers.edits import Edited
from memwiki.check.review import erase_findings
from memwiki.commit.erasing import Doomed, Erasers, erasing
from memwiki.sync.live import LiveIndex
from memwiki.upkeep.snapshot import without_pages


def delete_for_good(live: LiveIndex, doomed: Doomed, delete: Callable[[], Edited]) -> Edited:
    """Delete, and then clear what is left of the text wherever it is repeated."""
    return erasing(live, doomed, delete, Erasers(erase_findings, without_pages))
