"""What `memwiki` alone says: where one is, and what to do next."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from memwiki.answers.index import NextStep, Overview
from memwiki.answers.watch import WatcherInfo, WatcherState
from memwiki.clock import iso_of
from memwiki.files.scan import Scan
from memwiki.index.cache_files import Heartbeat
from memwiki.sync.live import LiveIndex

_STEPS = 3
_BLOCKED_S = 15.0


def overview(live: LiveIndex) -> Overview:
    """State and next steps, in less time than `status` takes: only pages and problems are
    counted."""
    seen = live.context.walk() if live.is_synced else None
    pages, problems = live.totals()
    pending = live.pending(seen) if seen else None
    reason = "cannot be read: " + ", ".join(seen.unreadable) if seen and seen.unreadable else ""
    steps = tuple(islice(_next_steps(pages, problems, pending, seen), _STEPS))
    is_fresh = pending == 0 and not reason
    watcher = watcher_of(live)
    return Overview(
        str(live.context.root), pages, problems, is_fresh, pending, reason, steps, watcher
    )


def _next_steps(
    pages: int, problems: int, pending: int | None, seen: Scan | None
) -> Iterator[NextStep]:
    if pending:
        yield NextStep("memwiki sync", "bring the index up to date" if pages else "build the index")
    if seen is not None and not seen.files:
        yield NextStep("memwiki new TITLE", "make the first page, or write one with any editor")
    if problems:
        yield NextStep("memwiki check --only reading", "see the problems found while reading")
    yield NextStep("memwiki search WORDS", "find pages, entries and messages")
    yield NextStep("memwiki list --sort updated --limit 10", "see what changed last")
    yield NextStep("memwiki --help", "see all commands")


def watcher_of(live: LiveIndex) -> WatcherInfo:
    """What is known of the watcher of a workspace, in this or another process."""
    place = live.cache_folder
    beat = Heartbeat(place.whole).last() if place else None
    if place is None or beat is None:
        return WatcherInfo()
    age = round(max(live.context.clock() - beat.at, 0) / 1e9, 1)
    state, reason = WatcherState(beat.state), beat.reason
    if not Heartbeat(place.whole).has_watcher():
        state, reason = WatcherState.DEAD, "it was killed; memwiki watch starts another"
    elif age > _BLOCKED_S:
        state, reason = WatcherState.BLOCKED, f"not responding for {age:.0f} seconds"
    scanned = iso_of(beat.last_scan) if beat.last_scan else ""
    return WatcherInfo(state, beat.pid, iso_of(beat.since), age, scanned, reason)
