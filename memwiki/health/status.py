"""What `memwiki` alone says: where one is, and what to do next."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import suppress
from itertools import islice
from pathlib import Path
from time import monotonic, sleep

from memwiki.answers.index import (
    FedInfo,
    IndexInfo,
    NextStep,
    Overview,
    PathStatus,
    Status,
    UpkeepState,
    WatcherProcess,
)
from memwiki.errors import LockedError, MemwikiError, NotFoundError, UnsafePathError
from memwiki.files.ignore import why_ignored
from memwiki.files.paths import contain, real_path
from memwiki.files.private_socket import PrivateSocket
from memwiki.files.read import exists, is_hidden
from memwiki.files.records import names
from memwiki.files.scan import Scan
from memwiki.index.cache_files import Heartbeat
from memwiki.index.cache_folder import CacheFolder
from memwiki.index.cards.lookup import Lookup
from memwiki.index.graph import tag_counts
from memwiki.index.stores import Stores
from memwiki.names import is_encodable, is_in_folder, require_str
from memwiki.numbers import counted
from memwiki.records import NamedTuple
from memwiki.scope import Scope, scope_of
from memwiki.sync.context import Context
from memwiki.sync.live import LiveIndex
from memwiki.sync.open_index import FedState
from memwiki.sync.reading import require_shown, unswept
from memwiki.sync.sweeps import watcher_of

_STEPS = 3


def overview(live: LiveIndex) -> Overview:
    """State and next steps, in less time than `status` takes: only pages and problems are
    counted."""
    if fed := live.fed():
        return _of_fed(live, fed)
    seen = live.context.walk() if live.is_synced else None
    pages, problems = live.totals()
    pending = live.pending(seen) if seen else unswept(live).pending
    reason = "cannot be read: " + ", ".join(seen.unreadable) if seen and seen.unreadable else ""
    steps = tuple(islice(_next_steps(pages, problems, pending, seen), _STEPS))
    is_fresh = pending == 0 and not reason
    watcher = watcher_of(live)
    return Overview(
        str(live.context.root), pages, problems, is_fresh, pending, reason, steps, watcher
    )


def _of_fed(live: LiveIndex, fed: FedState) -> Overview:
    """The same of a shared index, which has no folder here."""
    pages, problems = live.totals()
    steps = tuple(islice(_next_steps(pages, problems, 0, None), _STEPS))
    pending = 0 if fed.is_fresh else None
    found = Overview(fed.name, pages, problems, fed.is_fresh, pending, fed.reason, steps)
    return found._replace(shared=_fed_info(fed))


def _fed_info(fed: FedState) -> FedInfo:
    return FedInfo(fed.name, fed.by, fed.as_of, fed.has_texts)


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


def status(live: LiveIndex, upkeep: UpkeepState) -> Status:
    """What the index holds compared with what is on disk; sweeps, and does not sync."""
    seen = live.walked()
    pending = live.pending(seen)  # which may open the stores anew
    stores = live.stores()
    lookup = Lookup(stores.cards.db)  # of this build to the end: asked again, it may be another
    require_shown(live, lookup)
    found = _with_waiting(_of_whole(live, stores, lookup, seen, pending, upkeep), live)
    if fed := live.fed():
        found = found._replace(fresh=fed.is_fresh, reason=fed.reason, shared=_fed_info(fed))
    if live.context.is_public:
        found = _of_what_is_shown(found, live)
    scope = live.context.scope()
    return _of_namespace(found, scope, seen, lookup) if scope.base else found


def _of_whole(
    live: LiveIndex,
    stores: Stores,
    lookup: Lookup,
    seen: Scan,
    pending: int,
    upkeep: UpkeepState,
) -> Status:
    counts, shown = lookup.counts(), _counts(lookup, scope_of(live.context.layers))
    return Status(
        str(live.context.root),
        counts.pages,
        shown.entries,
        counts.sections,
        counts.links,
        shown.tags,
        seen.ignored,
        counts.problems,
        pending == 0 and not seen.unreadable,
        pending,
        len(seen.files) - stores.cards.hidden_count() - len(stores.cards.withheld()),
        _reason(seen, pending),
        _index_info(live.cache_folder, stores, live.settings.backend),
        watcher_of(live),
        tuple(each.path for each in lookup.unparsed()),
        counts.pages - shown.pages,
        upkeep,
        PrivateSocket.of(live.cache_folder.whole).listener() if live.cache_folder else 0,
        live.vectors.info(live) if live.vectors else None,
    )


def _with_waiting(found: Status, live: LiveIndex) -> Status:
    """The same with what a model is to be asked, and with proposals; with neither, neither room
    is loaded."""
    if live.context.config.extract.on:
        from memwiki.proposals.triggers import state_of

        found = found._replace(triggers=state_of(live.context))
    if names(live.context.root):
        from memwiki.proposals.review import waiting_list

        waiting = waiting_list(live)
        found = found._replace(proposals=waiting.total, proposals_unread=waiting.unread)
    return found


def _of_what_is_shown(whole: Status, live: LiveIndex) -> Status:
    """The same without what tells whether, and how often, anything private was indexed."""
    folder = live.whole.cache_folder
    place = str(folder.path) if folder else whole.index.place
    return whole._replace(
        index=whole.index._replace(generation=0, bytes=0, place=place),
        upkeep=_unsaid(whole.upkeep),
    )


def _unsaid(upkeep: UpkeepState) -> UpkeepState:
    """When upkeep ran, without what it did and to what."""
    last = upkeep.last
    return upkeep._replace(last=last and last._replace(did="", error="", collections=()))


def _of_namespace(whole: Status, scope: Scope, seen: Scan, lookup: Lookup) -> Status:
    """The same of one namespace: what others hold is not told, nor how much it is."""
    counts, shown = lookup.counts(scope.base), _counts(lookup, scope)
    return whole._replace(
        pages=counts.pages,
        entries=shown.entries,
        sections=counts.sections,
        links=counts.links,
        tags=shown.tags,
        ignored=sum(is_in_folder(path, scope.base) for path in seen.ignored_paths),
        problems=counts.problems,
        on_disk=sum(is_in_folder(path, scope.base) for path in seen.files),
        index=whole.index._replace(generation=0, bytes=0),
        unparsed=tuple(path for path in whole.unparsed if is_in_folder(path, scope.base)),
        put_away=counts.pages - shown.pages,
        upkeep=_unsaid(whole.upkeep),
        vectors=None,
    )


class _Shown(NamedTuple):
    """How much there is outside of what is found only when it is asked for by name."""

    pages: int
    entries: int
    tags: int


def _counts(lookup: Lookup, scope: Scope) -> _Shown:
    sees = scope.sees
    entries = dict(row for row in lookup.entry_counts() if sees(row[0]))
    tags = tag_counts(row for row in lookup.all_tags() if sees(row[0]))
    return _Shown(len(entries), sum(entries.values()), len(tags))


def _reason(seen: Scan, pending: int) -> str:
    if seen.unreadable:
        return "cannot be read: " + ", ".join(part or "the workspace" for part in seen.unreadable)
    if not pending:
        return ""
    return f"{counted(pending, 'change')} not indexed yet"


def _index_info(folder: CacheFolder | None, stores: Stores, backend: str) -> IndexInfo:
    keyword = stores.keyword
    if folder is None:
        place = "in memory" if keyword.backend == "memory" else "on a server"
        return IndexInfo(keyword.backend, keyword.generation(), 0, place)
    if stores.build is None:
        return IndexInfo(backend, 0, 0, str(folder.path))
    return IndexInfo(keyword.backend, keyword.generation(), folder.bytes(), str(folder.path))


def why(live: LiveIndex, given: str) -> PathStatus:
    """Why one file is or is not found."""
    require_str("status", given)
    scope, root = live.context.scope(), live.context.root
    path = _from_here(root, scope.asked_path(given))
    scope.require_inside(real_path(root, path), given)
    seen = live.walked()
    if not is_encodable(path):  # and so in no store
        return PathStatus(path, found=False, reason=_why_not(live.context, path))
    lookup = live.lookup()
    require_shown(live, lookup)
    card, problems = lookup.card(path), tuple(lookup.problems_of(path))
    if path not in seen.files or is_hidden(live.context.root, path):
        reason = _why_not(live.context, path)
        if card:
            reason += "; still in the index until the next sync"
        return PathStatus(path, found=False, reason=reason, problems=problems)
    if live.stores().cards.is_hidden(path):
        return PathStatus(path, found=False, reason="a generated catalog or the journal")
    if card is None:
        return PathStatus(path, found=False, reason="new: the next sync indexes it")
    return PathStatus(path, found=True, reason="indexed", problems=problems)


def _why_not(context: Context, path: str) -> str:
    """Why a file that the walk did not find is no page."""
    if not exists(context.root, path):
        return "no such file"
    return why_ignored(context.root, path, ignore=context.ignore())


def _from_here(root: Path, given: str) -> str:
    """A path as given, without refusing hidden ones: that they are hidden is the answer."""
    with suppress(MemwikiError):
        return contain(root, given)
    inside = Path(os.path.normpath(root / given))
    if not inside.is_relative_to(root):
        raise UnsafePathError.at(given, "is outside the workspace", "give a path below it")
    return inside.relative_to(root).as_posix()


_PATIENCE_S, _LOOK_S = 10.0, 0.02


def stop_watcher(live: LiveIndex) -> WatcherProcess:
    """Ask it to end, and wait until it has. NotFoundError where there is none, LockedError where it
    is part of a program that does other things, or does not end."""
    root, folder = live.context.root, live.cache_folder
    heartbeat = Heartbeat(folder.whole) if folder else None
    beat = heartbeat.last() if heartbeat else None
    if heartbeat is None or beat is None or not heartbeat.has_watcher():
        raise NotFoundError(f"{root}: no watcher is running", "memwiki watch --background")
    if not beat.is_alone:
        what = f"is watched by a part of process {beat.pid}, which does other things too"
        raise LockedError(f"{root}: {what}", "end that program")
    os.kill(beat.pid, signal.SIGTERM)
    until = monotonic() + _PATIENCE_S
    while heartbeat.has_watcher():
        if monotonic() > until:
            what = f"process {beat.pid} does not end"
            raise LockedError(f"{root}: {what}", "memwiki status reports the running watcher")
        sleep(_LOOK_S)
    return WatcherProcess(str(root), beat.pid, running=False)
