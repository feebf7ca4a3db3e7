"""What is new, carried out: entries as one change, pages, and the page of today."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from memwiki.answers.curation import AddReport
from memwiki.answers.pages import Edited
from memwiki.change.plan import Plan
from memwiki.commit.carry_out import carry_out
from memwiki.commit.page_edits import edit, own_page, tags_in_use
from memwiki.config.schema import REVIEW, Config
from memwiki.errors import AlreadyExistsError, ConflictError, NotFoundError
from memwiki.files.paths import contain, real_path
from memwiki.files.read import current_bytes, exists
from memwiki.memory import addition
from memwiki.memory.draft import AddOptions, AddRequest
from memwiki.memory.entity_merge import EntityMerge, alias_plan, merge_of, new_page_plan, sides_of
from memwiki.memory.usage import record
from memwiki.names import first_free, fold, is_in_folder, is_within, without_suffix
from memwiki.nouns import DENDRON, Layers
from memwiki.pages.new import (
    DayBegin,
    NewPage,
    PageRequest,
    aim,
    daily_page,
    daily_path,
    daily_path_of_dendron,
    form_near,
    layers_with_days,
    new_page,
    twin_notes,
)
from memwiki.pages.own import daily_template, own_template
from memwiki.pages.page import (
    folders_in,
    require_findable,
    require_free,
    require_linkable,
    require_parsed,
)
from memwiki.scope import layers_at
from memwiki.sync.context import Context
from memwiki.sync.live import LiveIndex
from memwiki.sync.reading import Reading, reading

_MAX_JUDGEMENTS = 5


def add_entries(
    live: LiveIndex, requests: Sequence[AddRequest], options: AddOptions, *, dry_run: bool
) -> AddReport:
    """Add entries, and count those that repeat one as a use of that. What an agent's would end is
    told as due where the settings say that it is reviewed, as that of a model always is.

    Raises ConflictError when the entries they were judged by change time and again.
    """
    options = options._replace(
        is_reviewed=live.context.config.doors.supersede == REVIEW,
        by_agent=bool(live.context.actor),
    )
    planned = []
    read = partial(current_bytes, live.context.root)

    def make() -> Plan:
        planned.append(ready.plan(read))
        return planned[-1].plan

    for attempt in range(_MAX_JUDGEMENTS):
        ready = addition.prepare(live, requests, options)
        try:
            with live.looked_over(ready.outlines):
                edited = carry_out(live, make, dry_run=dry_run)
        except ConflictError:  # an entry by which it was judged is gone by now
            if attempt == _MAX_JUDGEMENTS - 1:
                raise
        else:
            break
    report = addition.report(live, ready, planned[-1], edited, options)
    if report.repeated and not dry_run:
        record(live.context, "", [(each, 1.0) for each in report.repeated])
    return report


def create_page(
    live: LiveIndex, asked: PageRequest, *, folder: str, template: str, dry_run: bool
) -> Edited:
    """Create the page that is asked for, in `folder` where neither a path nor its type says where,
    from the user's own `template` where one is named; AlreadyExistsError when one is there."""
    context = live.context
    in_use = tags_in_use(live, is_making=True) if asked.tags else None
    tags = tuple(map(in_use.spelled, asked.tags)) if in_use else ()
    own = own_template(live, template, asked.content, folder or asked.name) if template else None
    asked = asked._replace(
        type=asked.type or (own.type if own else ""),
        tags=tags,
        is_own=bool(own),
        is_titled=context.config.pages_at(folder).is_named_by_title,
    )
    # As it is seen from the namespace, which is laid out like the workspace.
    folder = _folder_of_new(context.config, folder)
    layers = _layers_of_new(folder, context.layers)
    target = destination(context, asked, folder, layers)
    with reading(live, is_making=True) as view:
        notes = twin_notes(target, view.lookup, view.scope)
        _require_no_namesake(target, view)
        asked = asked._replace(form=form_near(view, target.path.rpartition("/")[0]))
    if in_use:
        notes += in_use.notes(tags)
    if own:
        asked = own.filled_in(asked, target)

    def make() -> Plan:
        require_free(context.root, target.path)
        return new_page(target, asked, context.today, layers, context.max_bytes)

    return carry_out(live, make, asks_index=True, dry_run=dry_run, notes=tuple(notes))


def _require_no_namesake(target: NewPage, view: Reading) -> None:
    """Refuse a title of which the file is called as that of another one: C# where C++ is `c.md`."""
    card = view.lookup.card(target.path)
    if card is None or fold(target.title) in ("", fold(card.title)):
        return
    taken = partial(exists, view.context.root)
    free = first_free(without_suffix(target.path), ".md", taken)
    raise AlreadyExistsError.at(
        target.path,
        f"is the page {card.title!r} already",
        "memwiki new {}, then memwiki set {} title=TITLE",
        free,
        free,
    )


