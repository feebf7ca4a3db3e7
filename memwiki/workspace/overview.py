"""What `memwiki` alone says: where one is, and what to do next."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from memwiki.answers.keeping import NextStep, Overview
from memwiki.files.scan import Scan
from memwiki.workspace.keeping.keeper import Keeper

_STEPS = 3


def overview(keeper: Keeper) -> Overview:
    """State and next steps, in less time than `status` takes: only pages and problems are counted."""
    seen = keeper.walk() if keeper.is_synced else None
    pages, problems = keeper.totals()
    pending = keeper.pending(seen) if seen else None
    reason = "cannot be read: " + ", ".join(seen.unreadable) if seen and seen.unreadable else ""
    steps = tuple(islice(_next_steps(pages, problems, pending, seen), _STEPS))
    is_fresh = pending == 0 and not reason
    return Overview(str(keeper.root), pages, problems, is_fresh, pending, reason, steps)


def _next_steps(
    pages: int, problems: int, pending: int | None, seen: Scan | None
) -> Iterator[NextStep]:
    if pending:
        yield NextStep("memwiki sync", "bring the index in step" if pages else "build the index")
    if seen is not None and not seen.files:
        yield NextStep("memwiki --help", "there is no page yet: write one with any editor")
    if problems:
        yield NextStep("memwiki check", "see what is wrong with the pages")
    yield NextStep("memwiki search WORDS", "find pages, entries and messages")
    yield NextStep("memwiki list --sort updated --limit 10", "see what changed last")
    yield NextStep("memwiki --help", "see all commands")
