"""What the verbs that change one entry share: which is meant, and its plan carried out."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from memwiki.answers.edits import Edited
from memwiki.change.plan import Plan
from memwiki.clock import local_day
from memwiki.errors import NotFoundError
from memwiki.sync.live import LiveIndex
from memwiki.sync.reading import reading

if TYPE_CHECKING:
    from memwiki.memory.editing import PageBytes
    from memwiki.memory.view import Located


def found_entry(live: LiveIndex, name: str, *, is_changed: bool = True) -> Located:
    """The entry of an id or key; one that is to be changed must be of the own namespace."""
    from memwiki.memory.finding import find_entry, find_own_entry

    find = find_own_entry if is_changed else find_entry
    with reading(live) as view:
        is_fresh = view.freshness.fresh or not live.is_synced
        try:
            return find(name, view)
        except NotFoundError:
            if is_fresh:
                raise
    # Another process was writing the index: the entry may be newer than what was read.
    live.sync()
    with reading(live) as view:
        return find(name, view)


def new_ids(live: LiveIndex, count: int) -> tuple[str, ...]:
    """Ids that no entry bears."""
    from memwiki.memory.judging import free_ids
    from memwiki.memory.similar import KnownFacts

    with reading(live) as view:
        return free_ids(KnownFacts(live, view), count)


def spoken(live: LiveIndex, text: str | None) -> str | None:
    """A text as it is written down: times in words are dates."""
    from memwiki.memory.draft import words_of_text

    return None if text is None else words_of_text(text, live.context.clock())


def carried_out(
    live: LiveIndex,
    known: Located,
    plan: Callable[[PageBytes], Plan],
    expect: str,
    *,
    dry_run: bool,
) -> Edited:
    """A plan made under the lock, from the pages as they are then."""
    from memwiki.change.expectation import expected_of
    from memwiki.commit.carry_out import carry_out_locked, page_bytes
    from memwiki.memory.editing import PageBytes

    context = live.context
    pages = PageBytes(
        partial(page_bytes, context),
        context.layers,
        local_day(context.clock()).isoformat(),
        context.max_bytes,
    )
    made, expected = partial(plan, pages), expected_of(known.path, expect)
    return carry_out_locked(live, made, dry_run=dry_run, expected=expected)
