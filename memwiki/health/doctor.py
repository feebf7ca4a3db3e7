"""What is wrong with the index, and how it differs from one built anew."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from memwiki.answers.index import Health
from memwiki.commit.carry_out import cut_short
from memwiki.digest import digest_of
from memwiki.files.read import current_bytes
from memwiki.index.cards.lookup import Lookup
from memwiki.index.projection import Progress
from memwiki.index.storage_sqlite import DAMAGE
from memwiki.index.stores import Dump, Stores, differences, dump, paths_of, without
from memwiki.nouns import Difference
from memwiki.sync.feed import sync_stores
from memwiki.sync.live import LiveIndex
from memwiki.sync.request import SyncRequest

_MAX_ROUNDS = 4  # in which pages that others write meanwhile are read again


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
    of_vectors = live.vectors.differences(live) if live.vectors else []
    found = (*(difference for each in compared for difference in each.differences), *of_vectors)
    all_notes = (*notes, *(note for each in compared for note in each.notes))
    return Health(not notes and not found, all_notes, equal=not found, differences=found)


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
    for _ in range(_MAX_ROUNDS):
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
    seen, reaches = live.context.walk(), live.context.scope().reaches
    yield from seen.misnamed(reaches)
    for group in (each for each in seen.collisions if all(map(reaches, each))):
        yield f"names that some file systems treat as one: {', '.join(group)}"
    try:
        live.stores().require_same_units()
    except DAMAGE as error:
        if live.is_replaced():
            raise
        yield str(error)
