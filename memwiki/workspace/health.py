"""What state the index is in: status, why a file is found or not, and the check against a
rebuild."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import NamedTuple

from memwiki.answers.index import Health, IndexInfo, PathStatus, Status
from memwiki.answers.upkeep import UpkeepState
from memwiki.digest import digest_of
from memwiki.errors import MemwikiError, UnsafePathError
from memwiki.files.paths import contain, real_path
from memwiki.files.read import current_bytes, exists, is_hidden
from memwiki.files.scan import Scan
from memwiki.files.why_ignored import why_ignored
from memwiki.index.cache_folder import CacheFolder
from memwiki.index.cards.lookup import Lookup
from memwiki.index.damage import DAMAGE
from memwiki.index.dump import Dump, differences, dump, paths_of, without
from memwiki.index.fill import Progress
from memwiki.index.graph import tag_counts
from memwiki.index.keyword.backend import ON_DISK
from memwiki.index.stores import Stores
from memwiki.model import Difference
from memwiki.names import is_encodable, is_in_folder, require_str
from memwiki.numbers import counted
from memwiki.scope import Scope, scope_of
from memwiki.sync.context import Context
from memwiki.sync.feed import sync_stores
from memwiki.sync.live import LiveIndex
from memwiki.sync.request import SyncRequest
from memwiki.upkeep.state import state_of
from memwiki.workspace.carry_out import cut_short
from memwiki.workspace.overview import watcher_of

_ROUNDS = 4  # in which pages that others write meanwhile are read again


def status(live: LiveIndex) -> Status:
    """What the index holds compared with what is on disk; sweeps, and does not sync."""
    seen = live.walked()
    pending = live.pending(seen)  # which may open the stores anew
    stores = live.stores()
    lookup = Lookup(stores.cards.db)  # of this build to the end: asked again, it may be another
    counts, shown = lookup.counts(), _shown(lookup, scope_of(live.context.layers))
    found = Status(
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
        _index_info(live.cache_folder, stores),
        watcher_of(live),
        tuple(each.path for each in lookup.unparsed()),
        counts.pages - shown.pages,
        state_of(live.context),
    )
    found = _of_what_is_shown(found, live) if live.context.is_public else found
    scope = live.context.scope()
    return _of_namespace(found, scope, seen, lookup) if scope.base else found


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
    counts, shown = lookup.counts(scope.base), _shown(lookup, scope)
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
    )


class _Shown(NamedTuple):
    """How much there is outside of what is found only when it is asked for by name."""

    pages: int
    entries: int
    tags: int


def _shown(lookup: Lookup, scope: Scope) -> _Shown:
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


def _index_info(folder: CacheFolder | None, stores: Stores) -> IndexInfo:
    keyword = stores.keyword
    if folder is None:
        return IndexInfo(keyword.backend, keyword.generation(), 0, "in memory")
    if stores.build is None:
        return IndexInfo(ON_DISK, 0, 0, str(folder.path))
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
    card = live.lookup().card(path)
    problems = tuple(live.lookup().problems_of(path))
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
        raise UnsafePathError(
            f"{given}: is outside the workspace", hint="give a path below it", path=given
        )
    return inside.relative_to(root).as_posix()


class _Verified(NamedTuple):
    differences: tuple[Difference, ...]
    notes: tuple[str, ...]


def doctor(live: LiveIndex, *, verify: bool, progress: Progress | None) -> Health:
    """What is wrong with the index; with `verify` it is compared with one built anew."""
    notes = list(_notes(live))
    if not verify:
        return Health(healthy=not notes, notes=tuple(notes))
    compared = [_verified(live, progress, is_well=not notes)]
    if not live.context.is_public and live.has_private():  # what is not has an index of its own
        compared.append(_verified(live.public(), progress, is_well=not notes))
    found = tuple(difference for each in compared for difference in each.differences)
    told = (*notes, *(note for each in compared for note in each.notes))
    return Health(not notes and not found, told, equal=not found, differences=found)


def _verified(live: LiveIndex, progress: Progress | None, *, is_well: bool) -> _Verified:
    """How the index differs from one built anew."""
    scratch = Path(tempfile.mkdtemp(prefix="memwiki-verify-"))
    try:
        with closing(Stores(scratch)) as rebuilt:
            now, anew, moving = _both(live, rebuilt, progress)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    if not is_well:  # pages that cannot be read now are kept, and no rebuild can hold them
        now = without(now, paths_of(now) - paths_of(anew))
    now, anew = without(now, moving), without(anew, moving)
    notes = (f"{len(moving)} of the pages keep changing and were not compared",) if moving else ()
    return _Verified(differences(now, anew), notes)  # which says nothing about the index


def _both(
    live: LiveIndex, rebuilt: Stores, progress: Progress | None
) -> tuple[Dump, Dump, set[str]]:
    """The live index and one built anew, of the same bytes of every page; and the pages that change
    too often for that, while others write them."""
    for _ in range(_ROUNDS):
        sync_stores(
            live.context.root,
            live.context.walk(),
            rebuilt,
            live.settings,
            SyncRequest(progress=progress, workers=live.context.config.indexing.workers),
        )
        progress = None
        live.sync()  # after it: where the two differ, the live one has the later version
        anew = dump(rebuilt)
        with live.amending() as stores:  # nobody else writes meanwhile
            now = dump(stores)
            moving = _apart(stores, rebuilt)
        if not moving:
            break
    return now, anew, {path for path in moving if _is_other(live.context.root, path, rebuilt)}


def _apart(stores: Stores, rebuilt: Stores) -> set[str]:
    """The files of which the two do not hold the same version."""
    one, other = stores.cards.digests(), rebuilt.cards.digests()
    pages = {path for path in {*one, *other} if one.get(path) != other.get(path)}
    files = (
        {path for _, path in Lookup(each.cards.db).all_attachments()} for each in (stores, rebuilt)
    )
    return pages | set.symmetric_difference(*files)


def _is_other(root: Path, path: str, rebuilt: Stores) -> bool:
    """Whether a file is another one again than the one that was just read."""
    data = current_bytes(root, path)
    return (digest_of(data) if data is not None else None) != rebuilt.cards.digests().get(path)


def _notes(live: LiveIndex) -> Iterator[str]:
    changes = live.sync()
    yield from live.warnings
    if not changes.fresh:
        yield changes.reason
    yield from (f"{path}: could not be read" for path in changes.failed)
    for number, title in cut_short(live.context.root):
        undo = "memwiki undo" if number == 1 else f"memwiki undo {number}"
        yield f"a change was interrupted: {title or 'a change'}; {undo} reverts it"
    for group in live.context.walk().collisions:
        yield f"names that some file systems treat as one: {', '.join(group)}"
    try:
        live.stores().require_same_units()
    except DAMAGE as error:
        if live.is_replaced():
            raise
        yield str(error)
