"""Bringing the index up to date with the files: what each projection lacks, it is given.

There is no other way into a projection. A crash between two stores, a lost one, a new one and an
ordinary edit are one case here: this projection lacks these pages.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from itertools import chain
from operator import itemgetter, ne
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING

from memwiki.errors import IndexDamagedError
from memwiki.files.checkout import git_head
from memwiki.files.ignore import Ignore, PathState, device_of, is_case_blind, probe
from memwiki.files.read import is_proof_at
from memwiki.files.scan import Scan
from memwiki.index.cards.store import Cards, last_known
from memwiki.index.projection import Projection, lacking, uncollected
from memwiki.index.storage_sqlite import decoding
from memwiki.index.stores import Stores
from memwiki.index.units import NOTHING, ExistingUnits
from memwiki.names import is_within
from memwiki.nouns import Signature
from memwiki.numbers import counted
from memwiki.records import NamedTuple
from memwiki.sync.context import IndexSettings
from memwiki.sync.request import UNREAD, Prepared, SyncRequest, SyncRun, prepared

if TYPE_CHECKING:
    from memwiki.markdown.outline import Outlines

_BATCH = 2_000  # pages a commit of a long sync: Ctrl-C loses no more than that
_MANY = 500  # from so many pages on, worker processes gain more than starting them costs
MANY = 100  # this many pages, and more than half, do not vanish by themselves
_PAGE_BYTES = 4_096  # what a page costs beside its text
_FIRST_PACE = 1_000_000  # bytes a second, before any was measured
_SHARE = 0.5  # of the time that is left: a commit takes longer than its pages
_MIN_SECONDS = 0.1
_TIMES = itemgetter(1, 2)  # of a signature
_NO_PROOF = (-1, -1, -1, -1)


def sync_stores(
    root: Path, seen: Scan, stores: Stores, settings: IndexSettings, request: SyncRequest
) -> SyncRun:
    """Give every projection what it lacks compared with the files; call it under the index lock."""
    folders = _changed_folders(seen, stores, request)
    held = stores.cards.held(folders)
    files = seen.files if folders is None else seen.files_in(folders)
    witness: Projection = stores.cards
    before, step = held.digests, SyncRun()
    step.beside = held.beside
    if not (before or step.beside):  # when the cards are lost, the keyword index still says it
        witness = stores.keyword
        before = dict(witness.digests())
    tree = witness.tree()
    _look(root, files, {} if request.full else held.proofs, before, step, request)
    keep_unknown(seen, stores.cards.remarks(), before, step, request)
    step.compare(before)
    # An untouched store is not even opened.
    stale = stores.projections() if step.is_change or not stores.are_synced() else ()
    if step.beside and any(each.tree() != tree for each in stale):
        stores.clear_synced_tree()  # what one of them lacks is told by all pages alone
        return sync_stores(root, seen, stores, settings, request)
    needs = [(each, *lack_of(each, tree, step)) for each in stale]
    if any(puts or gone for _, puts, gone in needs):
        stores.clear_synced_tree()  # until all have what they lack
    feed(root, settings, needs, step, request)
    step.added = [path for path in step.added if path in step.wanted]  # else it was not read
    if not (before or step.beside) and len(step.added) >= _MANY:
        stores.cards.db.defragment()
    if needs:
        stores.note_synced_tree()
    _remember(seen, stores, step, request)
    _prove(seen, folders, held.proofs, stores.cards, step, request)
    return step


def _changed_folders(seen: Scan, stores: Stores, request: SyncRequest) -> set[str] | None:
    """The folders that are not as they were proven to be; None where to look at all of them is no
    more work, or some store may lack other pages."""
    proven = {} if request.full or not stores.are_synced() else stores.cards.proven()
    changed = {each for each in proven if each not in seen.proofs}
    changed |= {each for each, proof in seen.proofs.items() if proven.get(each) != proof}
    count = sum(len(names) for folder, names, _ in seen.folders if folder in changed)
    return changed if proven and seen.proofs and 2 * count < seen.count else None


def _prove(
    seen: Scan,
    folders: set[str] | None,
    proofs: dict[str, Signature],
    cards: Cards,
    step: SyncRun,
    request: SyncRequest,
) -> None:
    """Note of which folders all that the walk saw is held, by proof."""
    changed = {*step.added, *step.modified, *step.signatures, *step.withheld}
    if request.only or step.why_kept or step.failed or len(changed) > MANY:
        return
    for path, (_, signature, is_settled) in cards.known(changed).items():
        proofs[path] = signature if is_settled else _NO_PROOF
    unclear = {
        folder
        for folder, names, signatures in seen.folders
        if (folders is None or folder in folders)
        and any(map(ne, map(proofs.get, map(folder.__add__, names)), signatures))
    }
    # With those that are not, so that they are looked at when they are gone.
    cards.note_proven({each: "" if each in unclear else seen.proofs[each] for each in seen.proofs})


def _look(
    root: Path,
    files: Mapping[str, Signature],
    proofs: Mapping[str, Signature],
    before: Mapping[str, str],
    step: SyncRun,
    request: SyncRequest,
) -> None:
    """Find the digest of every page; files whose signature is proof are not read."""
    unclear = _unproved(files, proofs)
    step.wanted = dict(before)
    for path in before.keys() - files.keys():
        del step.wanted[path]
    for count, path in enumerate(unclear):
        if request.progress and not count % 256:
            request.progress(count // 8, len(unclear) + len(unclear) // 8)
        if not request.covers(path):
            continue
        if before:
            step.read_digest(root, path)
        else:
            step.wanted[path] = UNREAD  # all are new, whatever they say: `feed` reads each once


def _unproved(files: Mapping[str, Signature], proofs: Mapping[str, Signature]) -> list[str]:
    return [path for path, signature in files.items() if proofs.get(path) != signature]


def lack_of(projection: Projection, tree: str, step: SyncRun) -> tuple[set[str], list[str]]:
    """The pages that a projection has to take in, and those that it has to drop."""
    if projection.tree() == tree:
        # It holds what was held before, so what changed since is all that it lacks.
        return {*step.added, *step.modified}, step.removed
    return lacking(step.wanted, projection.digests())


def feed(
    root: Path,
    settings: IndexSettings,
    lacking: Sequence[tuple[Projection, set[str], list[str]]],
    step: SyncRun,
    request: SyncRequest,
) -> None:
    """Read and parse each page once and hand it to whoever lacks it; one commit each a batch."""
    paths = sorted(set().union(*(lacks for _, lacks, _ in lacking)))
    removes = {projection.name: gone for projection, _, gone in lacking}
    done = 0
    every = _all_prepared(root, settings, lacking, paths, step, request)
    with uncollected() as collect, closing(every) as pages:
        for start in range(0, max(len(paths), 1), _BATCH):
            puts = []
            for path in paths[start : start + _BATCH]:
                if put := step.take(path, next(pages)):
                    puts.append(put)
                done += 1
                if request.progress and not done % 64:
                    request.progress(len(paths) // 8 + done, len(paths) + len(paths) // 8)
            for projection, lacks, _ in lacking:
                mine = [put for put in puts if put.page.path in lacks]
                gone = removes.pop(projection.name, [])
                if mine or gone:
                    projection.apply(mine, gone)
                mine.clear()
            puts.clear()
            if start + _BATCH < len(paths):
                collect()  # and walks what is held of all other pages, 30 ms of 10,000


def _all_prepared(
    root: Path,
    settings: IndexSettings,
    lacking: Sequence[tuple[Projection, set[str], list[str]]],
    paths: Sequence[str],
    step: SyncRun,
    request: SyncRequest,
) -> Generator[Prepared]:
    """The pages as the stores take them in, in order; many of them are made by worker processes."""
    outlines = request.outlines
    at_hand = outlines.paths if outlines else ()
    if sum(path not in at_hand for path in paths) >= _MANY:
        from memwiki.sync.workers import in_workers, worker_count

        if count := worker_count(request.workers):
            yield from in_workers(count, root, paths, settings)
            return
    known, modified = _known_units(lacking), set(step.modified)
    for path in paths:
        held = known(path) if path in modified else NOTHING
        yield prepared(root, path, settings, held, outlines)


def _known_units(
    lacking: Sequence[tuple[Projection, set[str], list[str]]],
) -> Callable[[str], ExistingUnits]:
    """The units of a page that every projection holds, so that nobody asks for them again."""
    cards = next((each for each, _, _ in lacking if isinstance(each, Cards)), None)
    agree = len(lacking) > 1 and len({each.tree() for each, _, _ in lacking}) == 1
    return cards.existing_units if cards and agree else lambda _: NOTHING


def _remember(seen: Scan, stores: Stores, step: SyncRun, request: SyncRequest) -> None:
    """Note what lets the next sync read less."""
    if step.signatures:
        stores.cards.remember(step.signatures)
    # What was private is so no more, or is gone.
    withheld = stores.cards.withheld()
    shown = [path for path in withheld if path in step.wanted or path not in seen.files]
    if step.withheld or shown:
        stores.cards.withhold(step.withheld, shown)
    stores.cards.attach(seen.attachments)
    if not (request.only or step.why_kept):
        stores.cards.note("git_head", request.git_head)
        stores.cards.note("mounts", json.dumps([seen.device, dict(seen.mounts)]))


def is_settled(seen: Scan, started_ns: int) -> bool:
    """Whether every signature was proof when the walk began."""
    signatures = chain.from_iterable(signatures for _, _, signatures in seen.folders)
    newest = chain.from_iterable(map(_TIMES, signatures))  # no step of it in Python
    return is_proof_at(max(newest, default=0), started_ns)


def keep_unknown(
    seen: Scan,
    remarks: Mapping[str, str],
    before: Mapping[str, str],
    step: SyncRun,
    request: SyncRequest,
    *,
    may_shrink: bool = False,
) -> None:
    """Keep the pages that are missing but not positively gone: of those that are elsewhere or
    cannot be reached, and of many at once, unless the index `may_shrink`."""
    missing = [path for path in before if path not in step.wanted]
    if not missing and "" not in seen.unreadable:
        return
    kept = [path for path in missing if not request.covers(path)]
    missing = [path for path in missing if request.covers(path)]
    blind = [] if request.force else [*seen.unreadable, *_strange_mounts(seen, remarks)]
    hidden = [path for path in missing if any(is_within(path, part) for part in blind)]
    if hidden or "" in seen.unreadable:
        where = ", ".join(part or "the workspace" for part in blind[:3])
        pages = counted(len(hidden), "page")
        step.why_kept = f"{pages} kept: {where} is unreadable or on another device"
    gone = len(missing) - len(hidden)
    is_checkout = request.git_head != remarks.get("git_head", "")
    count = len(before) + step.beside
    if gone > MANY and gone > count / 2 and not (request.force or is_checkout or may_shrink):
        hidden = missing
        step.why_kept = f"{gone} of {count} pages vanished at once; nothing was removed"
    step.wanted.update((path, before[path]) for path in (*kept, *hidden))


def why_kept(
    seen: Scan, last: Path | None, request: SyncRequest, *, may_shrink: bool = False
) -> str:
    """Why a new index must not take the place of the last one, of which this is the build; "" when
    it may."""
    before, remarks = last_known(last)
    try:
        _ = mounts_of(remarks) if "mounts" in remarks else None
    except IndexDamagedError:
        remarks = {**remarks, "mounts": ""}
    step = SyncRun(wanted={path: digest for path, digest in before.items() if path in seen.files})
    keep_unknown(seen, remarks, before, step, request, may_shrink=may_shrink)
    return step.why_kept


def mounts_of(remarks: Mapping[str, str]) -> tuple[int, dict[str, int]]:
    """The device of the workspace and those of other folders, as the last sync of everything saw
    them."""
    with decoding("cards: mounts"):
        device, mounts = json.loads(remarks["mounts"])
        return int(device), dict(mounts)


def _strange_mounts(seen: Scan, remarks: Mapping[str, str]) -> Iterator[str]:
    """Folders that lie on another device than when they were last seen."""
    if not remarks.get("mounts") or not seen.device:
        return
    device, mounts = mounts_of(remarks)
    if device != seen.device:
        yield ""
    for folder in {*mounts, *seen.mounts}:
        if mounts.get(folder) != seen.mounts.get(folder):
            yield folder


class Behind(NamedTuple):
    """What the index lacks of the files: paths with what each costs, the smallest first."""

    paths: Sequence[str]
    bytes: Sequence[int]
    has_vanished: bool = False  # so many pages are gone that a person should look


def behind(seen: Scan, known: Mapping[str, Signature]) -> Behind:
    """Which files differ from what the index holds, by their signatures."""
    gone = [path for path in known if path not in seen.files]
    has_vanished = len(gone) > MANY and len(gone) > len(known) / 2
    costs = {path: each[0] for path, each in seen.files.items() if known.get(path) != each}
    costs |= {} if has_vanished else dict.fromkeys(gone, 0)
    paths = sorted(costs, key=lambda path: (costs[path], path))
    return Behind(paths, [costs[path] + _PAGE_BYTES for path in paths], has_vanished)


def take_in(
    lacking: Behind,
    until: float,
    take: Callable[[Sequence[str]], object],
    clock: Callable[[], float] = monotonic,
) -> int:
    """Take in portions that fit the time until a moment of the clock, each kept; gives how many
    paths are left. A page that alone takes longer is left."""
    pace, at = float(_FIRST_PACE), 0
    while at < len(lacking.paths):
        began = clock()
        if until - began < _MIN_SECONDS:
            break
        stop = _stop(lacking.bytes, at, (until - began) * _SHARE * pace)
        if stop == at:
            break
        take(lacking.paths[at:stop])
        pace = sum(lacking.bytes[at:stop]) / max(clock() - began, 1e-3)
        at = stop
    return len(lacking.paths) - at


def _stop(costs: Sequence[int], at: int, most: float) -> int:
    """Behind the last of these, from one on, that together cost no more."""
    while at < len(costs) and costs[at] <= most:
        most -= costs[at]
        at += 1
    return at


def can_be_probed(root: Path, stores: Stores) -> bool:
    """Whether the workspace is as the last sync of everything left it, some files aside."""
    remarks = stores.cards.remarks()
    if not (stores.are_synced() and remarks.get("mounts")):
        return False
    device, _ = mounts_of(remarks)
    is_same = remarks.get("git_head", "") == git_head(root) and device == device_of(root)
    if not is_same or is_case_blind(root):
        return False
    return len({each.tree() for each in stores.projections()}) == 1


def probe_paths(root: Path, hint: Iterable[str], ignore: Ignore, stores: Stores) -> SyncRun | None:
    """Compare these paths with the index; None when only a walk can tell what became of them."""
    known = stores.cards.known(hint)
    before = {path: digest for path, (digest, _, _) in known.items()}
    step = SyncRun(before)
    for path in hint:
        match probe(root, path, ignore):
            case PathState.UNCLEAR:
                return None
            case PathState.PAGE:
                step.read_digest(root, path)
            case PathState.GONE:
                step.wanted.pop(path, None)
    step.compare(before)
    for path, (_, *noted) in known.items():
        if step.signatures.get(path) == tuple(noted):
            del step.signatures[path]
    return step if len(step.removed) <= MANY else None


def sync_probed(
    root: Path, step: SyncRun, stores: Stores, settings: IndexSettings, outlines: Outlines | None
) -> None:
    """Give every projection what `probe_paths` found; call it while all of them agree."""
    if step.is_change:
        stores.clear_synced_tree()
        changed = {*step.added, *step.modified}
        lacking = [(each, changed, step.removed) for each in stores.projections()]
        feed(root, settings, lacking, step, SyncRequest(outlines=outlines))
        stores.note_synced_tree()
        stores.require_same_units()
    if step.signatures:
        stores.cards.remember(step.signatures)
