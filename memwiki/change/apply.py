"""The one function that changes files: it applies plans."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path, PurePosixPath

from memwiki.change import journal
from memwiki.change.making import MadePlan, Progress, make_all, settle
from memwiki.change.order import in_order
from memwiki.change.plan import Edit, Plan, folders_above, require_expected, respelled_paths
from memwiki.change.record import (
    as_record,
    packed_attributes,
    seal_again,
    seal_fields,
    stack_of,
    without,
)
from memwiki.change.revealed import reveal_plan, shows_nothing
from memwiki.clock import Clock, iso_of, local_day, now_ns
from memwiki.errors import (
    ConflictError,
    MemwikiError,
    SharedIndexError,
    UnsafePathError,
    UsageError,
    WriteError,
)
from memwiki.files.ignore import why_not_folder
from memwiki.files.lock import LOCK_NAME, Lock, state_folder
from memwiki.files.read import Mask, PublicRoot, SharedRoot, current_bytes, resolve_link
from memwiki.files.temporary import attributes_of, other_names, sweep_temporaries
from memwiki.files.write import append, remove_empty, remove_if_empty, rename, require_writable
from memwiki.names import first_free, fold
from memwiki.numbers import counted
from memwiki.records import NamedTuple

LOCK_WAIT_MS = 10_000
_ROTATE_BYTES = 1_000_000


class ApplyResult(NamedTuple):
    """A plan, what it changed, and which of these files had changed since it was made."""

    plan: Plan
    paths: tuple[str, ...] = ()
    merged: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()  # what could not be done beside it


def apply(
    root: Path,
    plan: Plan | Callable[[], Plan],
    *,
    log: str = "",
    mask: Mask | None = None,
    clock: Clock = now_ns,
    lock_timeout_ms: int = LOCK_WAIT_MS,
    key: bytes = b"",
    progress: Progress | None = None,
) -> ApplyResult:
    """Make the edits of a plan if every file is as expected, or can be merged with what it is now.

    What undoes them is kept first, sealed with the `key`, and an entry in the journal at `log` is
    added last, for plans that have an `op` and are noted, marked as private where the `mask` shows
    nothing of what changed. What makes a plan is called under the lock: who adds to a file that
    many write at once sees what all others have added. It must not open the index, which others
    hold while they wait for this lock.
    """
    if isinstance(plan, Plan) and not plan.is_needed:
        return ApplyResult(plan)
    if isinstance(root, SharedRoot):
        raise SharedIndexError.only_read()
    with _locked(root, lock_timeout_ms=lock_timeout_ms):
        plan = plan if isinstance(plan, Plan) else plan()
        _check_paths(root, plan)
        if not plan.is_needed:
            return ApplyResult(plan)
        if isinstance(root, PublicRoot):
            plan, root, mask = reveal_plan(root, plan), Path(root), None
        return _applied(root, plan, log, mask, clock, key, progress)


def _locked(root: Path, *, lock_timeout_ms: int) -> Lock:
    """The lock of the workspace, to be taken with `with`."""
    return Lock(state_folder(root) / LOCK_NAME, timeout_ms=lock_timeout_ms)


def _applied(
    root: Path,
    plan: Plan,
    log: str,
    mask: Mask | None,
    clock: Clock,
    key: bytes,
    progress: Progress | None,
) -> ApplyResult:
    """Apply a plan under the lock."""
    settled = settle(root, plan.edits)
    require_expected(root, plan.expected, {edit.path: edit.expect for edit in settled})
    sweep_temporaries(root, {path.rpartition("/")[0] for path in plan.paths})
    edits = [edit for edit in settled if edit.data != edit.base]
    require_writable(root, (edit.path for edit in edits if edit.data is not None))
    now, parted = clock(), _hard_link_notes(root, edits)
    made = _make_undoable(root, plan, edits, iso_of(now), key, progress)
    remove_folders(root, plan)
    notes = (*parted, *_note(root, plan, made, log, mask, now)) if made else ()
    return ApplyResult(
        plan, tuple(edit.path for edit in made), _merged_paths(plan, settled, made), notes
    )


def remove_folders(root: Path, plan: Plan) -> None:
    """Remove the folders that go with a plan, as far as nothing is left in them."""
    if plan.leaves:
        remove_empty(root, plan.leaves)
    if plan.empties:
        remove_if_empty(root, plan.empties)


def _merged_paths(plan: Plan, settled: list[Edit], made: tuple[Edit, ...]) -> tuple[str, ...]:
    """The files that others changed since the plan was made, also while it was written."""
    pairs = zip(settled, plan.edits, strict=True)
    data = {edit.path: edit.data for edit in made}
    return tuple(
        new.path
        for new, old in pairs
        if new.expect != old.expect or data.get(new.path, new.data) != new.data
    )


def note(
    root: Path, entry: journal.JournalEntry, log: str, *, lock_timeout_ms: int = LOCK_WAIT_MS
) -> int:
    """Add an entry to the journal for what was done without a plan; give its line."""
    with _locked(root, lock_timeout_ms=lock_timeout_ms):
        return _add_entry(root, entry, log)


def _check_paths(root: Path, plan: Plan) -> None:
    """Refuse what no plan may touch; a plan made from a file of the workspace can name anything."""
    seen: dict[str, list[str]] = {}
    was = {edit.path: edit.was for edit in plan.edits if edit.was}
    one_of_each = {"".join(path.rpartition("/")[:2]): path for path in reversed(plan.paths)}
    for folder, path in one_of_each.items():
        _require_open(folder, resolve_link(root, folder).relative_to(root.resolve()).parts)
        _require_open(path, PurePosixPath(path).parts[:-1])
    twice = set(respelled_paths(plan).values())
    for path in plan.paths:
        if os.path.islink(f"{root}/{path}"):  # noqa: PTH114 - a `Path` of each takes longer
            _require_open(path, _led_to(root, path).parts)
        if path in twice:
            continue
        spelled = seen.setdefault(fold(path), [])
        here, is_undo = was.get(path, path), bool(plan.undoes)
        others = (was.get(each, each) for each in spelled)
        if not all(_are_two(root, here, each, comes_back=is_undo) for each in others):
            hint = "put all changes to one file into one edit"
            raise UsageError(f"{path}: is changed twice by one plan", hint=hint, path=path)
        spelled.append(path)


def _are_two(root: Path, one: str, other: str, *, comes_back: bool) -> bool:
    """Whether two spellings of a name are files that the disk tells apart; one of them may come
    back beside the other, and is made beside none."""
    here, there = root / one, root / other
    if here.exists() and there.exists():
        return one != other and not here.samefile(there)
    return comes_back and here.exists() != there.exists()


def _require_open(path: str, folders: tuple[str, ...]) -> None:
    if any(map(why_not_folder, folders)):
        hint = "a plan may not change files in hidden folders"
        raise UnsafePathError(f"{path}: is in a hidden folder", hint=hint, path=path)


def _led_to(root: Path, path: str) -> Path:
    """What a symlink leads to, if that lies in the workspace; nothing where it leads out, as
    then reading it is refused, and it is removed alone."""
    try:
        return resolve_link(root, path).relative_to(root.resolve())
    except UnsafePathError:
        return Path()


# --- making edits --------------------------------------------------------------------------------


def _make_undoable(
    root: Path, plan: Plan, edits: list[Edit], at: str, key: bytes, progress: Progress | None
) -> tuple[Edit, ...]:
    """Make the edits, with what undoes them on the stack before the first and off it after an
    undo; give them as they were made."""
    stack = stack_of(root)
    if plan.undoes:
        newest = next(stack.newest(), None)
        if newest is None or newest.offset != plan.undoes[0]:
            raise ConflictError(
                "undo: another change was made meanwhile; nothing was undone",
                hint="memwiki undo --dry-run shows what is undone now",
            )
        made = _whole(make_all(root, edits), edits, "repeat the undo")
        stack.cut(plan.undoes[-1])
        return made
    if plan.is_final:
        made = _whole(make_all(root, edits), edits, "repeat it")
        finished = set(plan.paths)
        stack.rewrite(lambda fields: seal_again(fields, without(fields, finished), key))
        return made
    if not (plan.op and edits):
        return _whole(make_all(root, edits), edits, "repeat it")
    kept = [edit for edit in edits if edit.path not in plan.unkept]
    order = in_order(edits)
    offset = stack.add(seal_fields(as_record(plan, kept, at, order) | _beside(root, kept), key))
    outcome = make_all(root, edits, order, progress)
    if outcome.error and not outcome.remaining:
        stack.cut(offset)
    return _whole(outcome, edits, "memwiki undo takes back what was written")


def _whole(outcome: MadePlan, edits: list[Edit], way_out: str) -> tuple[Edit, ...]:
    """The edits of a plan that was carried out; for one that was not, its error with what it
    changed and what not."""
    error, remaining = outcome.error, outcome.remaining
    if not error:
        return outcome.edits
    if not remaining:
        raise error
    missing = tuple(edit.path for edit in edits if edit.path not in remaining)
    raise WriteError(
        f"{error.message}; written: {', '.join(remaining)};"
        f" not written: {', '.join(missing) or 'none'}",
        hint="; then ".join(filter(None, (error.hint, way_out))),
        path=error.path,
        candidates=missing,
    ) from error


def _beside(root: Path, edits: list[Edit]) -> dict[str, object]:
    """What undoing has to know beside the bytes: what files that go have, and folders that come."""
    gone = [edit.path for edit in edits if edit.data is None]
    had = {path: packed_attributes(attributes_of(root / path)) for path in gone}
    above = folders_above(edit.path for edit in edits)
    made = sorted((each for each in above if not os.path.lexists(root / each)), reverse=True)
    return {"attributes": had, "folders": made}


def _hard_link_notes(root: Path, edits: list[Edit]) -> tuple[str, ...]:
    """What to say of files with further names: a file that is replaced whole leaves these
    behind."""
    written = (edit.path for edit in edits if edit.data is not None and edit.expect)
    found = ((path, other_names(f"{root}/{path}")) for path in written)
    return tuple(
        f"{path}: had {counted(count, 'other name')} (hard link), which keep{'s' * (count == 1)} "
        "the old text"
        for path, count in found
        if count > 0
    )


# --- the journal ---------------------------------------------------------------------------------


def _note(
    root: Path, plan: Plan, made: tuple[Edit, ...], log: str, mask: Mask | None, now: int
) -> tuple[str, ...]:
    """Add what was done to the journal; that it could not be noted does not undo it."""
    if not (log and plan.op and plan.is_noted):
        return ()
    day, mark = local_day(now).isoformat(), journal.PRIVATE if shows_nothing(mask, made) else ""
    try:
        entry = journal.JournalEntry(day, plan.op, plan.title + mark, plan.details, by=plan.by)
        _add_entry(root, entry, log)
    except MemwikiError as error:
        return (f"done, but not noted in the journal: {error.message}",)
    return ()


def _add_entry(root: Path, entry: journal.JournalEntry, log: str) -> int:
    existing = current_bytes(root, log) or b""
    if len(existing) > _ROTATE_BYTES:
        # Of a symlink, what it leads to: moved itself it would lead nowhere.
        file = resolve_link(root, log).relative_to(root.resolve()).as_posix()
        # log/2026.md, log/2026-2.md ...
        stem = f"{journal.rotated_folder(log)}/{entry.day[:4]}"
        rename(root, file, first_free(stem, ".md", lambda name: os.path.lexists(root / name)))
        existing = b""
    added = journal.addition(existing, entry)
    append(root, log, added)
    return (existing + added).count(b"\n") - len(entry.details) - bool(entry.by)
