"""Carrying out what a verb planned: apply, bring the index up to date, say what became of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import Literal

from memwiki.answers.index import Changes
from memwiki.answers.pages import Edited
from memwiki.change import undo as undoing
from memwiki.change.apply import LOCK_WAIT_MS, ApplyResult, apply, remove_folders
from memwiki.change.plan import Expected, Plan, diff, edit_of, require_expected
from memwiki.change.record import (
    by_of,
    change_of,
    is_of_running,
    is_sealed,
    stack_of,
    title_of,
)
from memwiki.change.revealed import mask_plan, reveal_plan
from memwiki.change.undo import undo_plan
from memwiki.commit.catalogs import after_sync
from memwiki.errors import (
    ConflictError,
    MemwikiError,
    NotFoundError,
    NotYoursError,
    OutdatedError,
    UnconfirmedError,
)
from memwiki.files.checkout import git_folder
from memwiki.files.read import PublicRoot, current_bytes, read
from memwiki.files.records import Fields, Record, key_in, made_key_in
from memwiki.index.projection import Progress
from memwiki.index.storage_sqlite import DAMAGE, MISSHAPEN
from memwiki.markdown.describe import SNAPSHOT
from memwiki.names import CONFIG_FILE
from memwiki.pages.page import bytes_within, too_large
from memwiki.scope import Scope
from memwiki.sync.builds import READER_WAIT_MS
from memwiki.sync.context import Context, public_root
from memwiki.sync.live import LiveIndex

_MAX_ATTEMPTS = 20
_MIN_SWEPT = 100


def carry_out(
    live: LiveIndex,
    plan: Plan | Callable[[], Plan],
    *,
    dry_run: bool = False,
    notes: tuple[str, ...] = (),
    expected: Expected | None = None,
    asks_index: bool = False,
    is_brief: bool = False,
    progress: Progress | None = None,
    renewed: Callable[[], LiveIndex] | None = None,
    wait_ms: int | None = None,
) -> Edited:
    """Apply a plan, or with `dry_run` show what it would change.

    What makes a plan is called under the lock, and again when the plan met another change: of two
    who add to a file at once, the second one sees what the first one added. It must not open the
    index; with `asks_index` it may, and is called before the lock is taken. With `is_brief` the
    index learns of additions when it is next asked. Where the plan writes the settings, `renewed`
    gives the live index under the new ones.
    """
    context, is_ready = live.context, isinstance(plan, Plan)

    def signed() -> Plan:
        require_expected(context.root, expected)  # a page that is another may fit no plan
        made = plan if isinstance(plan, Plan) else plan()
        made = _with_snapshot(context, made)
        return made._replace(by=context.actor, expected=expected)

    if dry_run:
        return _preview(live, signed(), notes)
    key = b"" if is_brief or (isinstance(plan, Plan) and not plan.op) else sealing_key(live)

    def applied() -> ApplyResult:
        return apply(
            context.root,
            signed() if is_ready or asks_index else signed,
            log=context.layers.log,
            mask=public_root(Path(context.root), context.layers).mask,
            clock=context.clock,
            lock_timeout_ms=LOCK_WAIT_MS if wait_ms is None else wait_ms,
            key=key,
            progress=progress,
        )

    result = applied() if is_ready else _repeated(applied, is_anew=asks_index)
    if renewed and CONFIG_FILE in result.paths:
        live = renewed()
    return _report(live, result, notes, is_brief=is_brief)


def _with_snapshot(context: Context, plan: Plan) -> Plan:
    """A plan that takes what it makes private out of the snapshot of core memories, too."""
    root, layers = context.root, context.layers
    held = None if isinstance(root, PublicRoot) else current_bytes(root, SNAPSHOT)
    if held is None or SNAPSHOT in plan.paths:
        return plan
    from memwiki.memory.privacy import hides_more
    from memwiki.memory.snapshot import renewed

    edits = (edit for edit in plan.edits if edit.path.encode() in held)
    now = {edit.path: edit.data for edit in edits if edit.data and hides_more(edit, layers)}
    data = renewed(held, now, layers)
    more = [edit_of(SNAPSHOT, held, data, "became private")] if data != held else []
    return plan._replace(edits=(*plan.edits, *more))


def _repeated(do: Callable[[], ApplyResult], *, is_anew: bool) -> ApplyResult:
    """Do something again when it met another change: editors take no lock."""
    for _ in range(_MAX_ATTEMPTS):
        try:
            result = do()
        except OutdatedError:
            raise
        except ConflictError:
            continue
        # Who finds the same change made already has not made it.
        if not is_anew or result.paths or not result.plan.edits:
            return result
    return do()


def _preview(live: LiveIndex, plan: Plan, notes: tuple[str, ...]) -> Edited:
    """What a plan would change."""
    root = live.context.root
    require_expected(root, plan.expected)
    if isinstance(root, PublicRoot):
        reveal_plan(root, plan)  # refused here as it would be when it is carried out
        if plan.undoes:
            plan = mask_plan(root, plan)
    shown = diff(plan, lambda path: read(root, path))
    return Edited(
        plan.op, plan.title, plan.paths, dry_run=True, notes=notes, details=plan.details, diff=shown
    )


def _report(
    live: LiveIndex, result: ApplyResult, notes: tuple[str, ...], *, is_brief: bool
) -> Edited:
    """What a plan changed, after index and catalogs followed."""
    plan = result.plan
    if is_brief and all(edit.is_addition for edit in plan.edits):
        live.drop_sweep()
        changes = Changes(fresh=False)
    else:
        changes = _followed(live, result)
        remove_folders(live.context.root, plan)  # catalogs may have gone from them
    return Edited(
        plan.op,
        plan.title,
        result.paths,
        merged=result.merged,
        notes=notes + result.notes + changes.notes,
        details=plan.details,
        fresh=changes.fresh,
    )


def _followed(live: LiveIndex, result: ApplyResult) -> Changes:
    """Bring index and catalogs up to date with what was changed, where that is wanted."""
    live.drop_sweep()
    if not live.is_synced:
        return Changes(fresh=False)
    deleted = [edit.path for edit in result.plan.edits if edit.data is None]
    try:
        if len(deleted) >= _MIN_SWEPT:  # else they pass for files that a failing disk hides
            live.sync(only=deleted, force=True, wait_ms=READER_WAIT_MS)
        changes = _taken_in(live, result.paths)
        # Where no catalogs are written, whoever browses lists what changed.
        is_listed = changes.fresh and live.context.config.catalog.enabled
        return after_sync(live, changes) if is_listed else changes
    except (MemwikiError, OSError, *DAMAGE, *MISSHAPEN) as error:
        # What was done is done: were it asked for again, an append would stand there twice.
        return Changes(fresh=False, notes=(f"done, but not indexed yet: {error}",))


def _taken_in(live: LiveIndex, paths: Sequence[str]) -> Changes:
    """Sync what was changed; where nobody has just looked at the other files, those, too."""
    if live.is_just_swept and len(paths) < _MIN_SWEPT:
        log = live.context.layers.log
        changes = live.sync_paths([*paths, log] if log else paths, wait_ms=READER_WAIT_MS)
        if changes.fresh:
            return changes
    return live.reader_sync()


def undo(
    live: LiveIndex,
    count: int,
    *,
    own: bool | Literal["process"],
    dry_run: bool,
    yes: bool,
    guard: Callable[[str, bool], None] | None = None,
    announce: Callable[[Edited], None] | None = None,
) -> Edited:
    """Take back the last changes, all or none of them; such as were not made here only with
    `yes`, and with `own` only those of the actor; `guard` and `announce` may refuse, see
    `Workspace.undo`."""
    records = list(islice(stack_of(live.context.root).newest(), count))
    if len(records) < count:
        available = {0: "nothing", 1: "only 1 change"}.get(
            len(records), f"only {len(records)} changes"
        )
        hint = "memwiki log show" if live.context.layers.log else ""
        raise NotFoundError(f"undo {count}: {available} to undo", hint=hint)
    if own:
        _require_inside(records, live.context.scope())
        _require_own(records, live.context.actor, is_one_of_many=own == "process")
    root = Path(live.context.root)  # a record holds files as they are
    older = "memwiki show NAME --at DATE gives the old text" if git_folder(root) else ""
    plan = undo_plan(records, lambda path: current_bytes(root, path), older)
    if guard:
        for edit in plan.edits:
            guard(edit.path, edit.data is None)
    if not (dry_run or yes):
        _require_made_here(live, records, plan)
    if announce:
        announce(carry_out(live, plan, dry_run=True))
    return carry_out(live, plan, dry_run=dry_run)


def _require_inside(records: list[Record], scope: Scope) -> None:
    """Refuse to take back, or to show, what was done to another namespace."""
    paths = (inverse.path for each in records for inverse in change_of(each.fields).inverses)
    if scope.base and any(map(scope.is_outside, paths)):
        raise NotYoursError(
            f"undo: a change was made outside of namespace {scope.name}; nothing was undone",
            hint="ask the person to undo it",
        )


def _require_own(records: list[Record], actor: str, *, is_one_of_many: bool) -> None:
    """Refuse to take back what somebody else did: also one of the same name in another process."""
    for number, fields in enumerate(each.fields for each in records):
        is_namesake = by_of(fields) == actor
        if not is_namesake or (is_one_of_many and is_of_running(fields)):
            error = NotYoursError(
                f"undo: {title_of(fields)}: by {by_of(fields) or 'nobody named'}"
                f"{' in another process' * is_namesake},"
                f" not by {actor or 'nobody named'}{' here' * is_namesake}; nothing was undone",
                hint="undo without own takes back any change",
            )
            error.later = number
            raise error


def _require_made_here(live: LiveIndex, records: list[Record], plan: Plan) -> None:
    """A folder from elsewhere can bring changes along that nobody here has made."""
    foreign = [title_of(each.fields) for each in records if not is_made_here(live, each.fields)]
    if foreign:
        raise UnconfirmedError(
            f"undo: {'; '.join(foreign)}: probably not made by you on this machine;"
            " nothing was undone",
            hint="memwiki undo --dry-run shows what it would do; memwiki undo --yes does it",
            candidates=plan.paths,
        )


def is_made_here(live: LiveIndex, fields: Fields) -> bool:
    """Whether fields are sealed with a key of this user on this machine."""
    keys = filter(None, map(key_in, live.key_folders()))
    return any(is_sealed(fields, key) for key in keys)


def sealing_key(live: LiveIndex) -> bytes:
    """The key that seals what is done here; b"" where no folder takes one."""
    return next(filter(None, map(made_key_in, live.key_folders())), b"")


def cut_short(root: Path) -> list[tuple[int, str]]:
    """The changes that reached only some of their files: how many undos lead there, and a title."""
    with suppress(MemwikiError):  # what cannot be read, undo itself says
        records = stack_of(root).newest()
        return list(undoing.cut_short(records, lambda path: current_bytes(root, path)))
    return []


def page_bytes(context: Context, path: str) -> bytes:
    """The bytes of a page that is to be changed; NotEditableError when it is over the limit."""
    data = bytes_within(context, path)
    if data is None:
        raise too_large(path, context.max_bytes)
    return data
