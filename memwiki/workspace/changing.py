"""Carrying out what a verb planned: apply, bring the index in step, say what became of it."""

from __future__ import annotations

from memwiki.answers.editing import Edited
from memwiki.change.apply import apply
from memwiki.change.plan import Plan, diff
from memwiki.files.read import read
from memwiki.workspace.keeper import Keeper


def carry_out(
    keeper: Keeper, plan: Plan, *, dry_run: bool = False, notes: tuple[str, ...] = ()
) -> Edited:
    """Apply a plan, or with `dry_run` show what it would change."""
    if dry_run:
        shown = diff(plan, lambda path: read(keeper.root, path)[0])
        return Edited(plan.op, plan.title, plan.paths, dry_run=True, notes=notes, diff=shown)
    applied = apply(keeper.root, plan, log=keeper.config.layers.log, clock=keeper.clock)
    is_fresh = keeper.is_synced and keeper.reader_sync().fresh
    return Edited(
        plan.op, plan.title, applied.paths, merged=applied.merged, notes=notes + applied.notes,
        fresh=is_fresh,
    )  # fmt: skip
