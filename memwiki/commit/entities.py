"""Merging entities: the page that is changed or made, and its plan carried out."""

from __future__ import annotations

from functools import partial

from memwiki.answers.edits import Edited
from memwiki.change.plan import Plan
from memwiki.commit.carry_out import carry_out_anew
from memwiki.commit.new_pages import destination, today
from memwiki.commit.page_edits import edit
from memwiki.memory.entities.merge import EntityMerge, aliased, created, merging
from memwiki.pages.editable import require_free
from memwiki.pages.text.new import PageRequest, new_page
from memwiki.sync.live import LiveIndex
from memwiki.sync.reading import reading


def merge_entities(live: LiveIndex, a: str, b: str, *, dry_run: bool) -> Edited:
    """Make one entity another name of another."""
    with reading(live) as view:
        merge = merging(a, b, view)
    if merge.path:
        live.context.scope().require_own(merge.path)
        return edit(live, merge.path, partial(aliased, merge=merge), dry_run=dry_run)
    return _with_new_page(live, merge, dry_run=dry_run)


def _with_new_page(live: LiveIndex, merge: EntityMerge, *, dry_run: bool) -> Edited:
    context, layers = live.context, live.context.layers
    asked = PageRequest(merge.name, "entity")
    target = destination(context, asked, "", layers)

    def make() -> Plan:
        require_free(context.root, target.path)
        plan = new_page(target, asked, today(context), layers, context.max_bytes)
        return created(plan, merge, layers)

    return carry_out_anew(live, make, dry_run=dry_run, notes=merge.notes)
