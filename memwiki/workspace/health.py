"""What state the index is in: status, why a file is found or not, and the check against a rebuild."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import NamedTuple

from memwiki.answers.index import Health, IndexInfo, PathStatus, Status
from memwiki.digest import digest_of
from memwiki.errors import MemwikiError, UnsafePathError
from memwiki.files.paths import contain
from memwiki.files.read import current_bytes
from memwiki.files.scan import Scan
from memwiki.files.why import why_ignored
from memwiki.index.cards.lookup import Lookup
from memwiki.index.damage import DAMAGE
from memwiki.index.dump import Dump, differences, dump, paths_of, without
from memwiki.index.graph import tag_counts
from memwiki.index.keyword.kind import ON_DISK
from memwiki.index.stores import Stores
from memwiki.markdown.describe import is_put_away
from memwiki.names import is_encodable
from memwiki.numbers import counted
from memwiki.sync.feed import Progress, Request, bring_in_step
from memwiki.sync.keeper import Keeper
from memwiki.workspace.changing import cut_short
from memwiki.workspace.overview import watcher_of

_ROUNDS = 4  # in which pages that others write meanwhile are read again


def status(keeper: Keeper) -> Status:
    """What the index holds compared with what is on disk; sweeps, and does not sync."""
    seen = keeper.walk()
    pending = keeper.pending(seen)  # which may open the stores anew
    stores = keeper.stores()
    counts, shown = stores.cards.counts(), _shown(keeper)
    return Status(
        str(keeper.root), counts.pages, shown.entries, counts.sections, counts.links,
        shown.tags, seen.ignored, counts.problems, pending == 0 and not seen.unreadable, pending,
        len(seen.files) - stores.cards.hidden_count(), _reason(seen, pending), _index_info(keeper, stores),
        watcher_of(keeper), tuple(each.path for each in keeper.lookup().unparsed()),
        counts.pages - shown.pages,
    )  # fmt: skip


class _Shown(NamedTuple):
    """How much there is outside of what is found only when it is asked for by name."""

    pages: int
    entries: int
    tags: int


def _shown(keeper: Keeper) -> _Shown:
    lookup, layers = keeper.lookup(), keeper.config.layers
    entries = dict(row for row in lookup.entry_counts() if not is_put_away(row[0], layers))
    tags = tag_counts(row for row in lookup.all_tags() if not is_put_away(row[0], layers))
    return _Shown(len(entries), sum(entries.values()), len(tags))


def _reason(seen: Scan, pending: int) -> str:
    if seen.unreadable:
        return "cannot be read: " + ", ".join(part or "the workspace" for part in seen.unreadable)
    if not pending:
        return ""
    return f"{counted(pending, 'change')} not indexed yet"


def _index_info(keeper: Keeper, stores: Stores) -> IndexInfo:
    place, keyword = keeper.place, stores.keyword
    if place is None:
        return IndexInfo(keyword.backend, keyword.generation(), 0, "in memory")
    if stores.build is None:
        return IndexInfo(ON_DISK, 0, 0, str(place.folder))
    return IndexInfo(keyword.backend, keyword.generation(), place.bytes(), str(place.folder))


def why(keeper: Keeper, given: str) -> PathStatus:
    """Why one file is or is not found."""
    path = _from_here(keeper, given)
    seen = keeper.walk()
    if not is_encodable(path):  # and so in no store
        return PathStatus(path, found=False, reason=_why_not(keeper, path))
    card = keeper.lookup().card(path)
    problems = tuple(keeper.lookup().problems_of(path))
    if path not in seen.files:
        reason = _why_not(keeper, path)
        if card:
            reason += "; still in the index until the next sync"
        return PathStatus(path, found=False, reason=reason, problems=problems)
    if keeper.stores().cards.is_hidden(path):
        return PathStatus(path, found=False, reason="a generated catalog or the journal")
    if card is None:
        return PathStatus(path, found=False, reason="new: the next sync takes it in")
    return PathStatus(path, found=True, reason="indexed", problems=problems)


def _why_not(keeper: Keeper, path: str) -> str:
    """Why a file that the walk did not find is no page."""
    if not os.path.lexists(keeper.root / path):
        return "no such file"
    return why_ignored(keeper.root, path, ignore=keeper.ignore())


def _from_here(keeper: Keeper, given: str) -> str:
    """A path as given, without refusing hidden ones: that they are hidden is the answer."""
    with suppress(MemwikiError):
        return contain(keeper.root, given)
    inside = Path(os.path.normpath(keeper.root / given))
    if not inside.is_relative_to(keeper.root):
        raise UnsafePathError(
            f"{given}: lies outside the workspace", hint="give a path below it", path=given
        )
    return inside.relative_to(keeper.root).as_posix()


def doctor(keeper: Keeper, *, verify: bool, progress: Progress | None) -> Health:
    """What is wrong with the index; with `verify` it is compared with one built anew."""
    notes = list(_notes(keeper))
    if not verify:
        return Health(healthy=not notes, notes=tuple(notes))
    scratch = Path(tempfile.mkdtemp(prefix="memwiki-verify-"))
    try:
        with closing(Stores(scratch)) as rebuilt:
            live, anew, moving = _both(keeper, rebuilt, progress)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    if notes:  # pages that cannot be read now are kept, and no rebuild can hold them
        live = without(live, paths_of(live) - paths_of(anew))
    is_well = not notes
    if moving:  # which says nothing about the index
        notes.append(f"{len(moving)} of the pages keep changing and were not compared")
        live, anew = without(live, moving), without(anew, moving)
    found = differences(live, anew)
    return Health(is_well and not found, tuple(notes), equal=not found, differences=found)


def _both(
    keeper: Keeper, rebuilt: Stores, progress: Progress | None
) -> tuple[Dump, Dump, set[str]]:
    """The live index and one built anew, of the same bytes of every page; and the pages that change
    too often for that, while others write them."""
    for _ in range(_ROUNDS):
        bring_in_step(
            keeper.root, keeper.walk(), rebuilt, keeper.recipe, Request(progress=progress)
        )
        progress = None
        keeper.sync()  # after it: where the two differ, the live one has the later version
        anew = dump(rebuilt)
        with keeper.amending() as stores:  # nobody else writes meanwhile
            live = dump(stores)
            moving = _apart(stores, rebuilt)
        if not moving:
            break
    return live, anew, {path for path in moving if _is_other(keeper, path, rebuilt)}


def _apart(stores: Stores, rebuilt: Stores) -> set[str]:
    """The files of which the two do not hold the same version."""
    one, other = stores.cards.digests(), rebuilt.cards.digests()
    pages = {path for path in {*one, *other} if one.get(path) != other.get(path)}
    files = (
        {path for _, path in Lookup(each.cards.db).all_attachments()} for each in (stores, rebuilt)
    )
    return pages | set.symmetric_difference(*files)


def _is_other(keeper: Keeper, path: str, rebuilt: Stores) -> bool:
    """Whether a file is another one again than the one that was just read."""
    data = current_bytes(keeper.root, path)
    return (digest_of(data) if data is not None else None) != rebuilt.cards.digests().get(path)


def _notes(keeper: Keeper) -> Iterator[str]:
    changes = keeper.sync()
    yield from keeper.warnings
    if not changes.fresh:
        yield changes.reason
    yield from (f"{path}: could not be read" for path in changes.failed)
    if title := cut_short(keeper):
        yield f"a change was cut short: {title}; memwiki undo takes it back"
    for group in keeper.walk().collisions:
        yield f"names that some file systems take for one: {', '.join(group)}"
    try:
        keeper.stores().require_agreement()
    except DAMAGE as error:
        yield str(error)