def place_of_new(context: Context, asked: PageRequest) -> tuple[NewPage, Layers]:
    """Where a page goes for which nobody named a folder, and the layers that it is placed by."""
    folder = _folder_of_new(context.config, "")
    layers = _layers_of_new(folder, context.layers)
    return destination(context, asked, folder, layers), layers


def destination(context: Context, asked: PageRequest, folder: str, layers: Layers) -> NewPage:
    """Where a page goes; refused outside of the namespace, and where no page is found."""
    root, scope = context.root, context.scope()
    target = aim(asked, layers, folder, partial(folders_in, root, scope.base))
    path = contain(root, scope.own_path(target.path))
    target = target._replace(path=real_path(root, path))
    scope.require_own(target.path)
    require_linkable(root, target.path)
    require_findable(target.path, context.ignore())
    return target


def add_to_today(live: LiveIndex, text: str | None, *, dry_run: bool) -> Edited:
    """Make sure of the page of today, and add an item to it."""
    context, path = live.context, today_path(live)
    require_findable(path, context.ignore())
    with reading(live, is_making=True) as view:
        require_parsed(path, view.lookup.problems_of(path))
        template = "" if exists(context.root, path) else daily_template(live, path)
        folder = context.own_layers().daily or path.rpartition("/")[0]
        begin = DayBegin(context.today, template, form_near(view, folder))

    def make() -> Plan:
        data = current_bytes(context.root, path)
        return daily_page(path, data, text, context.layers, context.max_bytes, begin=begin)

    return carry_out(live, make, dry_run=dry_run)


def today_path(live: LiveIndex) -> str:
    """Where the page of today is or would be."""
    context = live.context
    layers, day = context.own_layers(), context.today
    layers = layers if layers.daily else layers_with_days(layers)
    path = real_path(context.root, daily_path(day, layers)) if layers.daily else ""
    if path and exists(context.root, path):
        return path
    with reading(live, is_making=True) as view:
        paths = sorted(filter(view.scope.sees, view.lookup.all_paths()))
    if path:  # a page of this day may be in a folder of its year
        found = (each for each in paths if is_in_folder(each, layers.daily))
        return next((each for each in found if each.endswith(f"/{day}.md")), path)
    if layers.dialect.name != DENDRON:
        return daily_path(day, layers, paths)  # says what is missing
    below, pages = layers.dialect.folder, context.config.pages
    folder = context.config.nested.get(below, pages).folder
    return daily_path_of_dendron(day, (each for each in paths if is_within(each, below)), folder)


def _folder_of_new(config: Config, folder: str) -> str:
    """Where new pages of a folder go: where the program that keeps it has them."""
    if not folder:
        return config.pages.folder
    kept = config.nested.get(folder.strip("/"))
    return kept.folder if kept else folder


def _layers_of_new(folder: str, layers: Layers) -> Layers:
    """The layers of a new page: where another program keeps the folder, no page of the workspace is
    placed by its type."""
    own = layers_at(folder, layers)
    return own._replace(wiki="") if own.dialect.folder else layers


def merge_entities(live: LiveIndex, a: str, b: str, *, dry_run: bool) -> Edited:
    """Make one entity another name of another."""
    merge = merge_found(live, a, b)
    if merge.path:
        return edit(live, merge.path, partial(alias_plan, merge=merge), dry_run=dry_run)
    make = page_of_merge(live, merge)
    return carry_out(live, make, asks_index=True, dry_run=dry_run, notes=merge.notes)


def merge_found(live: LiveIndex, a: str, b: str) -> EntityMerge:
    """What becomes of two entities, whose page may be changed."""
    with reading(live) as view:
        merge = merge_of(a, b, view)
    if merge.path:
        own_page(live, merge.path)
    if live.context.is_public or not live.has_private():
        return merge
    try:
        with reading(live.public()) as shown:
            sides_of(merge.alias, merge.alias if merge.path else merge.name, shown)
    except NotFoundError:
        return merge._replace(is_private=True)
    return merge


def page_of_merge(live: LiveIndex, merge: EntityMerge) -> Callable[[], Plan]:
    """How the page is made of two entities that have none."""
    context, layers = live.context, live.context.layers
    asked = PageRequest(merge.name, "entity")
    target = destination(context, asked, "", layers)

    def make() -> Plan:
        require_free(context.root, target.path)
        plan = new_page(target, asked, context.today, layers, context.max_bytes)
        return new_page_plan(plan, merge, layers)

    return make
