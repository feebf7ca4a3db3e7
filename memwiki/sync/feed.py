"""Bringing the index up to date with the files: what each projection lacks, it is given.

There is no other way into a projection. A crash between two stores, a lost one, a new one and an
ordinary edit are one case here: this projection lacks these pages.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path

from memwiki.files.scan import Scan
from memwiki.index.cards.store import Cards
from memwiki.index.projection import Projection, is_proof, lack
from memwiki.index.stores import Stores
from memwiki.index.units import NOTHING, ExistingUnits
from memwiki.nouns import Signature
from memwiki.sync.removals import keep_unknown
from memwiki.sync.request import UNREAD, IndexSettings, Prepared, SyncRequest, SyncRun, prepared

_BATCH = 2_000  # pages a commit of a long sync: Ctrl-C loses no more than that
_MANY = 500  # from so many pages on, worker processes gain more than starting them costs


def sync_stores(
    root: Path, seen: Scan, stores: Stores, settings: IndexSettings, request: SyncRequest
) -> SyncRun:
    """Give every projection what it lacks compared with the files; call it under the index lock."""
    witness: Projection = stores.cards
    before = dict(stores.cards.digests())
    if not before:  # when the cards are lost, the keyword index still says what there was
        witness = stores.keyword
        before = dict(witness.digests())
    tree = witness.tree()
    step = SyncRun()
    _look(root, seen, stores, before, step, request)
    keep_unknown(seen, stores.cards.remarks(), before, step, request)
    step.compare(before)
    # An untouched store is not even opened.
    stale = stores.projections() if step.is_change or not stores.are_synced() else ()
    lacking = [(each, *_lacks(each, tree, step)) for each in stale]
    if any(puts or gone for _, puts, gone in lacking):
        stores.clear_synced_tree()  # until all have what they lack
    feed(root, settings, lacking, step, request)
    step.added = [path for path in step.added if path in step.wanted]  # else it was not read
    if lacking:
        stores.note_synced_tree()
    _remember(seen, stores, step, request)
    return step


def _look(
    root: Path,
    seen: Scan,
    stores: Stores,
    before: Mapping[str, str],
    step: SyncRun,
    request: SyncRequest,
) -> None:
    """Find the digest of every page; files whose signature is proof are not read."""
    proofs = {} if request.full else stores.cards.proofs()
    unclear = _unproved(seen.files, proofs)
    step.wanted = dict(before)
    for path in before.keys() - seen.files.keys():
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


def _lacks(projection: Projection, tree: str, step: SyncRun) -> tuple[set[str], list[str]]:
    """The pages that a projection has to take in, and those that it has to drop."""
    if projection.tree() == tree:
        # It holds what was held before, so what changed since is all that it lacks.
        return {*step.added, *step.modified}, step.removed
    return lack(projection, step.wanted)


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
    with closing(_all_prepared(root, settings, lacking, paths, step, request)) as pages:
        for batch in _batches(paths):
            puts = []
            for path in batch:
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


def _batches(paths: Sequence[str]) -> Iterator[Sequence[str]]:
    for start in range(0, max(len(paths), 1), _BATCH):
        yield paths[start : start + _BATCH]


def _remember(seen: Scan, stores: Stores, step: SyncRun, request: SyncRequest) -> None:
    """Note what lets the next sync read less."""
    if step.signatures:
        stores.cards.remember(step.signatures)
    shown = [path for path in stores.cards.withheld() if _is_shown(path, seen, step)]
    if step.withheld or shown:
        stores.cards.withhold(step.withheld, shown)
    stores.cards.attach(seen.attachments)
    if not (request.only or step.why_kept):
        stores.cards.note("git_head", request.git_head)
        stores.cards.note("mounts", json.dumps([seen.device, dict(seen.mounts)]))


def _is_shown(path: str, seen: Scan, step: SyncRun) -> bool:
    """Whether a page that was private is so no more, or is gone."""
    return path in step.wanted or path not in seen.files


def is_settled(seen: Scan, started_ns: int) -> bool:
    """Whether every signature was proof when the walk began."""
    return all(is_proof(signature, started_ns) for signature in seen.files.values())
