"""Hard deletion, of which each room clears its own."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import TYPE_CHECKING

from memwiki.sync.live import LiveIndex

if TYPE_CHECKING:
    from memwiki.answers.pages import Edited
    from memwiki.commit.erasing import Doomed


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
    from memwiki.commit.erasing import erasing

    return erasing(live, doomed, delete, erase_findings)
