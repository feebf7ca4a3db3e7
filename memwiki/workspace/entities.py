"""Merging entities: the page that is changed or made, and its plan carried out."""

from __future__ import annotations

from functools import partial

from memwiki.answers.edits import Edited
from memwiki.change.plan import Plan
from memwiki.clock import local_day
from memwiki.commit.carry_out import carry_out_anew
from memwiki.commit.page_edits import edit
from memwiki.files.paths import contain, real_path
from memwiki.memory.entities.merge import EntityMerge, aliased, created, merging
from memwiki.pages.editable import folders_in, require_findable, require_free
from memwiki.pages.text.new import NewPage, PageRequest, aim, new_page
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
    context = live.context
    root, layers, scope = context.root, context.layers, context.scope()
    asked = PageRequest(merge.name, "entity")
    target: NewPage = aim(asked, layers, "", partial(folders_in, root, scope.base))
    path = contain(root, scope.own_path(target.path))
    target = target._replace(path=real_path(root, path))
    scope.require_own(target.path)
    require_findable(target.path, context.ignore())
    day = local_day(context.clock()).isoformat()

    def make() -> Plan:
        require_free(root, target.path)
        return created(new_page(target, asked, day, layers, context.max_bytes), merge, layers)

    return carry_out_anew(live, make, dry_run=dry_run, notes=merge.notes)
