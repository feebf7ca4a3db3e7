"""Pages that are missing on disk: dropped when they are positively gone, kept otherwise."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping

from memwiki.errors import IndexDamagedError
from memwiki.files.scan import Scan
from memwiki.index.cards.store import LastKnownPages
from memwiki.index.damage import decoding
from memwiki.names import is_within
from memwiki.numbers import counted
from memwiki.sync.request import SyncRequest, SyncRun

MANY = 100  # this many pages, and more than half, do not vanish by themselves


def keep_unknown(
    seen: Scan,
    remarks: Mapping[str, str],
    before: Mapping[str, str],
    step: SyncRun,
    request: SyncRequest,
) -> None:
    """Keep the pages that are missing but not positively gone."""
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
    if gone > MANY and gone > len(before) / 2 and not (request.force or is_checkout):
        hidden = missing
        step.why_kept = f"{gone} of {len(before)} pages vanished at once; nothing was removed"
    step.wanted.update((path, before[path]) for path in (*kept, *hidden))


def why_kept(seen: Scan, last: LastKnownPages, request: SyncRequest) -> str:
    """Why a new index must not take the place of one that held these pages; "" when it may."""
    before, remarks = last.digests, dict(last.remarks)
    try:
        _ = mounts_of(remarks) if "mounts" in remarks else None
    except IndexDamagedError:
        del remarks["mounts"]
    step = SyncRun(wanted={path: digest for path, digest in before.items() if path in seen.files})
    keep_unknown(seen, remarks, before, step, request)
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
