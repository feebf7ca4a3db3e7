"""Bringing the index in step with the files: what each projection lacks, it is given.

There is no other way into a projection. A crash between two stores, a lost one, a new one and an
ordinary edit are one case here: this projection lacks these pages.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from memwiki.answers.index import Changes
from memwiki.clock import now_ns
from memwiki.digest import blake2b
from memwiki.errors import (
    IndexDamagedError,
    MemwikiError,
    NotFoundError,
    UnreadableError,
    UnsafePathError,
)
from memwiki.files.checkout import git_head
from memwiki.files.ignore import Ignore
from memwiki.files.probe import Glance, device_of, glance, is_case_blind
from memwiki.files.read import contents, digest_in
from memwiki.files.scan import Scan
from memwiki.index.cards.store import Cards, LastKnown
from memwiki.index.damage import decoding
from memwiki.index.fill import lack
from memwiki.index.projection import Projection, Put, is_proof
from memwiki.index.stores import Stores
from memwiki.model import Layers, Signature
from memwiki.names import is_within
from memwiki.numbers import counted

Progress = Callable[[int, int], None]

_FORMAT = "9"  # of the index; another number builds it anew
_BATCH = 2_000  # pages a commit of a long sync: Ctrl-C loses no more than that
_MANY = 100  # this many pages, and more than half, do not vanish by themselves


class Recipe(NamedTuple):
    """What the index depends on besides the files."""

    layers: Layers
    max_bytes: int

    def digest(self) -> str:
        """A short name for it and for the format of the index."""
        parts = (_FORMAT, tuple(self.layers), self.max_bytes)
        return blake2b(repr(parts).encode(), digest_size=8).hexdigest()


class Request(NamedTuple):
    """What one sync was asked to do: `only` these paths, reading all of them (`full`), taking
    removals as meant (`force`)."""

    only: tuple[str, ...] = ()
    full: bool = False
    force: bool = False
    git_head: str = ""
    progress: Progress | None = None

    def covers(self, path: str) -> bool:
        """Whether a path is among those asked about."""
        return not self.only or any(is_within(path, part) for part in self.only)


@dataclass(slots=True)
class Step:
    """One sync as it goes: what the files are, and what became of them."""

    wanted: dict[str, str] = field(default_factory=dict)  # path -> digest the index shall hold
    signatures: dict[str, tuple[Signature, bool]] = field(default_factory=dict)
    failed: dict[str, str] = field(default_factory=dict)  # path -> why it could not be read
    added: list[str] = field(default_factory=list)
    modified: list[str] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)
    held: str = ""  # why pages that are missing on disk were kept

    @property
    def is_change(self) -> bool:
        """Whether any page came, changed or went."""
        return bool(self.added or self.modified or self.removed)


def bring_in_step(root: Path, seen: Scan, stores: Stores, recipe: Recipe, request: Request) -> Step:
    """Give every projection what it lacks compared with the files; call it under the index lock."""
    witness: Projection = stores.cards
    before = dict(stores.cards.digests())
    if not before:  # when the cards are lost, the keyword index still says what there was
        witness = stores.keyword
        before = dict(witness.digests())
    tree = witness.tree()
    step = Step()
    _look(root, seen, stores, before, step, request)
    _keep_unknown(seen, stores.cards.remarks(), before, step, request)
    _compare(before, step)
    lacking = [(each, *_lacks(each, tree, step)) for each in _stale(stores, step)]
    if any(puts or gone for _, puts, gone in lacking):
        stores.disagree()  # until all have what they lack
    _feed(root, recipe, lacking, step, request.progress)
    if lacking:
        stores.agree()
    _remember(seen, stores, step, request)
    return step


def is_followed(root: Path, stores: Stores) -> bool:
    """Whether the workspace is as the last sync of everything left it, some files aside."""
    remarks = stores.cards.remarks()
    if not (stores.are_agreed() and remarks.get("mounts")):
        return False
    device, _ = _mounts_of(remarks)
    is_same = remarks.get("git_head", "") == git_head(root) and device == device_of(root)
    if not is_same or is_case_blind(root):
        return False
    return len({each.tree() for each in stores.projections()}) == 1


def _mounts_of(remarks: Mapping[str, str]) -> tuple[int, dict[str, int]]:
    """The device of the workspace and those of other folders, as the last sync of everything saw them."""
    with decoding("cards: mounts"):
        device, mounts = json.loads(remarks["mounts"])
        return int(device), dict(mounts)


def look_at(root: Path, hint: Iterable[str], ignore: Ignore, stores: Stores) -> Step | None:
    """Compare these paths with the index; None when only a walk can tell what became of them."""
    known = stores.cards.known(hint)
    step = Step({path: digest for path, (digest, _, _) in known.items()})
    for path in hint:
        match glance(root, path, ignore):
            case Glance.UNCLEAR:
                return None
            case Glance.PAGE:
                _read_digest(root, path, step)
            case Glance.GONE:
                step.wanted.pop(path, None)
    _compare({path: digest for path, (digest, _, _) in known.items()}, step)
    for path, (_, *noted) in known.items():
        if step.signatures.get(path) == tuple(noted):
            del step.signatures[path]
    return step if len(step.removed) <= _MANY else None


def give(root: Path, step: Step, stores: Stores, recipe: Recipe) -> None:
    """Give every projection what `look_at` found; call it while all of them agree."""
    if step.is_change:
        stores.disagree()
        changed = {*step.added, *step.modified}
        lacking = [(each, changed, step.removed) for each in stores.projections()]
        _feed(root, recipe, lacking, step, None)
        stores.agree()
        stores.require_agreement()
    if step.signatures:
        stores.cards.remember(step.signatures)


def _stale(stores: Stores, step: Step) -> Iterable[Projection]:
    """The projections that may lack something; an untouched store is not even opened."""
    if step.is_change or not stores.are_agreed():
        return stores.projections()
    return ()


def _look(
    root: Path, seen: Scan, stores: Stores, before: Mapping[str, str], step: Step, request: Request
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
            _read_digest(root, path, step)


def _unproved(files: Mapping[str, Signature], proofs: Mapping[str, Signature]) -> list[str]:
    return [path for path, signature in files.items() if proofs.get(path) != signature]


def _read_digest(root: Path, path: str, step: Step) -> None:
    checked_ns = now_ns()
    try:
        digest, signature = digest_in(root, path)
    except NotFoundError:
        step.wanted.pop(path, None)  # gone since the walk
    except (UnreadableError, UnsafePathError) as error:
        step.failed[path] = error.message  # what was indexed stays: unreadable is not deleted
    else:
        step.wanted[path] = digest
        step.signatures[path] = (signature, is_proof(signature, checked_ns))


def _keep_unknown(
    seen: Scan, remarks: Mapping[str, str], before: Mapping[str, str], step: Step, request: Request
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
        step.held = (
            f"{counted(len(hidden), 'page')} kept: {where} is unreadable or on another device"
        )
    gone = len(missing) - len(hidden)
    is_checkout = request.git_head != remarks.get("git_head", "")
    if gone > _MANY and gone > len(before) / 2 and not (request.force or is_checkout):
        hidden = missing
        step.held = f"{gone} of {len(before)} pages vanished at once; nothing was removed"
    step.wanted.update((path, before[path]) for path in (*kept, *hidden))


def would_lose(seen: Scan, last: LastKnown, request: Request) -> str:
    """Why a new index must not take the place of one that held these pages; "" when it may."""
    before, remarks = last.digests, dict(last.remarks)
    try:
        _ = _mounts_of(remarks) if "mounts" in remarks else None
    except IndexDamagedError:
        del remarks["mounts"]
    step = Step(wanted={path: digest for path, digest in before.items() if path in seen.files})
    _keep_unknown(seen, remarks, before, step, request)
    return step.held


def _strange_mounts(seen: Scan, remarks: Mapping[str, str]) -> Iterator[str]:
    """Folders that lie on another device than when they were last seen."""
    if not remarks.get("mounts") or not seen.device:
        return
    device, mounts = _mounts_of(remarks)
    if device != seen.device:
        yield ""
    for folder in {*mounts, *seen.mounts}:
        if mounts.get(folder) != seen.mounts.get(folder):
            yield folder


def _compare(before: Mapping[str, str], step: Step) -> None:
    step.added = sorted(path for path in step.wanted if path not in before)
    step.removed = sorted(path for path in before if path not in step.wanted)
    step.modified = sorted(p for p, d in step.wanted.items() if before.get(p, d) != d)


def _lacks(projection: Projection, tree: str, step: Step) -> tuple[set[str], list[str]]:
    """The pages that a projection has to take in, and those that it has to drop."""
    if projection.tree() == tree:
        # It holds what was held before, so what changed since is all that it lacks.
        return {*step.added, *step.modified}, step.removed
    return lack(projection, step.wanted)


def _feed(
    root: Path,
    recipe: Recipe,
    lacking: Sequence[tuple[Projection, set[str], list[str]]],
    step: Step,
    progress: Progress | None,
) -> None:
    """Read and parse each page once and hand it to whoever lacks it; one commit each a batch."""
    paths = sorted(set().union(*(lacks for _, lacks, _ in lacking)))
    removes = {projection.name: gone for projection, _, gone in lacking}
    done, known, modified = 0, _known_units(lacking), set(step.modified)
    for batch in _batches(paths):
        puts = []
        for path in batch:
            put = _put(root, path, recipe, step, known(path) if path in modified else ())
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
    """The keys of the units of a page that every projection holds, so that nobody asks for their terms."""
    cards = next((each for each, _, _ in lacking if isinstance(each, Cards)), None)
    agree = len(lacking) > 1 and len({each.tree() for each, _, _ in lacking}) == 1
    return cards.unit_keys if cards and agree else lambda _: ()


def _batches(paths: Sequence[str]) -> Iterator[Sequence[str]]:
    for start in range(0, max(len(paths), 1), _BATCH):
        yield paths[start : start + _BATCH]


def _put(root: Path, path: str, recipe: Recipe, step: Step, known: Collection[bytes]) -> Put | None:
    checked_ns = now_ns()
    try:
        held, signature = contents(root, path, recipe.max_bytes)
    except MemwikiError as error:
        step.failed.setdefault(path, error.message)
        return None
    from memwiki.index.prepare import take_in  # 40 ms that a sync with nothing to do does not have

    step.signatures.pop(path, None)
    origin = signature, is_proof(signature, checked_ns)
    return take_in(path, held, recipe.layers, recipe.max_bytes, origin, known).release()


def _remember(seen: Scan, stores: Stores, step: Step, request: Request) -> None:
    """Note what lets the next sync read less."""
    if step.signatures:
        stores.cards.remember(step.signatures)
    stores.cards.attach(seen.attachments)
    if not (request.only or step.held):
        stores.cards.note("git_head", request.git_head)
        stores.cards.note("mounts", json.dumps([seen.device, dict(seen.mounts)]))


def is_settled(seen: Scan, started_ns: int) -> bool:
    """Whether every signature was proof when the walk began."""
    return all(is_proof(signature, started_ns) for signature in seen.files.values())


def why_each(failed: Mapping[str, str]) -> Iterable[str]:
    """The reasons of failed reads, one line each."""
    return (f"{path}: {why}" for path, why in failed.items())


def told(step: Step) -> Changes:
    """What became of the files, as it is answered."""
    return Changes(
        added=tuple(step.added), modified=tuple(step.modified), removed=tuple(step.removed),
        failed=tuple(sorted(step.failed)), fresh=not (step.held or step.failed),
        reason="; ".join(filter(None, [step.held, *list(why_each(step.failed))[:3]])),
    )  # fmt: skip
