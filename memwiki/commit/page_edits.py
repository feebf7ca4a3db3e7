"""What the verbs that change pages share: the page that is meant, and its plan made and carried
out."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, TypedDict, Unpack

from memwiki.answers.pages import Edited
from memwiki.change.plan import Plan, expected_of
from memwiki.change.revealed import require_untouched
from memwiki.commit.carry_out import carry_out, page_bytes
from memwiki.entry_fields import canonical
from memwiki.errors import MemwikiError, UsageError, private_error
from memwiki.files.read import PublicRoot
from memwiki.index.cards.lookup import Lookup
from memwiki.index.find import meaning
from memwiki.markdown.outline import Outline, PageKind, outline_of
from memwiki.names import require_text
from memwiki.nouns import Layers
from memwiki.pages import page
from memwiki.pages.page import Planned, require_editable, require_parsed
from memwiki.sync.context import Context
from memwiki.sync.live import LiveIndex
from memwiki.sync.reading import reading

if TYPE_CHECKING:
    from memwiki.markdown.edit.fields import Wanted
    from memwiki.pages.delete import Purge
    from memwiki.pages.relations import LinkEnds
    from memwiki.pages.tags import TagHolders, TagsInUse


class EditOptions(TypedDict, total=False):
    """How something is edited: only where its page has the digest `expect` (or these first 16
    digits of it), and with `dry_run` shown alone."""

    expect: str
    dry_run: bool


def edit(
    live: LiveIndex,
    name: str,
    plan: Callable[[Outline], Planned],
    *,
    expect: str = "",
    dry_run: bool = False,
) -> Edited:
    """Change a page, again from what it is then if that met another change; with notes."""
    path = own_page(live, name)
    notes: tuple[str, ...] = ()

    def make() -> Plan:
        nonlocal notes
        planned = plan(_outline(live, path))
        notes = planned.notes
        return planned.plan

    expected = expected_of(path, expect)
    edited = carry_out(live, make, asks_index=True, dry_run=dry_run, expected=expected)
    return edited._replace(notes=(*notes, *edited.notes))


def rewrite(
    live: LiveIndex,
    name: str,
    plan: Callable[..., Plan],
    *,
    expect: str = "",
    dry_run: bool = False,
) -> Edited:
    """Change the text of a page, planned under the lock: two additions at once both stay."""
    path = own_page(live, name)

    def make() -> Plan:
        return plan(_outline(live, path), max_bytes=live.context.max_bytes)

    return carry_out(live, make, dry_run=dry_run, expected=expected_of(path, expect))


def connect(
    live: LiveIndex,
    name: str,
    target: str,
    plan: Callable[[LinkEnds], Planned],
    **how: Unpack[EditOptions],
) -> Edited:
    """Change how one page links to another."""
    from memwiki.pages.relations import LinkEnds

    path = own_page(live, name)
    with reading(live) as view:
        to = view.find(target)

    def plan_for(page: Outline) -> Planned:
        with reading(live) as view:
            resolve = partial(meaning, view.lookup, live.context.layers, path)
            return plan(LinkEnds(page, to, resolve))

    return edit(live, path, plan_for, **how)


def carry_out_planned(
    live: LiveIndex, planned: Planned, *, expect: str = "", dry_run: bool = False
) -> Edited:
    """Carry out what was planned, where the file that was meant is as expected."""
    if expect and not planned.path:
        raise UsageError(
            "expect: a folder has no digest", hint="leave it out, or name one page of it"
        )
    expected, notes = expected_of(planned.path, expect), planned.notes
    with live.looked_over(planned.outlines):
        return carry_out(live, planned.plan, dry_run=dry_run, notes=notes, expected=expected)


def carry_out_purge(live: LiveIndex, planned: Purge, *, dry_run: bool) -> Edited:
    """Carry out what takes a namespace away; that so many pages vanish at once is meant."""
    edited = carry_out(live, planned.plan, dry_run=dry_run, notes=planned.notes)
    if edited.fresh or dry_run or not live.is_synced:
        return edited
    return edited._replace(fresh=live.sync(only=(planned.base,), force=True).fresh)


def _require_open_links(
    live: LiveIndex, name: str, move: Callable[[Context, Lookup], Planned]
) -> None:
    """Refuse what is planned without what is private, where the links of that would lead
    nowhere."""
    root = live.context.root
    if not isinstance(root, PublicRoot) or live.whole is live:
        return
    try:
        with reading(live.whole) as view:
            planned = move(view.context, view.lookup)
    except MemwikiError as error:
        raise private_error(name) from error
    require_untouched(root, planned.plan)


def set_fields(
    live: LiveIndex,
    name: str,
    fields: Mapping[str, Wanted],
    unset: Sequence[str],
    **how: Unpack[EditOptions],
) -> Edited:
    """Set fields of a page and remove some; the tags among them are looked at."""
    plan = partial(page.set_fields, changes=fields, unset=unset)
    if "tags" in map(canonical, fields):
        from memwiki.pages.tags import set_tagged

        plan = partial(set_tagged, changes=fields, unset=unset, in_use=tags_in_use(live))

    def planned(outline: Outline) -> Planned:
        made = plan(outline)
        if outline.kind is not PageKind.SESSION:
            return made
        from memwiki.commit.copies import with_copies_private

        return made._replace(plan=with_copies_private(live, outline.path, made.plan))

    return edit(live, name, planned, **how)


def retag(
    live: LiveIndex,
    plan: Callable[[str, str, TagHolders, TagsInUse, Layers], Planned],
    old: str,
    new: str,
    *,
    dry_run: bool,
) -> Edited:
    """Change a tag on all pages that carry it or one nested in it."""
    planned = plan(old, new, _tagged(live, old), tags_in_use(live), live.context.layers)
    return carry_out(live, planned.plan, dry_run=dry_run, notes=planned.notes)


def tags_in_use(live: LiveIndex, *, is_making: bool = False) -> TagsInUse:
    """The tags of the workspace, as they are spelled."""
    from memwiki.pages.tags import tags_of

    with reading(live, is_making=is_making) as view:
        return tags_of(view)


def _tagged(live: LiveIndex, tag: str) -> TagHolders:
    """The pages with a tag or one nested in it as they are now, and what else may hold it."""
    from memwiki.pages.companions import companions
    from memwiki.pages.tags import TagHolders

    require_text("tag", tag)
    with reading(live) as view:
        cards = view.lookup.by_number(view.lookup.tagged_below(tag)).values()
        owns = view.scope.owns
        paths = sorted(card.path for card in cards if owns(card.path))
        others = [file for file in companions(view.context, view.lookup) if owns(file.path)]
    return TagHolders([(path, page_bytes(live.context, path)) for path in paths], others)


def _outline(live: LiveIndex, path: str) -> Outline:
    """A page that is to be changed, as it is now."""
    return outline_of(path, page_bytes(live.context, path), live.context.layers)


def own_page(live: LiveIndex, name: str) -> str:
    """The path of the page that a name means, which may be changed."""
    with reading(live) as view:
        path = view.find_own(name)
        require_parsed(path, view.lookup.problems_of(path))
    require_editable(path, live.context.layers)
    return path


def move(
    live: LiveIndex, name: str, new: str, *, keep_alias: bool, **how: Unpack[EditOptions]
) -> Edited:
    """Give a page, file or folder another path; refused where links of what is private lead
    there."""
    from memwiki.pages.move import move

    with reading(live) as view:
        planned = move(name, new, view.context, view.lookup, keep_alias=keep_alias)
    old = planned.path or name
    _require_open_links(live, old, partial(move, old, new, keep_alias=keep_alias))
    return carry_out_planned(live, planned, **how)
