"""Syncing the pages of which somebody says that they changed, without a walk."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from memwiki.files.checkout import git_head
from memwiki.files.ignore import Ignore
from memwiki.files.probe import PathState, device_of, is_case_blind, probe
from memwiki.index.stores import Stores
from memwiki.sync.feed import feed
from memwiki.sync.removals import MANY, mounts_of
from memwiki.sync.request import IndexSettings, SyncRequest, SyncRun


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
    step = SyncRun(dict(before))
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


def sync_probed(root: Path, step: SyncRun, stores: Stores, settings: IndexSettings) -> None:
    """Give every projection what `probe_paths` found; call it while all of them agree."""
    if step.is_change:
        stores.clear_synced_tree()
        changed = {*step.added, *step.modified}
        lacking = [(each, changed, step.removed) for each in stores.projections()]
        feed(root, settings, lacking, step, SyncRequest())
        stores.note_synced_tree()
        stores.require_same_units()
    if step.signatures:
        stores.cards.remember(step.signatures)
