"""Bringing the index up to date with the files: what each projection lacks, it is given.

There is no other way into a projection. A crash between two stores, a lost one, a new one and an
ordinary edit are one case here: this projection lacks these pages.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from memwiki.files.scan import Scan
from memwiki.index.cards.store import Cards
from memwiki.index.fill import Progress, lack
from memwiki.index.projection import Projection, Put, is_proof
from memwiki.index.stores import Stores
from memwiki.model import Signature
from memwiki.sync.removals import keep_unknown
from memwiki.sync.request import IndexSettings, SyncRequest, SyncRun

_BATCH = 2_000  # pages a commit of a long sync: Ctrl-C loses no more than that


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
    lacking = [(each, *_lacks(each, tree, step)) for each in _stale(stores, step)]
    if any(puts or gone for _, puts, gone in lacking):
        stores.clear_synced_tree()  # until all have what they lack
    feed(root, settings, lacking, step, request.progress)
    if lacking:
        stores.note_synced_tree()
    _remember(seen, stores, step, request)
    return step


def _stale(stores: Stores, step: SyncRun) -> Iterable[Projection]:
    """The projections that may lack something; an untouched store is not even opened."""
    if step.is_change or not stores.are_synced():
        return stores.projections()
    return ()


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
        if request.covers(path):
            step.read_digest(root, path)


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
    progress: Progress | None,
) -> None:
    """Read and parse each page once and hand it to whoever lacks it; one commit each a batch."""
    paths = sorted(set().union(*(lacks for _, lacks, _ in lacking)))
    removes = {projection.name: gone for projection, _, gone in lacking}
    done, known, modified = 0, _known_units(lacking), set(step.modified)
    for batch in _batches(paths):
        puts = []
        for path in batch:
            put = _put(root, path, settings, step, known(path) if path in modified else ())
            if put:
                puts.append(put)
            done += 1
            if progress and not done % 64:
                progress(len(paths) // 8 + done, len(paths) + len(paths) // 8)
        for projection, lacks, _ in lacking:
            mine = [put for put in puts if put.page.path in lacks]
            gone = removes.pop(projection.name, [])
            if mine or gone:
                projection.apply(mine, gone)


def _known_units(
    lacking: Sequence[tuple[Projection, set[str], list[str]]],
) -> Callable[[str], Collection[bytes]]:
    """The keys of the units of a page that every projection holds, so that nobody asks for their
    terms."""
    cards = next((each for each, _, _ in lacking if isinstance(each, Cards)), None)
    agree = len(lacking) > 1 and len({each.tree() for each, _, _ in lacking}) == 1
    return cards.unit_keys if cards and agree else lambda _: ()


def _batches(paths: Sequence[str]) -> Iterator[Sequence[str]]:
    for start in range(0, max(len(paths), 1), _BATCH):
        yield paths[start : start + _BATCH]


def _put(
    root: Path, path: str, settings: IndexSettings, step: SyncRun, known: Collection[bytes]
) -> Put | None:
    found = step.read(root, path, settings.max_bytes)
    if found is None:
        return None
    from memwiki.index.prepare import take_in  # 40 ms that a sync with nothing to do does not have

    data, origin = found
    return take_in(path, data, settings.layers, settings.max_bytes, origin, known).release()


def _remember(seen: Scan, stores: Stores, step: SyncRun, request: SyncRequest) -> None:
    """Note what lets the next sync read less."""
    if step.signatures:
        stores.cards.remember(step.signatures)
    stores.cards.attach(seen.attachments)
    if not (request.only or step.why_kept):
        stores.cards.note("git_head", request.git_head)
        stores.cards.note("mounts", json.dumps([seen.device, dict(seen.mounts)]))


def is_settled(seen: Scan, started_ns: int) -> bool:
    """Whether every signature was proof when the walk began."""
    return all(is_proof(signature, started_ns) for signature in seen.files.values())
